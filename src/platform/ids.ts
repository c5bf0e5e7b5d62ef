import { type Runtime, systemRuntime } from "./runtime.ts";

/** Returns an id from the system runtime, for code that has no runtime passed in. */
export const newId = (): string => systemRuntime.id();

/** SHA-256 in lower-case hex. Text is hashed as UTF-8. */
export const sha256Hex = (text: string | Uint8Array): string => Bun.SHA256.hash(text, "hex");
/** SHA-256 as 32 bytes. Text is hashed as UTF-8. */
export const sha256 = (text: string | Uint8Array): Buffer => Buffer.from(Bun.SHA256.hash(text).buffer);

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns random base62 text. Bytes of 248 and above are dropped, so that every character is equally likely. */
export function randomBase62(runtime: Pick<Runtime, "randomBytes">, length: number): string {
  let text = "";
  while (text.length < length)
    for (const byte of runtime.randomBytes(length)) if (byte < 248 && text.length < length) text += base62[byte % 62];
  return text;
}

/** Returns a 256-bit secret in base64url, as PKCE and OpenID Connect use for verifiers, states and nonces. */
export const randomBase64url = (runtime: Pick<Runtime, "randomBytes">): string =>
  Buffer.from(runtime.randomBytes(32)).toString("base64url");

/** Returns a whole number below 62^length in base62, padded with zeros. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
}
