import { isStopWord } from "../../knowledge/language/function-words.ts";
import { fold } from "../../platform/text.ts";
import { type Language, matchAt, type Structure, structures, type Token, type WordLists, wordLists } from "./words.ts";

/** A tokenised text about people, in one language. Unlike in a hypothesis, `18-24` is two tokens. */
export interface Description {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly language: Language;
  readonly lists: WordLists;
  readonly structure: Structure;
}

const wordForm = /\d+|\p{L}+(?:['’.-]\p{L}+)*/gu;

/** Tokenises a text in a language and attaches that language's word lists. */
export function descriptionOf(given: string, language: Language): Description {
  const text = given.normalize("NFC");
  const tokens = [...text.matchAll(wordForm)].map(({ 0: word, index }) => ({
    word: fold(word).replaceAll("’", "'"),
    start: index,
    end: index + word.length,
  }));
  return { text, tokens, language, lists: wordLists[language], structure: structures[language] };
}

/** Returns the characters between a token and the one before it. */
export const gapAt = ({ text, tokens }: Description, at: number): string =>
  text.slice(tokens[at - 1]?.end ?? 0, tokens[at]?.start ?? text.length);

/** Whether a token is a function word. */
export const isFunctionWord = ({ tokens, structure, language }: Description, at: number): boolean =>
  isStopWord(tokens[at]?.word ?? "", language) ||
  [
    structure.prepositions,
    structure.determiners,
    structure.auxiliaries,
    structure.joins,
    structure.pronouns,
    structure.relatives,
  ].some((list) => matchAt(tokens, at, list) > 0);

const peopleOf = ({ people, anyone, sex, status, target }: WordLists): readonly (readonly string[])[] => [
  people,
  anyone,
  ...[sex, status, target].flatMap((lists) => Object.values(lists)),
];

/** All word lists for people, by language. */
const peopleLists: Readonly<Record<Language, readonly (readonly string[])[]>> = {
  en: peopleOf(wordLists.en),
  cs: peopleOf(wordLists.cs),
  sk: peopleOf(wordLists.sk),
  de: peopleOf(wordLists.de),
};

/** Whether a token is a word for people of any kind. */
export const isPeople = ({ tokens, language }: Description, at: number): boolean =>
  peopleLists[language].some((list) => matchAt(tokens, at, list) > 0);

/** Whether the phrase at a token is negated: `without children`, `not retired`. */
export function isDenied(description: Description, at: number): boolean {
  const { tokens, lists } = description;
  for (let word = at; word > 0 && at - word < 2 && gapAt(description, word).trim() === ""; word--)
    if (matchAt(tokens, word - 1, lists.excepts) > 0) return true;
  return false;
}

const longestEntry = 4;

/** Returns the length of the list entry that ends just before a token; 0 if none does. */
export function matchBefore({ tokens }: Description, at: number, list: readonly string[]): number {
  for (let length = Math.min(at, longestEntry); length > 0; length--)
    if (matchAt(tokens.slice(at - length, at), 0, list) === length) return length;
  return 0;
}
