import type { Vector } from "../learning/logistic.ts";

/** Hashed features as a vector that fits take. */
export const vectorOf = (features: ReadonlyMap<number, number>): Vector => ({
  places: Int32Array.from(features.keys()),
  values: Float64Array.from(features.values()),
});
