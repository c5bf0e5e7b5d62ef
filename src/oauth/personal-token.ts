import { randomBase62, sha256Hex, toBase62 } from "../platform/ids.ts";

/** `assay_pc_` + 8 public characters + `_` + 32 random characters + 6 characters of CRC32 in base62, as API keys are. */
const form = /^assay_pc_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;
const checksumLength = 6;
const checksum = (text: string): string => toBase62(Bun.hash.crc32(text), checksumLength);

/** A new token for the address of a personal connection, and the hash that it is found again by. */
export function mintPersonalToken(): { readonly token: string; readonly hash: string } {
  const body = `assay_pc_${randomBase62(8)}_${randomBase62(32)}`;
  const token = body + checksum(body);
  return { token, hash: sha256Hex(token) };
}

/** The hash to look a connection up by, or undefined for what can't be its token. */
export function personalTokenHash(given: string): string | undefined {
  if (!form.test(given)) return undefined;
  return given.endsWith(checksum(given.slice(0, -checksumLength))) ? sha256Hex(given) : undefined;
}
