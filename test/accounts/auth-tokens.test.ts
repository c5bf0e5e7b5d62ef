import { afterAll, beforeAll, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { rotateSigningKey } from "../../src/identity/keyring.ts";
import { accessTokenType } from "../../src/identity/principal.ts";
import { minute } from "../../src/platform/clock.ts";
import { refusal, World } from "../support/harness.ts";
import { isLetIn, newcomer } from "../support/people.ts";

const world = await World.open();
const { access_token, user } = await newcomer(world);
afterAll(() => world[Symbol.asyncDispose]());

const issuer = "http://assay.test";
const [head = "", payload = "", signature = ""] = access_token.split(".");
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const read = (text: string): Record<string, unknown> => JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
const claims = read(payload);
const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
let ownJwk = {};
beforeAll(async () => {
  ownJwk = await exportJWK(publicKey);
});

/** Signs a token as this installation does, with other claims or another type. */
const ours = (change: object, typ = accessTokenType): string =>
  world.app.parts.keyring.sign(JSON.stringify({ ...claims, ...change }), typ);
const stranger = (header: object) =>
  new SignJWT(claims).setProtectedHeader({ alg: "ES256", typ: accessTokenType, ...header }).sign(privateKey);
const { kid } = read(head);

const bad: Record<string, () => string | Promise<string>> = {
  "without a signature": () => `${head}.${payload}.`,
  "with alg none": () => new UnsecuredJWT(claims).encode(),
  "with alg none over our own signature": () => `${part({ ...read(head), alg: "none" })}.${payload}.${signature}`,
  "with other claims under the same signature": () =>
    `${head}.${part({ ...claims, sub: crypto.randomUUID() })}.${signature}`,
  "with a truncated signature": () => access_token.slice(0, -4),
  "signed by another key": () => stranger({}),
  "signed by another key under our key's id": () => stranger({ kid }),
  "with its own key in the header": () => stranger({ kid, jwk: ownJwk }),
  "with a URL for its key in the header": () => stranger({ jku: "https://attacker.test/jwks.json" }),
  "keyed by our public key as if it were a secret (HS256)": () => {
    const [key] = world.app.parts.keyring.jwks().keys;
    const secret = new TextEncoder().encode(JSON.stringify(key));
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: String(kid), typ: accessTokenType })
      .sign(secret);
  },
  "for another audience": () => ours({ aud: "https://other.test" }),
  "for the hosted tools only": () => ours({ aud: `${issuer}/mcp` }),
  "from another issuer": () => ours({ iss: "https://other.test" }),
  "of another type, such as a receipt": () => ours({}, "receipt+jwt"),
  "that has expired": () => ours({ exp: Math.floor(world.clock.now() / 1000) }),
  "without an expiry": () => ours({ exp: undefined }),
  "for an unknown person": () => ours({ sub: crypto.randomUUID() }),
  "without a subject": () => ours({ sub: undefined }),
  "of an unknown session": () => ours({ sid: crypto.randomUUID() }),
  "of another person's session": async () =>
    ours({ sid: read((await newcomer(world)).access_token.split(".")[1] ?? "").sid }),
};

for (const [what, forge] of Object.entries(bad))
  test(`an access token ${what} is refused`, async () => {
    const token = await forge();
    expect(await refusal(await world.ask("/auth/v1/user", { as: token }))).toEqual([401, "invalid_api_key"]);
    expect(await refusal(await world.ask("/v1/runs", { as: token }))).toEqual([401, "invalid_api_key"]);
  });

test("an access token grants what its person may see", async () => {
  expect(await (await world.ask("/auth/v1/user", { as: access_token })).json()).toMatchObject({ id: user.id });
});

test("tokens signed before a key rotation still work, and new ones are signed with the new key", async () => {
  const { keyring } = world.app.parts;
  const masterKey = new Uint8Array(32).fill(7);
  const made = await world.store.write((tx) => rotateSigningKey(tx, world.clock, masterKey, world.clock.now()));
  world.clock.advance(minute + 1);
  // The first signature and the first response use the new key, even after a long time without requests.
  expect(read(keyring.sign("{}", "test").split(".")[0] ?? "").kid).toBe(made);
  expect(keyring.jwks().keys.map((key) => key.kid)).toContain(made);
  expect(await isLetIn(world, access_token)).toBe(true);
  const next = await newcomer(world);
  expect(read(next.access_token.split(".")[0] ?? "").kid).toBe(made);
  expect(await isLetIn(world, next.access_token)).toBe(true);
  const shown = await world.ask("/auth/v1/.well-known/jwks.json");
  const { keys } = (await shown.json()) as { keys: Record<string, unknown>[] };
  expect(keys.map((key) => key.kid)).toEqual(expect.arrayContaining([kid, made]));
  expect(keys.filter((key) => "d" in key)).toEqual([]);
});

test("an access token expires after fifteen minutes", async () => {
  const fresh = await newcomer(world);
  world.clock.advance(15 * minute - 1_000);
  expect(await isLetIn(world, fresh.access_token)).toBe(true);
  world.clock.advance(1_000);
  expect(await isLetIn(world, fresh.access_token)).toBe(false);
});

test("the public keys are readable from pages of any origin, for verifying receipts and tokens", async () => {
  await using world = await World.open();
  for (const path of ["/.well-known/jwks.json", "/auth/v1/.well-known/jwks.json"])
    for (const [method, status] of [
      ["GET", 200],
      ["OPTIONS", 204],
    ] as const) {
      const answer = await world.ask(path, { method, headers: { origin: "https://app.example" } });
      expect([path, answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([path, status, "*"]);
    }
});
