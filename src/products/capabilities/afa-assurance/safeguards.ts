import type { Language } from "../../../knowledge/language/languages.ts";
import { overlaps, placesOf } from "./guards.ts";
import type { Word } from "./reading.ts";
import { inList, type Searched, type Stretch, type Term, type Vocabulary } from "./vocabulary.ts";

/** Decides whether words that show compliance really do. */
export interface Safeguards {
  /**
   * Returns whether a term is in a sentence and counts. It does not count if it is denied ("without a reminder",
   * "upomínku nikdo neposílá"), nor if it is threatened after the act ("leave it out, otherwise they refuse you").
   * `match` is the wording that it would excuse; a negation inside that denies the act, not the safeguard.
   */
  stand(term: Term, searched: Searched, match: readonly Stretch[]): boolean;
  /** Returns the places of the negators that deny a term. They do not deny the rest of the sentence. */
  denials(term: Term, searched: Searched, match: readonly Stretch[]): readonly number[];
}

interface SafeguardLists {
  readonly privatives: string;
  readonly idioms: string;
  readonly limits: string;
  readonly otherwise: string;
  readonly conjunctions: string;
  readonly conditions: string;
}

/** Maximum distance in words from a privative to what it negates. */
const privativeReach = 4;
/** Maximum distance in words of any other negation. */
const verbReach = 6;
/** The same for an English negation looking back ("a reminder is not sent") or in a condition ("if you do not pay"). */
const shortReach = 2;

/** Returns whether a word names an omitted act and denies nothing: "pro neplacení", "nezaplacením". */
const isDeverbal = (form: string): boolean => form.length > 6 && /n[ií](?:m|e|a|u|mi)?$/.test(form);

class LexiconSafeguards implements Safeguards {
  readonly #idioms: Term;
  readonly #otherwise: Term;
  readonly #isPrivative: (form: string) => boolean;
  readonly #limits: (form: string) => boolean;
  readonly #joins: (form: string, language: Language) => boolean;
  readonly #conditions: Term;

  constructor(
    lists: SafeguardLists,
    vocabulary: Vocabulary,
    readonly negates: (word: Word, language: Language) => boolean,
  ) {
    this.#idioms = vocabulary.list(lists.idioms);
    this.#otherwise = vocabulary.list(lists.otherwise);
    this.#isPrivative = inList(lists.privatives);
    this.#limits = inList(lists.limits);
    const joins = inList(lists.conjunctions);
    // The Czech "and" is an article in English.
    this.#joins = (form, language) => joins(form) && !(form === "a" && language === "en");
    this.#conditions = vocabulary.list(lists.conditions);
  }

  stand(term: Term, searched: Searched, match: readonly Stretch[]): boolean {
    return searched
      .places(term)
      .some((one) => !this.#isThreatened(one, searched, match) && this.#denialsOf(one, searched, match).length === 0);
  }

  denials(term: Term, searched: Searched, match: readonly Stretch[]): readonly number[] {
    return searched.places(term).flatMap((one) => this.#denialsOf(one, searched, match));
  }

  #isThreatened(safeguard: Stretch, searched: Searched, match: readonly Stretch[]): boolean {
    const first = Math.min(...match.map(({ from }) => from));
    return searched.places(this.#otherwise).some(({ from, to }) => first < from && to < safeguard.from);
  }

  #denialsOf(safeguard: Stretch, searched: Searched, match: readonly Stretch[]): readonly number[] {
    const { words, language } = searched.sentence;
    const clause = words[safeguard.from]?.clause;
    const isNegator = (word: Word) => this.negates(word, language) && !isDeverbal(word.form);
    // The safeguard itself is negative or limiting: "cannot promise", "only after".
    const own = words.slice(safeguard.from, safeguard.to + 1);
    if (own.some((word) => isNegator(word) || this.#limits(word.form))) return [];
    // A negation inside the wording denies the act.
    const inside = new Set(placesOf(match));
    const denying = words.flatMap((word, at) =>
      word.clause === clause && !inside.has(at) && isNegator(word) && !this.#isIdiom(at, searched) ? [at] : [],
    );
    const privative = denying.find((at) => this.#takesAway(at, safeguard, words));
    const others = denying.filter((at) => !this.#isPrivative(words[at]?.form ?? ""));
    if (privative === undefined) return others.filter((at) => this.#reaches(at, safeguard, searched));
    // "Not without a reminder" means with one.
    const isTwice = others.some((at) => this.#isOpen(at, privative, words, (form) => this.#joins(form, language)));
    return isTwice ? [] : [privative];
  }

  /** Returns whether a negator belongs to an idiom that negates nothing: "no matter", "without delay". */
  #isIdiom(at: number, searched: Searched): boolean {
    return overlaps(searched.places(this.#idioms), { from: at, to: at });
  }

  #takesAway(at: number, { from }: Stretch, words: readonly Word[]): boolean {
    if (!this.#isPrivative(words[at]?.form ?? "")) return false;
    return at < from && from - at <= privativeReach && this.#isOpen(at, from, words, this.#limits);
  }

  /** Returns whether a negation other than a privative governs a stretch of its clause. */
  #reaches(at: number, { from, to }: Stretch, searched: Searched): boolean {
    const { words, language } = searched.sentence;
    const bars = (form: string) => this.#limits(form) || this.#joins(form, language);
    if (!this.#isOpen(at, at < from ? from : to, words, bars)) return false;
    const far = at < from ? from - at : at - to;
    if (language !== "en") return far <= verbReach;
    const clause = words[at]?.clause;
    const isSupposed = searched.places(this.#conditions).some((one) => one.to < at && words[one.to]?.clause === clause);
    return far <= (at > to || isSupposed ? shortReach : verbReach);
  }

  /** Returns whether no word between two places blocks the negation. */
  #isOpen(one: number, other: number, words: readonly Word[], bars: (form: string) => boolean): boolean {
    const between = words.slice(Math.min(one, other) + 1, Math.max(one, other));
    return !between.some(({ form }) => bars(form));
  }
}

/** Creates the safeguards from the lexicon's lists. `negates` recognises a negator. */
export const createSafeguards = (
  lists: SafeguardLists,
  vocabulary: Vocabulary,
  negates: LexiconSafeguards["negates"],
): Safeguards => new LexiconSafeguards(lists, vocabulary, negates);
