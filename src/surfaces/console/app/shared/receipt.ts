import canonicalize from "canonicalize";
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JWTHeaderParameters } from "jose";
import { api, bodyOf, type Schemas } from "./api.ts";

/** The statements of a receipt that are compared here. Digests are SHA-256 of canonical JSON (RFC 8785), in hex. */
interface Claims {
  readonly run_id: string;
  readonly input_sha256: string;
  readonly result_sha256: string;
  readonly charges: Schemas["RunCharges"];
}

/** Whether this page can compute digests and verify signatures: browsers allow it only over TLS and on localhost. */
export const canVerify = (): boolean => globalThis.isSecureContext;

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalize(value) ?? "null");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export type Mismatch = "signature" | "input" | "result" | "charges";

/** Returns a finished run's receipt as signed, a compact JWS. */
export const readReceipt = (runId: string): Promise<string> =>
  bodyOf(api.GET("/v1/runs/{run_id}/receipt", { params: { path: { run_id: runId } }, parseAs: "text" }));

/**
 * Verifies a receipt with the server's public keys, and compares it with the run as shown. Null if everything matches.
 */
export async function mismatchOf(receipt: string, run: Schemas["Run"]): Promise<Mismatch | null> {
  const keys = await bodyOf(api.GET("/.well-known/jwks.json"));
  let claims: Claims;
  try {
    const header: JWTHeaderParameters = { alg: "ES256", ...decodeProtectedHeader(receipt) };
    const set = createLocalJWKSet({ keys: (keys.keys ?? []).map((key) => ({ ...key })) });
    const { payload } = await compactVerify(receipt, await set(header, { payload: "", signature: "" }), {
      algorithms: ["ES256"],
    });
    claims = JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return "signature";
  }
  if (claims.run_id !== run.id) return "signature";
  if (claims.input_sha256 !== (await digestOf(run.input))) return "input";
  if (claims.result_sha256 !== (await digestOf(run.result))) return "result";
  return canonicalize(claims.charges) === canonicalize(run.charges) ? null : "charges";
}
