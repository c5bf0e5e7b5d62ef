import { once } from "../../platform/once.ts";
import { fold } from "../../platform/text.ts";
import foreignTable from "./data/foreign-words.tsv" with { type: "text" };
import { isFunctionWord, isStopWord } from "./function-words.ts";
import {
  checkedLanguages,
  type Language,
  type SearchLanguage,
  searchLanguageOf,
  searchLanguages,
} from "./languages.ts";
import { foldedWords, readTable } from "./word-table.ts";

/**
 * A single language detector: it counts function words, letters and words that few languages share, and the language
 * with the highest score wins. On short Czech and Slovak questions, with and without accents, it is right more often
 * than tinyld 1.3.4 and franc 6.2.0, and several times as fast; on statutes in Slovak and Polish, those are better.
 */

/** Number of characters examined, which bounds the cost. */
const decisive = 4_000;

/** Up to this many words without a clue may be a name or an amount, which belong to no language. */
export const fewWords = 3;

/** Evidence for languages: each match of the pattern adds these weights. */
interface Clue<L extends string> {
  readonly pattern: RegExp;
  readonly weights: Partial<Record<L, number>>;
  /** Whether the folded text is searched, without accents and capitals. */
  readonly folded?: true;
}

/** The languages to choose from, and the evidence for each. */
export interface Profile<L extends string> {
  readonly languages: readonly L[];
  readonly isFunctionWord: (folded: string, language: L) => boolean;
  readonly clues: readonly Clue<L>[];
}

/** For claims and their sources: Czech, Slovak and English. */
const checked: Profile<Language> = {
  languages: checkedLanguages,
  isFunctionWord,
  clues: [
    {
      pattern: /[ěřů]|(?:^|[^\p{L}])(?:jsou|není|který|které|která|že|pojištění|při|se|nebo|když|dnů)(?=$|[^\p{L}])/giu,
      weights: { cs: 1.5 },
    },
    {
      pattern:
        /[ľĺŕôä]|(?<=\p{L}{2})(?:[aiu]ť|[ao]sť)(?!\p{L})|(?:^|[^\p{L}])(?:sú|nie|ktorý|ktoré|ktorá|poistenie|pri|sa|alebo|keď|treba|iba|aj|ako|dní)(?=$|[^\p{L}])/giu,
      weights: { sk: 1.5 },
    },
    { pattern: /[áčďéěíňóřšťúůýžľĺŕôä]/giu, weights: { cs: 0.5, sk: 0.5 } },
  ],
};

/** For questions and documents: the six languages of the search. */
export const searched: Profile<SearchLanguage> = {
  languages: searchLanguages,
  isFunctionWord: isStopWord,
  clues: [
    { pattern: /[ěřů]/giu, weights: { cs: 2 } },
    { pattern: /[ľĺŕ]/giu, weights: { sk: 2 } },
    { pattern: /ä/giu, weights: { sk: 0.4, de: 1 } },
    { pattern: /[öüß]/giu, weights: { de: 1.5 } },
    { pattern: /[ąęłśźżń]/giu, weights: { pl: 1.5 } },
    { pattern: /[ôâêîûàèùçœ]/giu, weights: { fr: 1.2, sk: 0.1 } },
    { pattern: /[čšžďťňáíúýé]/giu, weights: { cs: 0.4, sk: 0.4 } },
    { pattern: /é/giu, weights: { fr: 0.4 } },
    { pattern: /ó/giu, weights: { pl: 0.6, sk: 0.4, cs: 0.1 } },
    {
      pattern:
        /(?<!\p{L})(?:není|který|která|které|že|pojištění|pojistné|při|se|nebo|když|dnů|kdy|jsou|kolik)(?!\p{L})/giu,
      weights: { cs: 1.5 },
    },
    {
      pattern:
        /(?<!\p{L})(?:sú|nie|ktorý|ktorá|ktoré|poistenie|poistné|pri|sa|alebo|keď|aj|ako|dní|kedy|koľko)(?!\p{L})/giu,
      weights: { sk: 1.5 },
    },
    // Insurance words that only one of the six languages has. They decide short questions such as "Kasko Ausland".
    {
      pattern:
        /(?<!\p{L})(?:\p{L}*versicherung\p{L}*|\p{L}*schaden\p{L}*|haftpflicht\p{L}*|selbstbeteiligung|ausland|kundig\p{L}*)/gu,
      weights: { de: 1 },
      folded: true,
    },
    { pattern: /(?<!\p{L})(?:pojist|skod|vypove|smlouv)/gu, weights: { cs: 1 }, folded: true },
    { pattern: /(?<!\p{L})(?:poist|zmluv|vypoved|skod)/gu, weights: { sk: 1 }, folded: true },
    { pattern: /(?<!\p{L})(?:ubezpiecz|szkod|umow|skladk|wypowiedz)/gu, weights: { pl: 1 }, folded: true },
    { pattern: /(?<!\p{L})(?:insur|claim|polic(?:y|ies)|cover|premium)/gu, weights: { en: 1 }, folded: true },
    { pattern: /(?<!\p{L})(?:assur|sinistr|garanti|franchise|resiliation|prime)/gu, weights: { fr: 1 }, folded: true },
  ],
};

export interface Counted<L extends string> {
  readonly scores: ReadonlyMap<L, number>;
  readonly words: number;
}

/** Returns the score of each language of a profile in the beginning of a text, and its number of words. */
export function count<L extends string>(text: string, { languages, isFunctionWord, clues }: Profile<L>): Counted<L> {
  const head = text.slice(0, decisive).normalize("NFC");
  const folded = fold(head);
  const words = folded.match(/\p{L}+/gu) ?? [];
  const scores = new Map<L, number>();
  const add = (language: L, weight: number) => scores.set(language, (scores.get(language) ?? 0) + weight);
  // Too many languages share one-letter words for them to say much.
  for (const word of words)
    for (const language of languages) if (isFunctionWord(word, language)) add(language, word.length > 1 ? 1 : 0.25);
  for (const clue of clues) {
    const found = (clue.folded ? folded : head).match(clue.pattern)?.length ?? 0;
    if (found > 0) for (const language of languages) add(language, found * (clue.weights[language] ?? 0));
  }
  return { scores, words: words.length };
}

/** Returns the language with the highest score, on a tie the first in `preferred`; null if nothing was found. */
export function winner<L extends string>({ scores }: Counted<L>, preferred: readonly L[]): L | null {
  const best = Math.max(0, ...scores.values());
  return best === 0 ? null : (preferred.find((language) => scores.get(language) === best) ?? null);
}

/**
 * Returns the language of a claim, an answer or a source: Czech, Slovak or English. `otherwise` is for a few words of
 * no language, such as a name or an amount; a whole sentence of them is foreign, and is treated as English.
 */
export function detectLanguage(text: string, otherwise: Language = "en"): Language {
  const counted = count(text, checked);
  const found = winner(counted, otherwise === "sk" ? ["en", "sk", "cs"] : ["en", "cs", "sk"]);
  return found ?? (counted.words <= fewWords ? otherwise : "en");
}

/** Returns the language of a question among the six of the search; `otherwise` if nothing decides. */
export const detectSearchLanguage = (text: string, otherwise: SearchLanguage = "en"): SearchLanguage =>
  winner(count(text, searched), [otherwise, ...searchLanguages]) ?? otherwise;

const onlyCzech = /[ěřů]/iu;
const onlySlovak = /[ľĺŕôä]/iu;

/**
 * Returns the language of a question about a country's insurance. Short Czech and Slovak questions share most of their
 * words, so the country decides between the two. Used by the assistant.
 */
export function detectInMarket(question: string, country: string): SearchLanguage {
  const market = country.toUpperCase();
  const found = detectSearchLanguage(question, searchLanguageOf(country) ?? "en");
  if (market === "SK" && found === "cs" && !onlyCzech.test(question)) return "sk";
  return market === "CZ" && found === "sk" && !onlySlovak.test(question) ? "cs" : found;
}

/** Number of characters of a document that are searched for letters of other languages. */
const searchedForLetters = 20_000;
/** Letters that none of the six languages has: a text with many of them is in another language. */
const otherLetters = /[őűășțøåñãõđ]|[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/giu;
const otherLettersAtMost = 0.01;

/** Returns the language of a document, ISO 639-1; null if it is none of the six, or if two are equally likely. */
export function languageOf(text: string): string | null {
  const head = text.slice(0, searchedForLetters);
  const counted = count(head, searched);
  // If two orders of preference give different languages, neither stands out.
  const found = winner(counted, ["en", ...searchLanguages]);
  if (found !== winner(counted, ["cs", ...searchLanguages])) return null;
  const others = head.match(otherLetters)?.length ?? 0;
  return others <= head.length * otherLettersAtMost ? found : null;
}

/** Frequent words of neighbouring languages, folded, without those that Czech, Slovak or English share. */
const foreignWords = once(
  () => new Set(readTable(foreignTable, ["language", "word"]).flatMap(({ word }) => foldedWords(word))),
);
const foreignLetters = /\p{L}*[ąęłńśźżßüàèìòùêîûñåæøőű]\p{L}*/giu;
const fewestWords = 6;

/** Checks whether a text is long enough to decide, and in none of Czech, Slovak and English. Used by the rule check. */
export function isForeign(text: string): boolean {
  const head = text.slice(0, decisive);
  const words = fold(head).match(/\p{L}{2,}/gu) ?? [];
  if (words.length < fewestWords) return false;
  if (words.filter((word) => !/^\p{Script=Latin}+$/u.test(word)).length > words.length / 2) return true;
  const known = checkedLanguages.map((language) => words.filter((word) => isFunctionWord(word, language)).length);
  const marked = head.match(foreignLetters)?.length ?? 0;
  const foreign = marked + words.filter((word) => foreignWords().has(word)).length;
  return foreign > Math.max(...known) && foreign / words.length > 0.1;
}

const isRead = (found: SearchLanguage | null): boolean => checkedLanguages.some((language) => language === found);
const readFirst = [...checkedLanguages, ...searchLanguages];
const readLast = [...searchLanguages.filter((language) => !isRead(language)), ...checkedLanguages];

/** Checks whether a text is plainly in a language other than Czech, Slovak and English. A tie does not count. */
function isOther(text: string): boolean {
  const found = winner(count(text, searched), readFirst);
  return isForeign(text) || (found !== null && !isRead(found));
}

/**
 * Checks whether an answer may not be in Czech, Slovak or English: one line in another language is enough, and so are a
 * few words of no language. A single word is taken to be in the question's language. The rule check calls it before it
 * passes an answer without findings.
 */
export function mayBeForeign(text: string, question: string): boolean {
  if (isForeign(text)) return true;
  const words = fold(text.slice(0, decisive)).match(/\p{L}{2,}/gu) ?? [];
  if (words.some((word) => !/^\p{Script=Latin}+$/u.test(word))) return true;
  if (words.length < 2) return words.length === 1 && isOther(question);
  // On a tie, the language that is not read counts.
  const isTie = !isRead(winner(count(text, searched), readLast));
  return isTie || words.filter((word) => foreignWords().has(word)).length > words.length / 4;
}
