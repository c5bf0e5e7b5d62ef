import { isStopWord } from "../../../knowledge/language/function-words.ts";
import { type SearchLanguage, searchLanguages } from "../../../knowledge/language/languages.ts";
import { once } from "../../../platform/once.ts";
import { servesCountry } from "../../../registry/countries.ts";
import { countriesIn } from "../../datasets/country-words.ts";
import { longestOf, Phrases, wordsOf } from "../../datasets/phrases.ts";
import placesText from "../../datasets/place-words.tsv" with { type: "text" };
import { competencyModel, matchesWord } from "./model.ts";

/** Which country's law applies to a role, by what its title and goal name. */

const { authorities, eea, language_words, requirements } = competencyModel;

/** Countries with their parts and towns, and the authorities that only one country has. */
const places = once(
  () =>
    new Phrases(
      [placesText, ...Object.entries(authorities).map(([code, names]) => `${code}\t${names.join("|")}`)].join("\n"),
    ),
);

/** The country of most people who write a language. English is written everywhere. */
const usual: Readonly<Partial<Record<SearchLanguage, string>>> = { cs: "CZ", sk: "SK", de: "DE", pl: "PL" };

/** Matches languages as nouns and adverbs: `angličtina`, `německy`, `Deutsch`, `Polnisch`, `English`. */
const languageForm = /^(?:deutsch|english)$|isch$|(?:[cs]tin|cin)(?:a|y|e|i|u|o|ou)?$|(?:kenntnis|sprach|sprech)/;
/** Matches an adverb, in a text with accents: the adjective ends with `ý`. */
const adverb = /[cs]ky$/;
const accented = /[áčďéěíňóřšťúůýžľĺŕô]/iu;
/** Returns whether a word is an abbreviation: `SR` and `UK` in capitals, `čr` with its accent. */
const isAbbreviation = (written: string): boolean => /^\p{Lu}+$/u.test(written) || accented.test(written);

/** Names of countries and peoples that are other English words in lower case. */
const alsoWords = new Set(["polish", "poles", "turkey"]);

/** Returns the countries that a text names, by ISO 3166-1 alpha-2, in text order. A language is no country. */
function countriesNamed(text: string): string[] {
  // Marks are kept as words, so that words in different parts of a sentence are not adjacent.
  const written = text.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+|[.,;:!?()]/gu) ?? [];
  const words = written.map((one) => wordsOf(one).join("") || one);
  const languages = new Set<number>();
  const besideLanguage = (at: number): boolean =>
    [words[at - 1], words[at + 1]].some((word) => word && language_words.some((one) => matchesWord(word, one)));
  const isLanguage = (at: number): boolean => {
    const [word = "", form = ""] = [words[at], written[at]];
    const isOne =
      languageForm.test(word) ||
      (adverb.test(form) && accented.test(text)) ||
      besideLanguage(at) ||
      // "English and German".
      (languages.has(at - 2) && searchLanguages.some((language) => isStopWord(words[at - 1] ?? "", language)));
    if (isOne) languages.add(at);
    return isOne;
  };
  const named = longestOf(places().in(words), countriesIn(words, written)).filter(({ at, words: count }) => {
    const form = written[at] ?? "";
    if (count > 1) return true;
    return !isLanguage(at) && (form.length > 3 || isAbbreviation(form)) && !alsoWords.has(form);
  });
  return [...new Set(named.map(({ entry }) => entry.slice(0, 2)).filter((code) => code !== "EU"))];
}

const isInEea = (code: string): boolean => servesCountry(code, ["EU"]) || eea.includes(code);

/** Returns whether the model has the law of a country. */
export const isLawHeld = (code: string): boolean => Object.hasOwn(requirements, code);

/**
 * Returns the countries that the text names, those whose law is held first; if it names none, the one that its language
 * suggests. The EU's law comes before them, unless none of them is under it.
 */
export function countriesOf(text: string, language: SearchLanguage): string[] {
  const found = countriesNamed(text);
  const named = [...Object.keys(requirements).filter((code) => found.includes(code)), ...found];
  const assumed = usual[language];
  if (named.length === 0) return ["EU", ...(assumed === undefined ? [] : [assumed])];
  return [...new Set([...(named.some(isInEea) ? ["EU"] : []), ...named])];
}
