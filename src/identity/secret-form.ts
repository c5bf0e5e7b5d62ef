import { randomBase62, sha256Hex, toBase62 } from "../platform/ids.ts";
import type { Runtime } from "../platform/runtime.ts";

const checksumLength = 6;
const checksum = (text: string): string => toBase62(Bun.hash.crc32(text), checksumLength);

export interface Minted {
  /** Shown once, never stored. */
  readonly secret: string;
  /** Shown in lists. */
  readonly prefix: string;
  /** Looks the secret up. */
  readonly hash: string;
}

/**
 * The format of API keys and of personal connections' tokens: `kind` + `_` + 8 public characters + `_` + 32 random
 * characters + 6 characters of CRC32 in base62. The checksum lets secret scanners, and this server, recognise a
 * mistyped secret before any look-up; it adds no security.
 */
export function secretForm(kind: "assay_sk" | "assay_pc") {
  const form = new RegExp(`^${kind}_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$`);
  return {
    mint(runtime: Pick<Runtime, "randomBytes">): Minted {
      const prefix = `${kind}_${randomBase62(runtime, 8)}`;
      const body = `${prefix}_${randomBase62(runtime, 32)}`;
      const secret = body + checksum(body);
      return { secret, prefix, hash: sha256Hex(secret) };
    },
    /** Returns the hash to look a secret up by, or undefined for a malformed one. */
    hashOf(given: string): string | undefined {
      if (!form.test(given)) return undefined;
      return given.endsWith(checksum(given.slice(0, -checksumLength))) ? sha256Hex(given) : undefined;
    },
  };
}
