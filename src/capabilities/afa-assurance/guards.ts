import type { Language } from "../../evidence/language.ts";
import type { Pattern } from "./pattern.ts";
import type { Word } from "./reading.ts";
import type { Searched, Stretch, Vocabulary } from "./vocabulary.ts";

/** What keeps a wording from counting: it is denied, quoted, asked, supposed, warned of, or taken back by the next sentence. */
export interface Guards {
  /** Whether the match is what the answer itself says. */
  allows(pattern: Pattern, match: readonly Stretch[], searched: Searched, next: Searched | undefined): boolean;
  /** Whether a whole sentence is the answer's own statement: no question, no quotation, no warning, not taken back. */
  states(searched: Searched, next: Searched | undefined): boolean;
  /** Whether a word negates what is around it. */
  negates(word: Word, language: Language): boolean;
}

interface GuardLists {
  readonly warnings: string;
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

  /** Whether all of it is in one clause that only supposes something. */
  function supposed(match: readonly Stretch[], { sentence: { words } }: Searched): boolean {
    const clauses = new Set(match.flatMap(({ from, to }) => [words[from]?.clause, words[to]?.clause]));
    if (clauses.size !== 1) return false;
    const first = Math.min(...match.map(({ from }) => from));
    return words.some(({ form, clause }, at) => at < first && clauses.has(clause) && supposes(form));
  }

  const warned = (match: readonly Stretch[], searched: Searched): boolean =>
    searched.places(warnings).some((stretch) => !overlaps(match, stretch));

  const takenBack = (next: Searched | undefined): boolean =>
    next?.places(refutations).some(({ from }) => from <= early) ?? false;

  return {
    negates,
    states: (searched, next) =>
      !searched.sentence.question &&
      searched.sentence.quotes.length === 0 &&
      searched.places(warnings).length === 0 &&
      !takenBack(next),
    allows(pattern, match, searched, next) {
      if (searched.sentence.question && !pattern.questions) return false;
      if (inQuotes(searched, match)) return false;
      if (!pattern.negated && denied(match, searched)) return false;
      return !supposed(match, searched) && !warned(match, searched) && !takenBack(next);
    },
  };
}
