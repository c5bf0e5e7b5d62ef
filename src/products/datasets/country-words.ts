import { isStopWord } from "../../knowledge/language/function-words.ts";
import { searchLanguages } from "../../knowledge/language/languages.ts";
import { once } from "../../platform/once.ts";
import { codesByName } from "../../registry/countries.ts";
import { type Match, wordsOf } from "./phrases.ts";

/** All countries of the world in the words of a question, by the names that the registry knows in five languages. */

/** What names and adjectives of countries end with: Czech, Slovak and Polish cases, and the German and English ones. */
const endings =
  /^(?:iami|iach|iou|ami|emi|ymi|eho|emu|ens|ach|ech|ich|ych|ove|ie|ii|ia|iu|io|em|om|ou|im|am|um|ym|ej|en|er|es|as|os|a|e|i|o|u|y|s)$/;

/** A word without its ending, where at least so many letters are left. */
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
 * Codes by names, and by what is left of them without endings; what two countries share stands for neither. And the words
 * that any of them begins with.
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

/** Names that are ordinary words too, in one language or another, and short stems: they count with a capital alone. */
const alsoWords = new Set(["island", "reunion", "jersey", "cile", "komora"]);
const surelyAName = 5;
const needsCapital = (words: readonly string[], isStem: boolean): boolean =>
  words.every((word) => alsoWords.has(word) || searchLanguages.some((language) => isStopWord(word, language))) ||
  (isStem && stemsOf(words).length < surelyAName);

/**
 * The countries that a question names, by ISO 3166-1 alpha-2 code: `words` folded, `written` the same as they stand. The
 * longest names come first; a word belongs to one of them.
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
