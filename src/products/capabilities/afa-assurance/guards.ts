import type { Language } from "../../../knowledge/language/languages.ts";
import type { Pattern } from "./pattern.ts";
import type { Word } from "./reading.ts";
import { inList, type Searched, type Stretch, type Term, type Vocabulary } from "./vocabulary.ts";

/** The sentences before and after a sentence. */
export interface Neighbours {
  readonly before: Searched | undefined;
  readonly next: Searched | undefined;
}

/**
 * Decides whether a matching wording counts. It does not if it is denied, forbidden, quoted, asked, hypothetical,
 * warned about, or retracted by the next sentence.
 */
export interface Guards {
  /** Returns whether the match is the answer's own statement. Negators at the places `spent` deny something else. */
  allows(
    pattern: Pattern,
    match: readonly Stretch[],
    searched: Searched,
    around: Neighbours,
    spent: readonly number[],
  ): boolean;
  /** Returns whether a sentence is the answer's own statement: no question, quotation or warning, and not retracted. */
  states(searched: Searched, around: Neighbours): boolean;
  /** Returns whether a word negates what surrounds it. */
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

/** Maximum distance in words at which a negation applies. */
const reach = 6;
/** Last word position in the next sentence at which a retraction is recognised. */
const early = 6;

/** Matches the ending of a folded Czech or Slovak infinitive: zamlčet, vynechat, uvést. */
const infinitive = /\p{L}{3}(?:[aeiou]|s)t$/u;

/** Maximum length in words of a clause that only says "we never do". */
const shortClause = 4;
const speaker = (form: string): boolean => ["i", "we", "ja", "my"].includes(form);
const forbids = (form: string): boolean => form === "never" || form === "not";

/** Returns whether a stretch shares a word with the match. Also used by the safeguards. */
export const overlaps = (match: readonly Stretch[], { from, to }: Stretch): boolean =>
  match.some((one) => one.from <= to && from <= one.to);

/** Returns whether part of the match is in quotation marks, and therefore someone else's words. */
function inQuotes({ sentence: { quotes, words } }: Searched, match: readonly Stretch[]): boolean {
  return quotes.some(([start, end]) =>
    match.some(({ from, to }) => (words[from]?.start ?? 0) >= start && (words[to]?.end ?? Infinity) <= end),
  );
}

/** Returns the places of a match's words. Also used by the safeguards. */
export const placesOf = (match: readonly Stretch[]): number[] =>
  match.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, step) => from + step));

/**
 * Returns whether an English sentence forbids the act: "Never leave an illness out". The negation comes right before
 * the match and is not part of it, as it is in "Don't mention the illness".
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
    // If the wording itself is negative ("no exclusions"), another negation is Czech grammar. "Without" differs.
    const own = inside.filter(isNegator);
    if (own.some((at) => !this.#isPrivative(words[at]?.form ?? ""))) return false;
    if (own.length > 0) return this.#isUndone(own, searched);
    const last = Math.max(...inside);
    const joined = words.findIndex(({ form }, at) => at > last && this.#joins(form));
    for (const [at, { clause }] of words.entries()) {
      if (!clauses.has(clause) || inside.includes(at) || spent.includes(at) || !isNegator(at)) continue;
      // An English negation comes first, and a negation after a conjunction applies to what the conjunction adds.
      if (at > last && (!slavic || (joined >= 0 && at > joined))) continue;
      if (inside.some((one) => words[one]?.clause === clause && Math.abs(one - at) <= reach)) return true;
    }
    return false;
  }

  /**
   * Returns whether a clause negates a privative: "bez poplatků to není". A conjunction between them separates them.
   */
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

  /** Returns whether a Czech sentence forbids the act, an infinitive: "Nemoc v dotazníku zamlčet nesmíte". */
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

  /** Returns whether the whole match is in one hypothetical clause. */
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

  /** Returns whether a short clause of the speaker's denies what was said before: "I don't, and …", "We never do." */
  #disowns({ sentence: { words, language } }: Searched): boolean {
    const clause = words.filter(({ clause }) => clause === words[0]?.clause);
    const isSpeaker = speaker(words[0]?.form ?? "");
    return isSpeaker && clause.length <= shortClause && clause.some((word) => this.negates(word, language));
  }

  #isTakenBack(next: Searched | undefined): boolean {
    if (next === undefined) return false;
    return next.places(this.#refutations).some(({ from }) => from <= early) || this.#disowns(next);
  }

  /** Returns whether a neighbouring sentence warns the customer about the statement. */
  #isCautioned({ before, next }: Neighbours): boolean {
    return [before, next].some((one) => (one?.places(this.#cautions).length ?? 0) > 0);
  }
}

/** Creates the guards from the lexicon's lists. */
export const createGuards = (lists: GuardLists, vocabulary: Vocabulary): Guards => new LexiconGuards(lists, vocabulary);
