import { type KeyObject, sign } from "node:crypto";

/** Base64url without padding, as JOSE requires (RFC 7515, 2). Text is encoded as UTF-8. */
export const base64url = (data: string | Uint8Array): string => Buffer.from(data).toString("base64url");

/** Returns a compact ES256 JWS (RFC 7515). JWS encodes the signature as two concatenated integers, not as DER. */
export function compactJws(header: string, payload: string, key: KeyObject): string {
  const signed = `${header}.${base64url(payload)}`;
  return `${signed}.${base64url(sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }))}`;
}
