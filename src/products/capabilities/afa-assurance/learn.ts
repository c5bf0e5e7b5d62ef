import { sigmoid } from "../../../knowledge/learning/logistic.ts";
import { type Features, places, scaled } from "./features.ts";

/** A labelled text. `rules` are those that it breaks, the first the main one; none: it complies. */
export interface Labelled {
  readonly features: Features;
  /** Features of the question it answers. */
  readonly asked: Features;
  readonly rules: readonly string[];
  readonly weight: number;
}

/** What is learned: one linear score for "breaks some rule", and one for each rule. */
export interface Learned {
  readonly bias: number;
  readonly breach: Float64Array;
  /** Sparse weights by rule. */
  readonly rules: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** How much the question counts beside the answer, when the rule is chosen and when a breach is told. */
const weightOfQuestion = { rule: 0.5, breach: 0.25 };
const epochs = 40;
const rate = 0.5;
const decay = 3e-4;
const keptPerRule = 250;

/**
 * Logistic regression by AdaGrad, in a fixed order, so that the same texts give the same weights. Both classes weigh the
 * same in all.
 */
function fitBreach(texts: readonly Labelled[]): { bias: number; breach: Float64Array } {
  const sumOf = (breaks: boolean) =>
    texts.reduce((sum, { rules, weight }) => sum + (rules.length > 0 === breaks ? weight : 0), 0) || 1;
  const share = { breaks: texts.length / (2 * sumOf(true)), complies: texts.length / (2 * sumOf(false)) };
  const joined = texts.map((text) => [...joinedFeatures(text, "breach")]);
  const breach = new Float64Array(places);
  const seen = new Float64Array(places);
  let bias = 0;
  let seenBias = 1;
  for (let epoch = 0; epoch < epochs; epoch += 1)
    for (let step = 0; step < texts.length; step += 1) {
      const at = (step * 7919 + epoch * 31) % texts.length;
      const [text, features] = [texts[at], joined[at]];
      if (!text || !features) continue;
      const breaks = text.rules.length > 0;
      let score = bias;
      for (const [place, value] of features) score += (breach[place] ?? 0) * value;
      const error = ((breaks ? 1 : 0) - sigmoid(score)) * text.weight * (breaks ? share.breaks : share.complies);
      seenBias += error * error;
      bias += (rate * error) / Math.sqrt(seenBias);
      for (const [place, value] of features) {
        const weight = breach[place] ?? 0;
        const slope = error * value - decay * weight;
        const squares = (seen[place] ?? 0) + slope * slope;
        seen[place] = squares;
        breach[place] = weight + (rate * slope) / Math.sqrt(squares + 0.1);
      }
    }
  return { bias, breach };
}

/** The features that a breach is told by or its rule is chosen by: the answer's, and the question's for less. */
export function joinedFeatures(
  { features, asked }: Pick<Labelled, "features" | "asked">,
  what: keyof typeof weightOfQuestion,
): Map<number, number> {
  const joined = new Map(features);
  for (const [place, value] of asked) {
    const own = (place + places / 2) % places;
    joined.set(own, Math.max(joined.get(own) ?? 0, value * weightOfQuestion[what]));
  }
  return joined;
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
export const learn = (texts: readonly Labelled[]): Learned => ({ ...fitBreach(texts), rules: fitRules(texts) });
