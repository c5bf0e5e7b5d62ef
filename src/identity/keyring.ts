import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, createLocalJWKSet, type JWK, type JWTPayload, jwtVerify } from "jose";
import { insertSigningKey, retireSigningKeys, signingKeys } from "../../db/queries/signing-keys.ts";
import type { Db, Store } from "../../db/store.ts";
import { present } from "../platform/assert.ts";
import { minute } from "../platform/clock.ts";
import type { Runtime } from "../platform/runtime.ts";
import { base64url, compactJws } from "./jws.ts";
import { seal, unseal } from "./sealing.ts";
import { createSigner, type Signer } from "./signer.ts";

/** The public half of a signing key as `/.well-known/jwks.json` shows it. */
export interface PublicJwk {
  readonly kid: string;
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly alg: "ES256";
  readonly use: "sig";
  readonly x: string;
  readonly y: string;
}

export interface Keyring {
  /** A compact ES256 JWS over the payload's text. */
  sign(payload: string, typ: string): string;
  /** The same together with what else is to be signed in this turn of the event loop, beside it where that is much. */
  signTogether(payload: string, typ: string): Promise<string>;
  /** Every public key, retired ones included: what they signed goes on to verify. */
  jwks(): { keys: PublicJwk[] };
  /**
   * The claims of a token that this installation signed for itself (or for `audience`, a part of it with an address of
   * its own) and that has not expired; else undefined.
   */
  verifyToken(token: string, typ: string, audience?: string): Promise<JWTPayload | undefined>;
}

/** Makes a new signing key, retiring the present one. It signs from the next refresh of a running server on. */
export async function rotateSigningKey(tx: Db, runtime: Runtime, master: Uint8Array, at: number): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const shown = publicKey.export({ format: "jwk" });
  const kid = await calculateJwkThumbprint(shown as JWK);
  await retireSigningKeys(tx, at);
  await insertSigningKey(tx, {
    id: kid,
    public_jwk_json: JSON.stringify({ ...shown, kid, alg: "ES256", use: "sig" }),
    private_jwk_encrypted: seal(runtime, master, JSON.stringify(privateKey.export({ format: "jwk" }))),
    created_at: at,
    retired_at: null,
  });
  return kid;
}

interface Loaded {
  readonly kid: string;
  readonly key: KeyObject;
  readonly jwk: JWK;
  readonly keys: PublicJwk[];
  /** By the `typ` of what they sign. */
  readonly signers: Map<string, Signer>;
}

const headerOf = ({ kid }: Loaded, typ: string): string => base64url(JSON.stringify({ alg: "ES256", kid, typ }));

function signerOf(runtime: Runtime, loaded: Loaded, typ: string): Signer {
  let signer = loaded.signers.get(typ);
  if (!signer) {
    signer = createSigner(runtime, { header: headerOf(loaded, typ), jwk: loaded.jwk }, loaded.key);
    loaded.signers.set(typ, signer);
  }
  return signer;
}

async function load(store: Store, master: Uint8Array, runtime: Runtime): Promise<Loaded> {
  let rows = await signingKeys(store.read);
  if (!rows.some((row) => row.retired_at === null)) {
    await store.write((tx) => rotateSigningKey(tx, runtime, master, runtime.now()));
    rows = await signingKeys(store.read);
  }
  const current = present(
    rows.find((row) => row.retired_at === null),
    "a signing key in use",
  );
  const jwk = JSON.parse(unseal(master, current.private_jwk_encrypted));
  return {
    kid: current.id,
    key: createPrivateKey({ key: jwk, format: "jwk" }),
    jwk,
    signers: new Map(),
    keys: rows.map((row) => JSON.parse(row.public_jwk_json) as PublicJwk),
  };
}

/** Opens the keys of an installation, making the first one. `issuer` is the base URL: issuer and audience of tokens. */
export async function openKeyring(
  store: Store,
  master: Uint8Array,
  issuer: string,
  runtime: Runtime,
): Promise<Keyring> {
  let loaded = await load(store, master, runtime);
  let loadedAt = runtime.now();
  let set = createLocalJWKSet({ keys: [...loaded.keys] });

  async function refresh(): Promise<void> {
    loadedAt = runtime.now();
    const found = await load(store, master, runtime);
    // The same key goes on with the same signers, whose threads are under way.
    loaded = found.kid === loaded.kid ? { ...loaded, keys: found.keys } : found;
    set = createLocalJWKSet({ keys: [...loaded.keys] });
  }
  const fresh = () => {
    if (runtime.now() - loadedAt > minute) void refresh();
  };

  return {
    sign(payload, typ) {
      fresh();
      return compactJws(headerOf(loaded, typ), payload, loaded.key);
    },
    signTogether(payload, typ) {
      fresh();
      return signerOf(runtime, loaded, typ).sign(payload);
    },
    jwks() {
      fresh();
      return { keys: loaded.keys };
    },
    async verifyToken(token, typ, audience = issuer) {
      fresh();
      try {
        const wanted = { issuer, audience, typ, algorithms: ["ES256"], requiredClaims: ["exp"] };
        return (await jwtVerify(token, set, { ...wanted, currentDate: new Date(runtime.now()) })).payload;
      } catch {
        return undefined;
      }
    },
  };
}
