import { Elysia } from "elysia";
import type { Parts } from "../../parts.ts";

const keySet = {
  type: "object" as const,
  properties: { keys: { type: "array" as const, items: { type: "object" as const } } },
};

const described = (operationId: string, summary: string) => ({
  access: { credential: "none" } as const,
  detail: {
    operationId,
    summary,
    description: "A JSON Web Key Set (RFC 7517). Receipts and access tokens are checked with it; retired keys stay in.",
    tags: ["Keys"],
    responses: {
      200: { description: "The keys.", content: { "application/json": { schema: keySet } } },
    },
  },
});

/** The public keys that receipts and tokens are checked with. */
export const keyRoutes = ({ access, keyring }: Parts) =>
  new Elysia({ name: "jwks", normalize: false })
    .use(access)
    .get("/.well-known/jwks.json", () => keyring.jwks(), described("getKeySet", "Get the public keys"))
    .get(
      "/auth/v1/.well-known/jwks.json",
      () => keyring.jwks(),
      described("getAuthKeySet", "Get the public keys where GoTrue's clients look for them"),
    );
