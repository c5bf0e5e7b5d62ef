import type { Language } from "../../../knowledge/language/languages.ts";
import type { Pattern } from "./pattern.ts";
import type { Word } from "./reading.ts";
import { inList, type Searched, type Stretch, type Term, type Vocabulary } from "./vocabulary.ts";

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
  /** Whether the match is what the answer itself says. The negators at the places `spent` deny something else. */
  allows(
    pattern: Pattern,
    match: readonly Stretch[],
    searched: Searched,
    around: Neighbours,
    spent: readonly number[],
  ): boolean;
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
  readonly prohibitions: string;
  readonly privatives: string;
}

/** How far a negation reaches, in words. */
const reach = 6;
/** How early in the next sentence a statement is taken back. */
const early = 6;

/** The end of a Czech or Slovak infinitive, folded: zamlčet, vynechat, uvést. */
const infinitive = /\p{L}{3}(?:[aeiou]|s)t$/u;

/** How long a clause is that only says "we never do". */
const shortClause = 4;
const speaker = (form: string): boolean => ["i", "we", "ja", "my"].includes(form);
const forbids = (form: string): boolean => form === "never" || form === "not";

/** Whether one of several stretches has a word of another. The safeguards use it too. */
export const overlaps = (match: readonly Stretch[], { from, to }: Stretch): boolean =>
  match.some((one) => one.from <= to && from <= one.to);

/** A word of the match in quotation marks is somebody else's. */
function inQuotes({ sentence: { quotes, words } }: Searched, match: readonly Stretch[]): boolean {
  return quotes.some(([start, end]) =>
    match.some(({ from, to }) => (words[from]?.start ?? 0) >= start && (words[to]?.end ?? Infinity) <= end),
  );
}

/** The places of a match's words. The safeguards use it too. */
export const placesOf = (match: readonly Stretch[]): number[] =>
  match.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, step) => from + step));

/**
 * Whether an English sentence forbids the deed: "Never leave an illness out". The negation is right before the match and
 * is no part of it, as it is in "Don't mention the illness".
 */
function isForbidden(match: readonly Stretch[], { sentence: { words, language } }: Searched): boolean {
  if (language !== "en") return false;
  const inside = placesOf(match);
  if (inside.some((at) => forbids(words[at]?.form ?? ""))) return false;
  const first = Math.min(...inside);
  const ahead = words.slice(Math.max(0, first - 2), first);
  return ahead.some(({ form, clause }) => forbids(form) && clause === words[first]?.clause);
}

class LexiconGuards implements Guards {
  readonly #warnings: Term;
  readonly #cautions: Term;
  readonly #refutations: Term;
  readonly #isNegator: (form: string) => boolean;
  readonly #isExempt: (form: string) => boolean;
  readonly #joins: (form: string) => boolean;
  readonly #conditions: Term;
  readonly #prohibits: (form: string) => boolean;
  readonly #isPrivative: (form: string) => boolean;

  constructor(lists: GuardLists, vocabulary: Vocabulary) {
    this.#warnings = vocabulary.list(lists.warnings);
    this.#cautions = vocabulary.list(lists.cautions);
    this.#refutations = vocabulary.list(lists.refutations);
    this.#isNegator = inList(lists.negators);
    this.#isExempt = inList(lists.not_negated);
    this.#joins = inList(lists.conjunctions);
    this.#conditions = vocabulary.list(lists.conditions);
    this.#prohibits = inList(lists.prohibitions);
    this.#isPrivative = inList(lists.privatives);
  }

  negates({ form }: Word, language: Language): boolean {
    if (this.#isNegator(form)) return true;
    if (language === "en" || form.length <= 4 || !form.startsWith("ne")) return false;
    return !/^nej[^s]/.test(form) && !this.#isExempt(form);
  }

  states(searched: Searched, around: Neighbours): boolean {
    const { question, quotes } = searched.sentence;
    if (question || quotes.length > 0) return false;
    if (searched.places(this.#warnings).length > 0 || searched.places(this.#cautions).length > 0) return false;
    return !this.#isCautioned(around) && !this.#isTakenBack(around.next);
  }

  allows(
    pattern: Pattern,
    match: readonly Stretch[],
    searched: Searched,
    around: Neighbours,
    spent: readonly number[],
  ): boolean {
    if (searched.sentence.question && !pattern.questions) return false;
    if (inQuotes(searched, match) || isForbidden(match, searched)) return false;
    if (pattern.negated ? this.#isProhibited(match, searched) : this.#isDenied(match, searched, spent)) return false;
    if (this.#isSupposed(match, searched) || this.#isWarnedOf(match, searched)) return false;
    return !this.#isCautioned(around) && !this.#isTakenBack(around.next);
  }

  #isDenied(match: readonly Stretch[], searched: Searched, spent: readonly number[]): boolean {
    const { words, language } = searched.sentence;
    const slavic = language !== "en";
    const isNegator = (at: number) => {
      const word = words[at];
      return word !== undefined && this.negates(word, language);
    };
    const inside = placesOf(match);
    const clauses = new Set(inside.map((at) => words[at]?.clause));
    // The wording is negative itself ("no exclusions"): another negation is Czech grammar, not a denial. "Without" is not.
    const own = inside.filter(isNegator);
    if (own.some((at) => !this.#isPrivative(words[at]?.form ?? ""))) return false;
    if (own.length > 0) return this.#isUndone(own, searched);
    const last = Math.max(...inside);
    const joined = words.findIndex(({ form }, at) => at > last && this.#joins(form));
    for (const [at, { clause }] of words.entries()) {
      if (!clauses.has(clause) || inside.includes(at) || spent.includes(at) || !isNegator(at)) continue;
      // English puts its negation first; what a conjunction adds afterwards is denied for itself.
      if (at > last && (!slavic || (joined >= 0 && at > joined))) continue;
      if (inside.some((one) => words[one]?.clause === clause && Math.abs(one - at) <= reach)) return true;
    }
    return false;
  }

  /** Whether a clause takes a privative back: "bez poplatků to není". A conjunction between them adds something else. */
  #isUndone(privatives: readonly number[], { sentence: { words, language } }: Searched): boolean {
    return privatives.some((own) =>
      words.some((word, at) => {
        if (word.clause !== words[own]?.clause || Math.abs(at - own) > reach) return false;
        if (this.#isPrivative(word.form) || !(this.negates(word, language) || this.#prohibits(word.form))) return false;
        const between = words.slice(Math.min(at, own) + 1, Math.max(at, own));
        return !between.some(({ form }) => this.#joins(form));
      }),
    );
  }

  /** Whether a Czech sentence forbids the deed, an infinitive of the match: "Nemoc v dotazníku zamlčet nesmíte". */
  #isProhibited(match: readonly Stretch[], { sentence: { words, language } }: Searched): boolean {
    if (language === "en") return false;
    const inside = placesOf(match);
    const deeds = inside.filter((at) => infinitive.test(words[at]?.form ?? ""));
    return words.some(
      ({ form, clause }, at) =>
        !inside.includes(at) &&
        this.#prohibits(form) &&
        deeds.some((deed) => words[deed]?.clause === clause && Math.abs(deed - at) <= reach),
    );
  }

  /** Whether all of it is in one clause that only supposes something. */
  #isSupposed(match: readonly Stretch[], searched: Searched): boolean {
    const { words } = searched.sentence;
    const clauses = new Set(match.flatMap(({ from, to }) => [words[from]?.clause, words[to]?.clause]));
    if (clauses.size !== 1) return false;
    const first = Math.min(...match.map(({ from }) => from));
    return searched.places(this.#conditions).some(({ to }) => to < first && clauses.has(words[to]?.clause));
  }

  #isWarnedOf(match: readonly Stretch[], searched: Searched): boolean {
    const places = [...searched.places(this.#warnings), ...searched.places(this.#cautions)];
    return places.some((stretch) => !overlaps(match, stretch));
  }

  /** "I don't, and …", "We never do.": a short clause of the speaker's own that denies what was said before. */
  #disowns({ sentence: { words, language } }: Searched): boolean {
    const clause = words.filter(({ clause }) => clause === words[0]?.clause);
    const isSpeaker = speaker(words[0]?.form ?? "");
    return isSpeaker && clause.length <= shortClause && clause.some((word) => this.negates(word, language));
  }

  #isTakenBack(next: Searched | undefined): boolean {
    if (next === undefined) return false;
    return next.places(this.#refutations).some(({ from }) => from <= early) || this.#disowns(next);
  }

  /** Whether a neighbour calls on the customer to beware of what is said. */
  #isCautioned({ before, next }: Neighbours): boolean {
    return [before, next].some((one) => (one?.places(this.#cautions).length ?? 0) > 0);
  }
}

/** Makes the guards from the lexicon's lists. The reader calls it. */
export const createGuards = (lists: GuardLists, vocabulary: Vocabulary): Guards => new LexiconGuards(lists, vocabulary);
