import type { Language } from "../../../knowledge/language/languages.ts";
import type { Pattern } from "./pattern.ts";
import type { Word } from "./reading.ts";
import type { Searched, Stretch, Vocabulary } from "./vocabulary.ts";

/** The sentences around one. */
export interface Neighbours {
  readonly before: Searched | undefined;
  readonly next: Searched | undefined;
}

/**
 * What keeps a wording from counting: it is denied, forbidden, quoted, asked, supposed, warned of, or taken back by the
 * next sentence.
 */
export interface Guards {
  /** Whether the match is what the answer itself says. */
  allows(pattern: Pattern, match: readonly Stretch[], searched: Searched, around: Neighbours): boolean;
  /** Whether a whole sentence is the answer's own statement: no question, no quotation, no warning, not taken back. */
  states(searched: Searched, around: Neighbours): boolean;
  /** Whether a word negates what is around it. */
  negates(word: Word, language: Language): boolean;
}

interface GuardLists {
  readonly warnings: string;
  readonly cautions: string;
  readonly refutations: string;
  readonly negators: string;
  readonly not_negated: string;
  readonly conjunctions: string;
  readonly conditions: string;
}

/** How far a negation reaches, in words. */
const reach = 6;
/** How early in the next sentence a statement is taken back. */
const early = 6;

/** How long a clause is that only says "we never do". */
const shortClause = 4;
const speaker = (form: string): boolean => ["i", "we", "ja", "my"].includes(form);
const forbids = (form: string): boolean => form === "never" || form === "not";

const overlaps = (match: readonly Stretch[], { from, to }: Stretch): boolean =>
  match.some((one) => one.from <= to && from <= one.to);

/** A word of the match in quotation marks is somebody else's. */
function inQuotes({ sentence: { quotes, words } }: Searched, match: readonly Stretch[]): boolean {
  return quotes.some(([start, end]) =>
    match.some(({ from, to }) => (words[from]?.start ?? 0) >= start && (words[to]?.end ?? Infinity) <= end),
  );
}

/** Whether a word is in a list of words and, with `*`, beginnings of words. */
function inList(list: string): (form: string) => boolean {
  const all = list.trim().split(/\s+/);
  const whole = new Set(all.filter((one) => !one.endsWith("*")));
  const starts = all.filter((one) => one.endsWith("*")).map((one) => one.slice(0, -1));
  return (form) => whole.has(form) || starts.some((start) => form.startsWith(start));
}

/** Makes the guards from the lexicon's lists. */
export function createGuards(lists: GuardLists, vocabulary: Vocabulary): Guards {
  const warnings = vocabulary.list(lists.warnings);
  const cautions = vocabulary.list(lists.cautions);
  const refutations = vocabulary.list(lists.refutations);
  const negators = inList(lists.negators);
  const exempt = inList(lists.not_negated);
  const joins = inList(lists.conjunctions);
  const supposes = inList(lists.conditions);

  const negates = ({ form }: Word, language: Language): boolean =>
    negators(form) ||
    (language !== "en" && form.length > 4 && form.startsWith("ne") && !/^nej[^s]/.test(form) && !exempt(form));

  function denied(match: readonly Stretch[], { sentence: { words, language } }: Searched): boolean {
    const slavic = language !== "en";
    const isNegator = (at: number) => {
      const word = words[at];
      return word !== undefined && negates(word, language);
    };
    const inside = match.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, step) => from + step));
    // The wording is negative itself ("no exclusions"): another negation is Czech grammar, not a denial.
    if (inside.some(isNegator)) return false;
    const clauses = new Set(inside.map((at) => words[at]?.clause));
    const last = Math.max(...inside);
    const joined = words.findIndex(({ form }, at) => at > last && joins(form));
    for (const [at, { clause }] of words.entries()) {
      if (!clauses.has(clause) || inside.includes(at) || !isNegator(at)) continue;
      // English puts its negation first; what a conjunction adds afterwards is denied for itself.
      if (at > last && (!slavic || (joined >= 0 && at > joined))) continue;
      if (inside.some((one) => words[one]?.clause === clause && Math.abs(one - at) <= reach)) return true;
    }
    return false;
  }

  /**
   * Whether an English sentence forbids the deed: "Never leave an illness out". The negation stands right before the
   * match and is no part of it, as it is in "Don't mention the illness".
   */
  function forbidden(match: readonly Stretch[], { sentence: { words, language } }: Searched): boolean {
    if (language !== "en") return false;
    const inside = new Set(
      match.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, step) => from + step)),
    );
    if ([...inside].some((at) => forbids(words[at]?.form ?? ""))) return false;
    const first = Math.min(...inside);
    const ahead = words.slice(Math.max(0, first - 2), first);
    return ahead.some(({ form, clause }) => forbids(form) && clause === words[first]?.clause);
  }

  /** Whether all of it is in one clause that only supposes something. */
  function supposed(match: readonly Stretch[], { sentence: { words } }: Searched): boolean {
    const clauses = new Set(match.flatMap(({ from, to }) => [words[from]?.clause, words[to]?.clause]));
    if (clauses.size !== 1) return false;
    const first = Math.min(...match.map(({ from }) => from));
    return words.some(({ form, clause }, at) => at < first && clauses.has(clause) && supposes(form));
  }

  const warned = (match: readonly Stretch[], searched: Searched): boolean =>
    [...searched.places(warnings), ...searched.places(cautions)].some((stretch) => !overlaps(match, stretch));

  /** "I don't, and …", "We never do.": a short clause of the speaker's own that denies what was told before. */
  function disowns({ sentence: { words, language } }: Searched): boolean {
    const clause = words.filter(({ clause }) => clause === words[0]?.clause);
    const isSpeaker = speaker(words[0]?.form ?? "");
    return isSpeaker && clause.length <= shortClause && clause.some((word) => negates(word, language));
  }

  const takenBack = (next: Searched | undefined): boolean =>
    next !== undefined && (next.places(refutations).some(({ from }) => from <= early) || disowns(next));

  /** Whether a neighbour calls on the customer to beware of what is told. */
  const cautioned = ({ before, next }: Neighbours): boolean =>
    [before, next].some((one) => (one?.places(cautions).length ?? 0) > 0);

  return {
    negates,
    states: (searched, around) =>
      !searched.sentence.question &&
      searched.sentence.quotes.length === 0 &&
      searched.places(warnings).length === 0 &&
      searched.places(cautions).length === 0 &&
      !cautioned(around) &&
      !takenBack(around.next),
    allows(pattern, match, searched, around) {
      if (searched.sentence.question && !pattern.questions) return false;
      if (inQuotes(searched, match) || forbidden(match, searched)) return false;
      if (!pattern.negated && denied(match, searched)) return false;
      if (supposed(match, searched) || warned(match, searched)) return false;
      return !cautioned(around) && !takenBack(around.next);
    },
  };
}
