/** Features without a list of names: each is hashed into one of so many places, and a place has a weight of one byte. */

/** The place of a feature among so many, a power of two: FNV-1a, 32 bits. */
export function hashedPlace(feature: string, places: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  return (hash >>> 0) & (places - 1);
}

/** Weights as they are shipped: signed bytes in base64, 127 times `scale` the largest. */
export interface PackedWeights {
  readonly scale: number;
  readonly bytes: string;
}

/** Packs weights. Training scripts call it. */
export function packWeights(values: readonly number[]): PackedWeights {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  const bytes = Uint8Array.from(values, (value) => Math.round((value / largest) * 127) & 255);
  return { scale: largest / 127, bytes: Buffer.from(bytes).toString("base64") };
}

/** The weights that were packed, to within half of `scale`. */
export function unpackWeights({ scale, bytes }: PackedWeights): Float64Array {
  const packed = Buffer.from(bytes, "base64");
  return Float64Array.from(packed, (_, at) => packed.readInt8(at) * scale);
}
