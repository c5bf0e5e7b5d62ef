import type { Language } from "../../../knowledge/language/languages.ts";
import { overlaps, placesOf } from "./guards.ts";
import type { Word } from "./reading.ts";
import { inList, type Searched, type Stretch, type Term, type Vocabulary } from "./vocabulary.ts";

/** Whether words that show that a rule is kept do show it. */
export interface Safeguards {
  /**
   * Whether a term is in a sentence and stands. It does not where it is denied ("without a reminder", "upomínku nikdo
   * neposílá"), nor as what is threatened after the deed ("leave it out, otherwise they refuse you"). `match` is the
   * wording that it would excuse: what is negative in that denies the deed and not the safeguard.
   */
  stand(term: Term, searched: Searched, match: readonly Stretch[]): boolean;
  /** The places of the negators that deny a term: they do not deny the rest of the sentence. */
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

/** How many words after a privative what it takes away may stand. */
const privativeReach = 4;
/** How far another negation reaches, in words. */
const verbReach = 6;
/** How far an English one reaches back ("a reminder is not sent"), and where it is supposed ("if you do not pay"). */
const shortReach = 2;

/** Names a deed that is left undone and denies nothing: "pro neplacení", "nezaplacením". */
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
    // "Cannot promise", "only after": what shows that the rule is kept is negative itself, or limits.
    const own = words.slice(safeguard.from, safeguard.to + 1);
    if (own.some((word) => isNegator(word) || this.#limits(word.form))) return [];
    // What is negative in the wording denies the deed.
    const inside = new Set(placesOf(match));
    const denying = words.flatMap((word, at) =>
      word.clause === clause && !inside.has(at) && isNegator(word) && !this.#isIdiom(at, searched) ? [at] : [],
    );
    const privative = denying.find((at) => this.#takesAway(at, safeguard, words));
    const others = denying.filter((at) => !this.#isPrivative(words[at]?.form ?? ""));
    if (privative === undefined) return others.filter((at) => this.#reaches(at, safeguard, searched));
    // "Not without a reminder" is with one.
    const isTwice = others.some((at) => this.#isOpen(at, privative, words, (form) => this.#joins(form, language)));
    return isTwice ? [] : [privative];
  }

  /** "No matter", "without delay" take nothing away. */
  #isIdiom(at: number, searched: Searched): boolean {
    return overlaps(searched.places(this.#idioms), { from: at, to: at });
  }

  #takesAway(at: number, { from }: Stretch, words: readonly Word[]): boolean {
    if (!this.#isPrivative(words[at]?.form ?? "")) return false;
    return at < from && from - at <= privativeReach && this.#isOpen(at, from, words, this.#limits);
  }

  /** Whether a negation at a place, other than a privative, governs a stretch of its clause. */
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

  /** Whether nothing between two places bars the way. */
  #isOpen(one: number, other: number, words: readonly Word[], bars: (form: string) => boolean): boolean {
    const between = words.slice(Math.min(one, other) + 1, Math.max(one, other));
    return !between.some(({ form }) => bars(form));
  }
}

/** Makes the safeguards from the lexicon's lists. The reader calls it. `negates` recognises a negator. */
export const createSafeguards = (
  lists: SafeguardLists,
  vocabulary: Vocabulary,
  negates: LexiconSafeguards["negates"],
): Safeguards => new LexiconSafeguards(lists, vocabulary, negates);
