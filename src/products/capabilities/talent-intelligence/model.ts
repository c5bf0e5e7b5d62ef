import { ByFirstWord } from "../../../platform/first-word.ts";
import { fold } from "../../../platform/text.ts";
import model from "./model.yaml" with { type: "yaml" };
import cs from "./texts/cs.yaml" with { type: "yaml" };
import de from "./texts/de.yaml" with { type: "yaml" };
import en from "./texts/en.yaml" with { type: "yaml" };
import sk from "./texts/sk.yaml" with { type: "yaml" };

/** The competency model from `model.yaml`, and its texts in four languages. A test checks that they match. */

export type Reliability = "A" | "B" | "C" | "D";
export type TalentLanguage = "en" | "cs" | "sk" | "de";

interface Family {
  readonly words: readonly string[];
  readonly weights: Readonly<Record<string, number>>;
}

interface Model {
  readonly families: Readonly<Record<string, Family>>;
  readonly outside: readonly string[];
  readonly ambiguous: readonly string[];
  readonly dimensions: Readonly<Record<string, readonly string[]>>;
  readonly requirements: Readonly<
    Record<
      string,
      readonly { readonly key: string; readonly citation: string; readonly status: "read" | "unverified" }[]
    >
  >;
  readonly authorities: Readonly<Record<string, readonly string[]>>;
  readonly eea: readonly string[];
  readonly language_words: readonly string[];
  readonly evidence: Readonly<Record<string, readonly string[]>>;
  readonly reliability: Readonly<Record<string, Reliability>>;
}

interface DimensionTexts {
  readonly title: string;
  readonly behaviours: readonly string[];
  readonly questions: readonly {
    readonly question: string;
    readonly anchors: { readonly 1: string; readonly 3: string; readonly 5: string };
  }[];
  readonly red_flag: string;
}

export interface Texts {
  readonly families: Readonly<Record<string, string>>;
  readonly evidence: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly unknown: string;
  readonly question: string;
  readonly outside: string;
  readonly work_sample: string;
  readonly limitations: readonly string[];
  readonly law_not_held: string;
  readonly eu_law_left_out: string;
  readonly dimensions: Readonly<Record<string, DimensionTexts>>;
  readonly requirements: Readonly<Record<string, string>>;
  readonly red_flags: Readonly<Record<string, { readonly warning: string; readonly wording: string }>>;
}

export const competencyModel = model as Model;
export const texts = { en, cs, sk, de } as Readonly<Record<TalentLanguage, Texts>>;

/** A word of a text, folded, and its offsets in UTF-16 code units. */
export interface Word {
  readonly form: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the words of a text, among which phrases of the model are searched. */
export const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/\p{N}+|\p{L}[\p{L}\p{M}\p{N}-]*/gu)].map((match) => ({
    form: fold(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));

/** Returns whether a folded word matches one of the model's, in full or by the prefix before the star. */
export const matchesWord = (form: string, wanted: string): boolean =>
  wanted.endsWith("*") ? form.startsWith(wanted.slice(0, -1)) : form === wanted;

/** Returns whether a phrase begins at a word. */
const isAt = (words: readonly Word[], at: number, phrase: readonly string[]): boolean =>
  phrase.every((word, k) => matchesWord(words[at + k]?.form ?? "", word));

/** Returns whether a text contains a phrase of the model. */
export function holds(words: readonly Word[], phrase: string): boolean {
  const wanted = phrase.split(" ");
  return words.some((_, at) => isAt(words, at, wanted));
}

/** Phrases of the model by their first words, for texts of many words. */
export type PhrasesByWord = ByFirstWord<readonly string[]>;

/** Indexes phrases as the model writes them. */
export const phrasesByWord = (phrases: readonly string[]): PhrasesByWord =>
  new ByFirstWord(phrases.map((phrase) => phrase.split(" ")).map((words) => [words[0] ?? "", words]));

/** Returns whether a text contains any of the phrases. */
export const holdsAny = (words: readonly Word[], phrases: PhrasesByWord): boolean =>
  words.some(({ form }, at) => phrases.of(form).some((phrase) => isAt(words, at, phrase)));
