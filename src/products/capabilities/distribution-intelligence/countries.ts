import { once } from "../../../platform/once.ts";
import codesText from "../../datasets/country-codes.tsv" with { type: "text" };
import { wordsOf } from "../../datasets/phrases.ts";
import { countryName } from "../../datasets/places.ts";

/** Languages in which a question may name countries. */
const languages = ["en", "cs", "sk", "de", "pl", "hu", "fr"];

/** Returns a pattern for the inflected forms of a name: a long word is matched by its prefix. */
const declined = (name: string): string =>
  wordsOf(name)
    .map((word) => (word.length < 7 ? word : `${word.slice(0, -1)}*`))
    .join(" ");

/** The plain names of all countries, as lines for `Phrases`. Adjectives and peoples are in `place-words.tsv`. */
export const countryLines = once(() =>
  codesText
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.slice(0, 2))
    .map((code) => `${code}\t${languages.map((language) => declined(countryName(code, language))).join("|")}`),
);
