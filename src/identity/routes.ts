import { Elysia } from "elysia";
import type { Parts } from "../parts.ts";

const keySet = {
  type: "object" as const,
  properties: { keys: { type: "array" as const, items: { type: "object" as const } } },
};

/** The public keys that receipts and tokens are checked with. */
export const keyRoutes = ({ access, keyring }: Parts) =>
  new Elysia({ name: "jwks", normalize: false }).use(access).get("/.well-known/jwks.json", () => keyring.jwks(), {
    access: { credential: "none" },
    detail: {
      operationId: "getKeySet",
      summary: "Get the public keys",
      description:
        "A JSON Web Key Set (RFC 7517). Receipts and access tokens are checked with it; retired keys stay in.",
      tags: ["Keys"],
      responses: {
        200: { description: "The keys.", content: { "application/json": { schema: keySet } } },
      },
    },
  });
