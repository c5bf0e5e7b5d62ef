import { detectInMarket } from "../../knowledge/language/detect.ts";
import { once } from "../../platform/once.ts";
import { fold } from "../../platform/text.ts";
import { phrases } from "../documents/phrase-book.ts";
import { documentWords } from "../documents/voice.ts";
import { type ArchitectLanguage, languages, taxonomy, texts } from "./taxonomy.ts";

/**
 * The language of goals and constraints. A goal is often four words without an accent, such as "Test a price": function
 * words say little of it, and the words of the product's own texts, which are there in each language, say more.
 */

const wordsIn = (text: string): string[] => fold(text).match(/\p{L}{2,}/gu) ?? [];

/** Every text that the product has in this language. */
const textsIn = (language: ArchitectLanguage): string[] => [
  ...Object.values(texts).map((text) => text[language]),
  ...Object.values(taxonomy.needs).map(({ titles }) => titles[language]),
  ...[...phrases.sentences, ...phrases.terms].map((phrase) => phrase[language]),
  ...Object.values(documentWords[language]),
];

/** The folded words of the product's texts, with the languages that have them. Made at the first intake, not at the start. */
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

/** So much speaks for a language: a word that several have speaks the less for each of them. */
function evidenceFor(language: ArchitectLanguage, words: readonly string[]): number {
  return words.reduce((sum, word) => {
    const known = lexicon().get(word) ?? [];
    return known.includes(language) ? sum + 1 / known.length : sum;
  }, 0);
}

/** The language of a text of a firm of this country, which decides where Czech and Slovak are alike; English otherwise. */
export function languageIn(text: string, country: string): ArchitectLanguage {
  const detected = detectInMarket(text, country.trim());
  const found = languages.find((language) => language === detected) ?? "en";
  // Accents decide better than any list of words.
  if (/\P{ASCII}/u.test(text)) return found;
  const words = wordsIn(text);
  const scores = languages.map((language) => evidenceFor(language, words));
  const best = Math.max(...scores);
  const likely = languages.filter((_, i) => scores[i] === best);
  return best === 0 || likely.includes(found) ? found : (likely[0] ?? found);
}
