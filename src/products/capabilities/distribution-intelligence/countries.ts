import { once } from "../../../platform/once.ts";
import codesText from "../../datasets/country-codes.tsv" with { type: "text" };
import { wordsOf } from "../../datasets/phrases.ts";
import { countryName } from "../../datasets/places.ts";

/** Languages whose names of countries a question may use. */
const languages = ["en", "cs", "sk", "de", "pl", "hu", "fr"];

/** A name in the forms that it is declined to: a long word by its beginning. */
const declined = (name: string): string =>
  wordsOf(name)
    .map((word) => (word.length < 7 ? word : `${word.slice(0, -1)}*`))
    .join(" ");

/** The plain names of all countries, as lines that `Phrases` reads. Adjectives and peoples are in `place-words.tsv`. */
export const countryLines = once(() =>
  codesText
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.slice(0, 2))
    .map((code) => `${code}\t${languages.map((language) => declined(countryName(code, language))).join("|")}`),
);
