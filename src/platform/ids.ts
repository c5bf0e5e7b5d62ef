import { type Runtime, systemRuntime } from "./runtime.ts";

/** An id of the machine's runtime: where none is passed in. */
export const newId = (): string => systemRuntime.id();

/** SHA-256 in lower-case hex. Text is taken as UTF-8. */
export const sha256Hex = (text: string | Uint8Array): string => Bun.SHA256.hash(text, "hex");
/** SHA-256 as 32 bytes. Text is taken as UTF-8. */
export const sha256 = (text: string | Uint8Array): Buffer => Buffer.from(Bun.SHA256.hash(text).buffer);

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random base62 text. Bytes above the largest multiple of 62 are dropped, so that each character is equally likely. */
export function randomBase62(runtime: Pick<Runtime, "randomBytes">, length: number): string {
  let text = "";
  while (text.length < length)
    for (const byte of runtime.randomBytes(length)) if (byte < 248 && text.length < length) text += base62[byte % 62];
  return text;
}

/** A secret of 256 bits in base64url, as PKCE and OpenID Connect take for verifiers, states and nonces. */
export const randomBase64url = (runtime: Pick<Runtime, "randomBytes">): string =>
  Buffer.from(runtime.randomBytes(32)).toString("base64url");

/** A whole number below 62^length in base62, padded with zeros. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
}
