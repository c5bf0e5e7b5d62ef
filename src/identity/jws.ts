import { type KeyObject, sign } from "node:crypto";

/** Without padding, as JOSE wants it (RFC 7515, 2). Text is taken as UTF-8. */
export const base64url = (data: string | Uint8Array): string => Buffer.from(data).toString("base64url");

/** A compact ES256 JWS (RFC 7515). JWS wants the signature as the two numbers side by side, not as DER. */
export function compactJws(header: string, payload: string, key: KeyObject): string {
  const signed = `${header}.${base64url(payload)}`;
  return `${signed}.${base64url(sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }))}`;
}
