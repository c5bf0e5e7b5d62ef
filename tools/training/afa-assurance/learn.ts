import type { LinearModel } from "../../../src/knowledge/learning/linear.ts";
import {
  type Exchange,
  joinedFeatures,
  places,
  scaled,
} from "../../../src/products/capabilities/afa-assurance/features.ts";
import type { Learned } from "../../../src/products/capabilities/afa-assurance/scorer.ts";
import { fitSparse, vectorOf } from "../learning/logistic.ts";

/** A labelled text. `rules` lists the rules it breaks, the main one first; it is empty for a compliant text. */
export interface Labelled extends Exchange {
  readonly rules: readonly string[];
  readonly weight: number;
}

const options = { width: places, penalty: 3e-4, rate: 0.5, epochs: 40 };
const keptPerRule = 250;

/** Fits a logistic regression for "breaks some rule". Both classes have the same total weight. */
function fitBreach(texts: readonly Labelled[]): LinearModel {
  const sumOf = (breaks: boolean) =>
    texts.reduce((sum, { rules, weight }) => sum + (rules.length > 0 === breaks ? weight : 0), 0) || 1;
  const share = { breaks: texts.length / (2 * sumOf(true)), complies: texts.length / (2 * sumOf(false)) };
  const examples = texts.map((text) => {
    const y = text.rules.length > 0;
    return {
      x: vectorOf(joinedFeatures(text, "breach")),
      y,
      weight: text.weight * (y ? share.breaks : share.complies),
    };
  });
  return fitSparse(examples, options);
}

/** Returns the centroid of each rule's texts, weighted by tf-idf (squared, since both sides of the product have it). */
function fitRules(texts: readonly Labelled[]): Map<string, Map<number, number>> {
  const breaking = texts
    .filter(({ rules, weight }) => rules.length > 0 && weight === 1)
    .map((text) => ({ text, joined: joinedFeatures(text, "rule") }));
  const holders = new Map<number, number>();
  for (const { joined } of breaking)
    for (const place of joined.keys()) holders.set(place, (holders.get(place) ?? 0) + 1);
  const rarity = (place: number) => Math.log((breaking.length + 1) / ((holders.get(place) ?? 0) + 0.5));
  const centres = new Map<string, Map<number, number>>();
  for (const { text, joined } of breaking) {
    const vector = scaled(new Map([...joined].map(([place, value]) => [place, value * rarity(place)])));
    const rule = text.rules[0] ?? "";
    const centre = centres.get(rule) ?? new Map<number, number>();
    centres.set(rule, centre);
    for (const [place, value] of vector) centre.set(place, (centre.get(place) ?? 0) + value);
  }
  for (const [rule, centre] of centres) {
    const weighted = [...scaled(centre)].map(([place, value]): [number, number] => [place, value * rarity(place)]);
    centres.set(rule, new Map(weighted.sort((a, b) => b[1] - a[1]).slice(0, keptPerRule)));
  }
  return centres;
}

/** Trains on labelled texts, for the training script and the bench's cross-validation. */
export const learn = (texts: readonly Labelled[]): Learned => ({ breach: fitBreach(texts), rules: fitRules(texts) });
