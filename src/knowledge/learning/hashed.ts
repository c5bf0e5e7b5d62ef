/** Feature hashing: features need no list of names, and each bucket has a weight of one byte. */

/** Returns the bucket of a feature among `places`, a power of two: FNV-1a, 32 bits. */
export function hashedPlace(feature: string, places: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return (hash >>> 0) & (places - 1);
}

/** Weights as shipped: signed bytes in base64; the largest weight is 127 times `scale`. */
export interface PackedWeights {
  readonly scale: number;
  readonly bytes: string;
}

/** Quantises weights. Used by training scripts. */
export function packWeights(values: readonly number[]): PackedWeights {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  const bytes = Uint8Array.from(values, (value) => Math.round((value / largest) * 127) & 255);
  return { scale: largest / 127, bytes: Buffer.from(bytes).toString("base64") };
}

/** Returns the packed weights, accurate to half of `scale`. */
export function unpackWeights({ scale, bytes }: PackedWeights): Float64Array {
  const packed = Buffer.from(bytes, "base64");
  return Float64Array.from(packed, (_, at) => packed.readInt8(at) * scale);
}
