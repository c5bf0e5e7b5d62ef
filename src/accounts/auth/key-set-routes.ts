import type { Keyring } from "../../identity/keyring.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";

const keySet = {
  type: "object" as const,
  properties: { keys: { type: "array" as const, items: { type: "object" as const } } },
};

const exampleKey = {
  ...{ kid: "1", kty: "EC", crv: "P-256", alg: "ES256", use: "sig" },
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};

const described = (operationId: string, summary: string) => ({
  access: { credential: "none" } as const,
  detail: {
    operationId,
    summary,
    description: "A JSON Web Key Set (RFC 7517). Receipts and access tokens are checked with it; retired keys stay in.",
    tags: ["Keys"],
    responses: {
      200: {
        description: "The keys.",
        content: { "application/json": { schema: keySet, example: { keys: [exampleKey] } } },
      },
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
