import { Elysia } from "elysia";
import type { Parts } from "../parts.ts";

/** The public keys that receipts and tokens are checked with. */
export const keyRoutes = ({ access, keyring }: Parts) =>
  new Elysia({ name: "jwks", normalize: false }).use(access).get("/.well-known/jwks.json", () => keyring.jwks(), {
    access: { credential: "none" },
    detail: { hide: true },
  });
