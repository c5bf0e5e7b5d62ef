import { sigmoid } from "../../../knowledge/learning/logistic.ts";
import { type Features, places } from "./features.ts";
import { joinedFeatures, type Learned } from "./learn.ts";

/** The learned weights as they are shipped: bytes, of which 127 is the largest weight. */
export interface Packed {
  readonly bias: number;
  readonly scale: number;
  readonly breach: string;
  readonly rules: Readonly<
    Record<string, { readonly scale: number; readonly places: string; readonly weights: string }>
  >;
}

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const decode = (text: string): Buffer => Buffer.from(text, "base64");

function toBytes(values: readonly number[]): { scale: number; bytes: Uint8Array } {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  return { scale: largest / 127, bytes: Uint8Array.from(values, (value) => Math.round((value / largest) * 127) & 255) };
}

/** Packs what was learned. The training script calls it. */
export function pack({ bias, breach, rules }: Learned): Packed {
  const { scale, bytes } = toBytes([...breach]);
  const packed: Record<string, Packed["rules"][string]> = {};
  for (const [rule, centre] of [...rules].sort(([a], [b]) => a.localeCompare(b))) {
    const entries = [...centre].sort(([a], [b]) => a - b);
    const weights = toBytes(entries.map(([, value]) => value));
    const where = Uint8Array.from(entries.flatMap(([place]) => [place & 255, place >> 8]));
    packed[rule] = { scale: weights.scale, places: encode(where), weights: encode(weights.bytes) };
  }
  return { bias, scale, breach: encode(bytes), rules: packed };
}

/** Unpacks the shipped weights. */
export function unpack({ bias, scale, breach, rules }: Packed): Learned {
  const bytes = decode(breach);
  const weights = Float64Array.from({ length: places }, (_, place) => bytes.readInt8(place) * scale);
  const centres = Object.entries(rules).map(([rule, packed]): [string, Map<number, number>] => {
    const [where, values] = [decode(packed.places), decode(packed.weights)];
    const entries = Array.from(values, (_, at): [number, number] => [
      where.readUInt16LE(at * 2),
      values.readInt8(at) * packed.scale,
    ]);
    return [rule, new Map(entries)];
  });
  return { bias, breach: weights, rules: new Map(centres) };
}

/** How probable it is that a text, given as an answer to a question, breaks some rule, 0 to 1. */
export function breachProbability({ bias, breach }: Learned, features: Features, asked: Features): number {
  let score = bias;
  for (const [place, value] of joinedFeatures({ features, asked }, "breach")) score += (breach[place] ?? 0) * value;
  return sigmoid(score);
}

/** The rules that a text resembles breaches of, the most alike first. */
export function alikeRules({ rules }: Learned, features: Features, asked: Features): string[] {
  const joined = joinedFeatures({ features, asked }, "rule");
  const scored = [...rules].map(([rule, centre]): [string, number] => {
    let score = 0;
    for (const [place, value] of joined) score += (centre.get(place) ?? 0) * value;
    return [rule, score];
  });
  return scored.sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([rule]) => rule);
}
