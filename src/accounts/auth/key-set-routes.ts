import type { Keyring } from "../../identity/keyring.ts";
import { crossOrigin, preflightRoute } from "../../web/cross-origin.ts";
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
    description: "A JSON Web Key Set (RFC 7517) for verifying receipts and access tokens. It includes retired keys.",
    tags: ["Keys"],
    responses: {
      200: {
        description: "The keys.",
        content: { "application/json": { schema: keySet, example: { keys: [exampleKey] } } },
      },
    },
  },
});

const keySetAt = (path: string, keyring: Keyring, operationId: string, summary: string): Route[] => [
  defineRoute({
    method: "GET",
    path,
    ...described(operationId, summary),
    handler: ({ set }) => {
      Object.assign(set.headers, crossOrigin);
      return keyring.jwks();
    },
  }),
  preflightRoute(path),
];

/** The public keys that verify receipts and tokens, readable by pages of any origin. */
export const keyRoutes = ({ keyring }: { readonly keyring: Keyring }): Route[] => [
  ...keySetAt("/.well-known/jwks.json", keyring, "getKeySet", "Get the public keys"),
  ...keySetAt(
    "/auth/v1/.well-known/jwks.json",
    keyring,
    "getAuthKeySet",
    "Get the public keys where GoTrue's clients look for them",
  ),
];
