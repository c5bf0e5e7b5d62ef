import { familyOf, type Language } from "../../../knowledge/language/languages.ts";
import { stem } from "../../../knowledge/language/stem.ts";
import { hashedPlace } from "../../../knowledge/learning/hashed.ts";
import type { Word } from "./reading.ts";

/** Size of the hashed feature space; a power of two. */
export const places = 32_768;

/** Feature weights by place in the hashed space, normalised to length one. */
export type Features = ReadonlyMap<number, number>;

/** Number of words after a negator that count as negated. */
const negationReach = 3;
const gramLength = 4;
const weightOfGram = 0.3;
const weightOfPair = 0.7;

/**
 * Returns the features that the scorer sees in a text: stems, negated stems, pairs of neighbours, and character
 * 4-grams, so that an unseen form still resembles a known one. `negates` recognises a negator.
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

/** Scales the weights to length one. */
export function scaled(found: ReadonlyMap<number, number>): Features {
  const length = Math.sqrt([...found.values()].reduce((sum, weight) => sum + weight * weight, 0)) || 1;
  return new Map([...found].map(([place, weight]) => [place, weight / length]));
}

/** A stretch of an answer, and the question that it answers. */
export interface Exchange {
  readonly features: Features;
  readonly asked: Features;
}

/** Weight of the question relative to the answer, for choosing the rule and for recognising a breach. */
const weightOfQuestion = { rule: 0.5, breach: 0.25 };

/** Returns the features for recognising a breach or choosing its rule: the answer's, and the question's for less. */
export function joinedFeatures({ features, asked }: Exchange, what: keyof typeof weightOfQuestion): Features {
  const joined = new Map(features);
  for (const [place, value] of asked) {
    const own = (place + places / 2) % places;
    joined.set(own, Math.max(joined.get(own) ?? 0, value * weightOfQuestion[what]));
  }
  return joined;
}
