import { packWeights, unpackWeights } from "../../../knowledge/learning/hashed.ts";
import { type LinearModel, sigmoid, sparseLogitOf } from "../../../knowledge/learning/linear.ts";
import { type Exchange, joinedFeatures } from "./features.ts";

/** The learned scores: one linear score for "breaks some rule", and one for each rule. */
export interface Learned {
  readonly breach: LinearModel;
  /** Sparse weights by rule. */
  readonly rules: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** The learned weights as shipped: bytes, with 127 for the largest weight. */
export interface Packed {
  readonly bias: number;
  readonly scale: number;
  readonly breach: string;
  readonly rules: Readonly<
    Record<string, { readonly scale: number; readonly places: string; readonly weights: string }>
  >;
}

/** Packs the learned weights. Used by the training script. */
export function pack({ breach, rules }: Learned): Packed {
  const { scale, bytes } = packWeights(Array.from(breach.weights));
  const packed: Record<string, Packed["rules"][string]> = {};
  for (const [rule, centre] of [...rules].sort(([a], [b]) => a.localeCompare(b))) {
    const entries = [...centre].sort(([a], [b]) => a - b);
    const weights = packWeights(entries.map(([, value]) => value));
    const where = Uint8Array.from(entries.flatMap(([place]) => [place & 255, place >> 8]));
    packed[rule] = { scale: weights.scale, places: Buffer.from(where).toString("base64"), weights: weights.bytes };
  }
  return { bias: breach.bias, scale, breach: bytes, rules: packed };
}

/** Unpacks the shipped weights. */
export function unpack({ bias, scale, breach, rules }: Packed): Learned {
  const centres = Object.entries(rules).map(([rule, packed]): [string, Map<number, number>] => {
    const where = Buffer.from(packed.places, "base64");
    const values = unpackWeights({ scale: packed.scale, bytes: packed.weights });
    const entries = Array.from(values, (value, at): [number, number] => [where.readUInt16LE(at * 2), value]);
    return [rule, new Map(entries)];
  });
  return { breach: { bias, weights: unpackWeights({ scale, bytes: breach }) }, rules: new Map(centres) };
}

/** Returns the probability, 0 to 1, that a text breaks some rule as the answer to a question. */
export const breachProbability = ({ breach }: Learned, exchange: Exchange): number =>
  sigmoid(sparseLogitOf(breach, joinedFeatures(exchange, "breach")));

/** Returns the rules whose breaches a text resembles, the most similar first. */
export function alikeRules({ rules }: Learned, exchange: Exchange): string[] {
  const joined = joinedFeatures(exchange, "rule");
  const scored = [...rules].map(([rule, centre]): [string, number] => {
    let score = 0;
    for (const [place, value] of joined) score += (centre.get(place) ?? 0) * value;
    return [rule, score];
  });
  return scored.sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([rule]) => rule);
}
