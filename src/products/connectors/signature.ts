import { createHmac } from "node:crypto";
import { sha256 } from "../../platform/ids.ts";

/**
 * HTTP Message Signatures (RFC 9421) with HMAC-SHA-256, over the request's method, full address, idempotency key and,
 * through Content-Digest (RFC 9530), its body. `created` is a signature parameter.
 */

const components = ["@method", "@authority", "@path", "@query", "content-digest", "idempotency-key"];

export interface ToSign {
  readonly method: string;
  readonly url: URL;
  readonly idempotency_key: string;
  readonly body: string;
  readonly secret: string;
  /** Identifies the secret: the connector's slug. */
  readonly key_id: string;
  /** Milliseconds UTC. */
  readonly at: number;
}

/** Returns the headers with which the receiver can verify that the request is authentic, complete and recent. */
export function signedHeaders({ method, url, idempotency_key, body, secret, key_id, at }: ToSign) {
  const digest = `sha-256=:${sha256(body).toString("base64")}:`;
  const values: Readonly<Record<string, string>> = {
    "@method": method,
    "@authority": url.host,
    "@path": url.pathname,
    "@query": url.search || "?",
    "content-digest": digest,
    "idempotency-key": idempotency_key,
  };
  const listed = components.map((name) => `"${name}"`).join(" ");
  const parameters = `(${listed});created=${Math.floor(at / 1_000)};keyid="${key_id}";alg="hmac-sha256"`;
  const base = [...components.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${parameters}`].join(
    "\n",
  );
  const signature = createHmac("sha256", secret).update(base).digest("base64");
  return {
    "idempotency-key": idempotency_key,
    "content-digest": digest,
    "signature-input": `assay=${parameters}`,
    signature: `assay=:${signature}:`,
  };
}
