import type { LinearModel } from "../../../src/knowledge/learning/linear.ts";
import {
  type Exchange,
  joinedFeatures,
  places,
  scaled,
} from "../../../src/products/capabilities/afa-assurance/features.ts";
import type { Learned } from "../../../src/products/capabilities/afa-assurance/scorer.ts";
import { fitSparse, vectorOf } from "../learning/logistic.ts";

/** A labelled text. `rules` are those that it breaks, the first the main one; none: it complies. */
export interface Labelled extends Exchange {
  readonly rules: readonly string[];
  readonly weight: number;
}

const options = { width: places, penalty: 3e-4, rate: 0.5, epochs: 40 };
const keptPerRule = 250;

/** Logistic regression for "breaks some rule". Both classes weigh the same in all. */
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

/** For each rule the centre of its texts, each feature weighted by how rare it is (tf-idf, squared as both sides have it). */
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

/** Learns from labelled texts. The training script and the bench's cross-validation call it. */
export const learn = (texts: readonly Labelled[]): Learned => ({ breach: fitBreach(texts), rules: fitRules(texts) });
