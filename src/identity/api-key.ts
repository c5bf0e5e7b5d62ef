import { randomBase62, sha256Hex, toBase62 } from "../platform/ids.ts";

/**
 * `assay_sk_` + 8 public characters + `_` + 32 random characters + 6 characters of CRC32 in base62. The checksum lets
 * secret scanners, and us, tell a typing error from a key before any look-up; it is no protection.
 */
const form = /^(assay_sk_[0-9A-Za-z]{8})_[0-9A-Za-z]{38}$/;
const checksumLength = 6;
const checksum = (text: string): string => toBase62(Bun.hash.crc32(text), checksumLength);

export interface MintedKey {
  /** Shown once, never stored. */
  readonly secret: string;
  /** What lists show. */
  readonly prefix: string;
  readonly hash: string;
}

export function mintApiKey(): MintedKey {
  const prefix = `assay_sk_${randomBase62(8)}`;
  const body = `${prefix}_${randomBase62(32)}`;
  const secret = body + checksum(body);
  return { secret, prefix, hash: sha256Hex(secret) };
}

/** The hash to look a key up by, or undefined for what cannot be one. */
export function apiKeyHash(given: string): string | undefined {
  if (!form.test(given)) return undefined;
  const body = given.slice(0, -checksumLength);
  return given.endsWith(checksum(body)) ? sha256Hex(given) : undefined;
}
