import type { Keyring } from "../../identity/keyring.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";

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
export const keyRoutes = ({ keyring }: { readonly keyring: Keyring }): Route[] => [
  defineRoute({
    method: "GET",
    path: "/.well-known/jwks.json",
    ...described("getKeySet", "Get the public keys"),
    handler: () => keyring.jwks(),
  }),
  defineRoute({
    method: "GET",
    path: "/auth/v1/.well-known/jwks.json",
    ...described("getAuthKeySet", "Get the public keys where GoTrue's clients look for them"),
    handler: () => keyring.jwks(),
  }),
];
