import { detectInMarket } from "../../knowledge/language/detect.ts";
import { once } from "../../platform/once.ts";
import { fold } from "../../platform/text.ts";
import { phrases } from "../documents/phrase-book.ts";
import { documentWords } from "../documents/voice.ts";
import { type ArchitectLanguage, languages, taxonomy, texts } from "./taxonomy.ts";

/**
 * Detects the language of goals and constraints. A goal is often four words without an accent, such as "Test a price":
 * function words say little about it, but the vocabulary of the product's own texts, which exist in each language, says
 * more.
 */

const wordsIn = (text: string): string[] => fold(text).match(/\p{L}{2,}/gu) ?? [];

/** Returns all of the product's texts in a language. */
const textsIn = (language: ArchitectLanguage): string[] => [
  ...Object.values(texts).map((text) => text[language]),
  ...Object.values(taxonomy.needs).map(({ titles }) => titles[language]),
  ...[...phrases.sentences, ...phrases.terms].map((phrase) => phrase[language]),
  ...Object.values(documentWords[language]),
];

/**
 * Returns the folded words of the product's texts with their languages. Built at the first intake rather than at
 * start-up.
 */
const lexicon = once(() => {
  const known = new Map<string, ArchitectLanguage[]>();
  for (const language of languages)
    for (const word of new Set(wordsIn(textsIn(language).join("\n")))) {
      const having = known.get(word);
      if (having) having.push(language);
      else known.set(word, [language]);
    }
  return known;
});

/** Returns the evidence for a language: each word counts less the more languages share it. */
function evidenceFor(language: ArchitectLanguage, words: readonly string[]): number {
  return words.reduce((sum, word) => {
    const known = lexicon().get(word) ?? [];
    return known.includes(language) ? sum + 1 / known.length : sum;
  }, 0);
}

/**
 * Returns the language of a text: the firm's country decides between Czech and Slovak if it could be either; otherwise
 * English.
 */
export function languageIn(text: string, country: string): ArchitectLanguage {
  const detected = detectInMarket(text, country.trim());
  const found = languages.find((language) => language === detected) ?? "en";
  // Accents are more reliable than any word list.
  if (/\P{ASCII}/u.test(text)) return found;
  const words = wordsIn(text);
  const scores = languages.map((language) => evidenceFor(language, words));
  const best = Math.max(...scores);
  const likely = languages.filter((_, i) => scores[i] === best);
  return best === 0 || likely.includes(found) ? found : (likely[0] ?? found);
}
