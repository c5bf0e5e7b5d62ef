import { isStopWord } from "../../knowledge/language/function-words.ts";
import { searchLanguages } from "../../knowledge/language/languages.ts";
import { once } from "../../platform/once.ts";
import { codesByName } from "../../registry/countries.ts";
import { type Match, wordsOf } from "./phrases.ts";

/** Finds all countries of the world in a question, by the names that the registry has in five languages. */

/** Inflectional endings of country names and adjectives in Czech, Slovak, Polish, German and English. */
const endings =
  /^(?:iami|iach|iou|ami|emi|ymi|eho|emu|ens|ach|ech|ich|ych|ove|ie|ii|ia|iu|io|em|om|ou|im|am|um|ym|ej|en|er|es|as|os|a|e|i|o|u|y|s)$/;

/** Returns a word without its ending, if at least `least` letters remain. */
function stemOf(word: string, least: number): string {
  for (let cut = Math.max(0, word.length - 4); cut < word.length; cut++) {
    if (cut >= least && endings.test(word.slice(cut))) return word.slice(0, cut);
  }
  return word;
}

const shortestName = 4;
const leastOf = (words: number): number => (words > 1 ? 3 : shortestName);
const stemsOf = (words: readonly string[]): string =>
  words.map((word) => stemOf(word, leastOf(words.length))).join(" ");

const firstOf = (name: string): string => name.split(" ")[0] ?? "";

/**
 * Codes by name and by stemmed name (`null` if two countries share the stem), and the words that any of them starts
 * with.
 */
const index = once(() => {
  const [names, stems] = [new Map<string, string>(), new Map<string, string | null>()];
  for (const [name, code] of codesByName()) {
    const words = wordsOf(name);
    if (code.length !== 2 || code === "EU" || words.join("").length < shortestName) continue;
    names.set(words.join(" "), code);
    const stem = stemsOf(words);
    const other = stems.get(stem);
    stems.set(stem, other === undefined || other === code ? code : null);
  }
  return {
    names,
    stems,
    beginnings: new Set([...names.keys(), ...stems.keys()].map(firstOf)),
    longest: Math.max(...[...names.keys()].map((name) => name.split(" ").length)),
  };
});

/** Names that are also ordinary words in some language, and short stems: they count only when capitalised. */
const alsoWords = new Set(["island", "reunion", "jersey", "cile", "komora"]);
const surelyAName = 5;
const needsCapital = (words: readonly string[], isStem: boolean): boolean =>
  words.every((word) => alsoWords.has(word) || searchLanguages.some((language) => isStopWord(word, language))) ||
  (isStem && stemsOf(words).length < surelyAName);

/**
 * Returns the countries that a question names, by ISO 3166-1 alpha-2 code. `words` are folded, `written` are the same
 * words as written. The longest names match first; a word belongs to only one match.
 */
export function countriesIn(words: readonly string[], written: readonly string[]): Match[] {
  const { names, stems, beginnings, longest } = index();
  const found: Match[] = [];
  const taken = new Set<number>();
  const begins = (word: string, count: number): boolean =>
    beginnings.has(word) || beginnings.has(stemOf(word, leastOf(count)));
  for (let count = Math.min(longest, words.length); count > 0; count--)
    for (let at = 0; at + count <= words.length; at++) {
      if (!begins(words[at] ?? "", count)) continue;
      const places = Array.from({ length: count }, (_, i) => at + i);
      if (places.some((place) => taken.has(place))) continue;
      const name = words.slice(at, at + count);
      const exact = names.get(name.join(" "));
      const code = exact ?? stems.get(stemsOf(name));
      if (!code || (needsCapital(name, exact === undefined) && !/^\p{Lu}/u.test(written[at] ?? ""))) continue;
      for (const place of places) taken.add(place);
      found.push({ entry: code, at, words: count });
    }
  return found;
}
