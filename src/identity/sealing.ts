import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Runtime } from "../platform/runtime.ts";

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts a value for the database under the master key: nonce, tag and ciphertext in base64url. `about` names what
 * the value belongs to and is authenticated but not stored, so a value sealed for one thing cannot be used for another.
 */
export function seal(runtime: Pick<Runtime, "randomBytes">, master: Uint8Array, text: string, about = ""): string {
  const nonce = runtime.randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, master, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString("base64url");
}

/** Decrypts a sealed value. Throws if the key or `about` differs, or if the text was changed. */
export function unseal(master: Uint8Array, sealed: string, about = ""): string {
  const bytes = Buffer.from(sealed, "base64url");
  const opening = createDecipheriv(cipher, master, bytes.subarray(0, nonceBytes)).setAAD(Buffer.from(about));
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]);
  return text.toString("utf8");
}
