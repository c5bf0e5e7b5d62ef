import { familyOf, type Language } from "../../../knowledge/language/languages.ts";
import { stem } from "../../../knowledge/language/stem.ts";
import { hashedPlace } from "../../../knowledge/learning/hashed.ts";
import type { Word } from "./reading.ts";

/** How many places features are hashed into; a power of two. */
export const places = 32_768;

/** Weights by place: how often and how strongly a text has each feature, of length one in all. */
export type Features = ReadonlyMap<number, number>;

/** How many words a negation marks after itself. */
const negationReach = 3;
const gramLength = 4;
const weightOfGram = 0.3;
const weightOfPair = 0.7;

/**
 * What the scorer sees of a stretch of text: stems, stems under a negation, pairs of neighbours, and the letters of each
 * word by fours, so that an unseen form still resembles a known one. `negates` recognises a negator.
 */
export function featuresOf(
  words: readonly Word[],
  language: Language,
  negates: (word: Word, language: Language) => boolean,
  isQuestion: boolean,
): Features {
  const found = new Map<number, number>();
  const family = familyOf(language);
  const add = (feature: string, weight: number) => {
    const place = hashedPlace(`${family} ${feature}`, places);
    found.set(place, Math.max(found.get(place) ?? 0, weight));
  };
  let negated = 0;
  let before = "";
  for (const word of words) {
    if (negates(word, language)) negated = negationReach;
    const key = word.value === null ? stem(word.form, language) : "#";
    add(key, 1);
    if (negated > 0) add(`not ${key}`, 1);
    negated -= 1;
    if (before !== "") add(`${before} ${key}`, weightOfPair);
    before = key;
    const framed = `^${word.form.slice(0, 40)}$`;
    for (let at = 0; at + gramLength <= framed.length; at += 1)
      add(`=${framed.slice(at, at + gramLength)}`, weightOfGram);
  }
  if (isQuestion) add("?", 1);
  return scaled(found);
}

/** To length one. */
export function scaled(found: ReadonlyMap<number, number>): Features {
  const length = Math.sqrt([...found.values()].reduce((sum, weight) => sum + weight * weight, 0)) || 1;
  return new Map([...found].map(([place, weight]) => [place, weight / length]));
}

/** A stretch of an answer, and the question that it answers. */
export interface Exchange {
  readonly features: Features;
  readonly asked: Features;
}

/** How much the question counts beside the answer, when the rule is chosen and when a breach is recognised. */
const weightOfQuestion = { rule: 0.5, breach: 0.25 };

/** The features that a breach is recognised by or its rule is chosen by: the answer's, and the question's for less. */
export function joinedFeatures({ features, asked }: Exchange, what: keyof typeof weightOfQuestion): Features {
  const joined = new Map(features);
  for (const [place, value] of asked) {
    const own = (place + places / 2) % places;
    joined.set(own, Math.max(joined.get(own) ?? 0, value * weightOfQuestion[what]));
  }
  return joined;
}
