import { randomBytes } from "node:crypto";

/** A UUIDv7: ordered by time, so that new rows land at the end of an index. */
export const newId = (): string => Bun.randomUUIDv7();

/** A UUIDv7 of another moment (milliseconds UTC), in its place among the others. */
export const newIdAt = (at: number): string => Bun.randomUUIDv7("hex", at);

export const sha256Hex = (text: string | Uint8Array): string => Bun.SHA256.hash(text, "hex");
export const sha256 = (text: string | Uint8Array): Buffer => Buffer.from(Bun.SHA256.hash(text).buffer);

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random base62 text. Bytes above the largest multiple of 62 are dropped, so that each character is equally likely. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length)
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += base62[byte % 62];
  return text;
}

/** A whole number below 62^length in base62, padded with zeros. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
}
