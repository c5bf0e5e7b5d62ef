import { Phrases, phrasesByFirst, wordsOf } from "../../datasets/phrases.ts";
import type { AnswerLanguage } from "../../datasets/question-language.ts";
import askedUnitsText from "./asked-units.tsv" with { type: "text" };
import conceptsText from "./concepts.tsv" with { type: "text" };
import regionsText from "./regions.tsv" with { type: "text" };
import topicsText from "./topics.tsv" with { type: "text" };
import unitsText from "./units.tsv" with { type: "text" };

/** The languages of answers, and the names of concepts, units, topics and regions in them. */

export type Topic = Readonly<Record<AnswerLanguage, string>>;

const linesOf = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));

const namesOf = (text: string): Topic[] =>
  linesOf(text).map(([en = "", cs = "", sk = "", de = ""]) => ({ en, cs, sk, de }));

/** Returns phrases by the first name of what they stand for. They are in the last column. */
export const phrasesOf = (text: string): Phrases => new Phrases(phrasesByFirst(text));

/** Subjects that are never held, by their names. */
export const topics: readonly Topic[] = namesOf(topicsText);

/** Parts of countries, by their names. */
export const regions: readonly Topic[] = namesOf(regionsText);

const titles = new Map<string, Topic>(
  linesOf(conceptsText).map(([concept = "", en = "", cs = "", sk = "", de = ""]) => [concept, { en, cs, sk, de }]),
);

/** The concepts, in the order in which an overview shows them. */
export const concepts: readonly string[] = [...titles.keys()];

/** Returns the title of a concept. For a code of an imported table, it is the code. */
export const titleOf = (concept: string, language: AnswerLanguage): string =>
  titles.get(concept)?.[language] ?? concept;

const units = new Map<string, Topic>(
  linesOf(unitsText).map(([en = "", cs = "", sk = "", de = ""]) => [en, { en, cs, sk, de }]),
);

/** Returns a unit in a language, or unchanged if it has no translation. */
export const unitIn = (unit: string, language: AnswerLanguage): string => units.get(unit)?.[language] ?? unit;

/** Units and prices that a question may ask for. */
export const askedUnits: readonly Topic[] = namesOf(askedUnitsText);
export const unitPhrases: Phrases = phrasesOf(askedUnitsText);

/** Returns the units that a figure's unit names: "USD, current prices" names one. */
export function unitsOf(unit: string): Topic[] {
  const named = new Set(unitPhrases.in(wordsOf(unit)).map(({ entry }) => entry));
  return askedUnits.filter(({ en }) => named.has(en));
}
