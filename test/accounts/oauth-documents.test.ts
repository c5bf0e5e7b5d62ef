import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isDocumentAddress } from "../../src/accounts/oauth/client-documents.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { hour, minute } from "../../src/platform/clock.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { certificateFor } from "../support/certificates.ts";
import { World } from "../support/harness.ts";
import { authorizePath, callback, caller, connected, consent, landing, signedIn } from "../support/oauth-world.ts";
import { testServices } from "../support/services.ts";

const host = "client.example.org";
const { key, cert } = certificateFor(host);

/** The host's response for each path, and the requests it received. */
const answers = new Map<string, () => Response>();
const asked: string[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: { key, cert },
  fetch({ url }) {
    const { pathname } = new URL(url);
    asked.push(pathname);
    return answers.get(pathname)?.() ?? new Response("gone", { status: 404 });
  },
});
const place = `https://${host}:${server.port}`;

let world: World;
let owner: string;
beforeAll(async () => {
  const outbound = createOutbound({
    runtime: { ...systemRuntime, resolveHost: async () => ["127.0.0.1"] },
    allow_private: [`${host}:${server.port}`],
    trusted_certificates: [cert],
  });
  world = await World.open(undefined, { services: testServices({ outbound }) });
  owner = await signedIn(world, (await world.firm()).people.owner);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server.stop(true);
});

/** Returns a valid client document, overridden by `other`. */
const documentOf = (path: string, other: Readonly<Record<string, unknown>> = {}) => ({
  ...{ client_id: place + path, client_name: "Document client", redirect_uris: ["http://127.0.0.1/callback"] },
  ...other,
});
const json = (body: unknown, headers: Record<string, string> = {}) => Response.json(body, { headers });

const page = (client_id: string, other: Readonly<Record<string, string>> = {}) =>
  world.ask(authorizePath(client_id, other), { headers: { cookie: owner } });

test("a client is accepted by the document at the URL that is its id, without registration", async () => {
  answers.set("/good.json", () => json(documentOf("/good.json")));
  const text = await (await page(`${place}/good.json`)).text();
  expect(text).toContain("<strong>Document client</strong>");
  expect(text).toContain(`Described by <strong>${host}:${server.port}</strong>`);
  const { access_token } = await connected(world, owner, `${place}/good.json`);
  expect(await caller(world, access_token)).toMatchObject({ kind: "connection" });
});

test("a document is fetched once per cache lifetime of its host, within limits", async () => {
  const times = (path: string) => asked.filter((one) => one === path).length;
  const kept = { "/usual.json": {}, "/short.json": { "cache-control": "public, max-age=1" } };
  for (const [path, headers] of Object.entries(kept)) answers.set(path, () => json(documentOf(path), headers));
  const look = async () => {
    for (const path of Object.keys(kept)) expect((await page(place + path)).status).toBe(200);
    return Object.keys(kept).map(times);
  };
  await Promise.all([look(), look()]);
  expect(await look()).toEqual([1, 1]);
  world.clock.advance(5 * minute);
  expect(await look()).toEqual([1, 2]);
  world.clock.advance(hour);
  expect(await look()).toEqual([2, 3]);
});

test("nothing is fetched for people who have not signed in", async () => {
  answers.set("/quiet.json", () => json(documentOf("/quiet.json")));
  const { at } = landing(await world.ask(authorizePath(`${place}/quiet.json`)));
  expect(at).toBe("http://assay.test/sign-in");
  expect(asked).not.toContain("/quiet.json");
});

describe("a document is refused with an error page", () => {
  const bad: Readonly<Record<string, (path: string) => Response>> = {
    "that is missing": () => new Response("gone", { status: 404 }),
    "that redirects elsewhere": () => Response.redirect(`${place}/good.json`, 302),
    "for another client_id": () => json(documentOf("/good.json")),
    "without a client_id": (path) => json(documentOf(path, { client_id: undefined })),
    "that is not JSON": () => new Response("<html>", { headers: { "content-type": "application/json" } }),
    "that is not an object": () => json("text"),
    "that is not UTF-8": () =>
      new Response(new Uint8Array([0x22, 0xff, 0x22]), { headers: { "content-type": "application/json" } }),
    "with the type text/html": (path) =>
      new Response(JSON.stringify(documentOf(path)), { headers: { "content-type": "text/html" } }),
    "over 10 KiB": (path) => json(documentOf(path, { padding: "x".repeat(10_240) })),
    "that decompresses to more": (path) =>
      new Response(Bun.gzipSync(JSON.stringify(documentOf(path, { padding: "x".repeat(1_000_000) }))), {
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
      }),
    "without a redirect": (path) => json(documentOf(path, { redirect_uris: [] })),
    "with a javascript: redirect": (path) => json(documentOf(path, { redirect_uris: ["javascript:alert(1)"] })),
    "with a secret": (path) => json(documentOf(path, { client_secret: "s" })),
    "of a confidential client": (path) => json(documentOf(path, { token_endpoint_auth_method: "private_key_jwt" })),
    "with a misleading name": (path) => json(documentOf(path, { client_name: "a\u202eb" })),
  };
  for (const [i, [what, answer]] of Object.entries(bad).entries())
    test(what, async () => {
      world.clock.advance(minute);
      const path = `/bad-${i}.json`;
      answers.set(path, () => answer(path));
      const shown = await page(place + path);
      expect([shown.status, shown.headers.get("location")]).toEqual([400, null]);
      await page(place + path);
      // A refusal is cached for a while.
      expect(asked.filter((one) => one === path)).toHaveLength(1);
    });

  test("if its host is inside the network", async () => {
    for (const at of [
      "https://127.0.0.1/c.json",
      "https://10.0.0.1/c.json",
      "https://169.254.169.254/latest/meta-data",
    ])
      expect((await page(at)).status).toBe(400);
    expect((await page(`https://localhost:${server.port}/good.json`)).status).toBe(400);
  });

  test("if the redirect URI is not in it", async () => {
    answers.set("/good.json", () => json(documentOf("/good.json")));
    const shown = await page(`${place}/good.json`, { redirect_uri: "https://evil.example/callback" });
    expect([shown.status, shown.headers.get("location")]).toEqual([400, null]);
  });
});

test("a person can have thirty documents fetched per minute", async () => {
  world.clock.advance(minute);
  for (let i = 0; i < 30; i++) expect((await page(`${place}/none-${i}`)).status).toBe(400);
  expect((await page(`${place}/none-more`)).status).toBe(429);
  expect(asked).not.toContain("/none-more");
});

test("invalid document addresses are no clients", () => {
  for (const good of ["https://app.example/client.json", "https://app.example/a/b?c=d"])
    expect([good, isDocumentAddress(good)]).toEqual([good, true]);
  for (const bad of [
    "http://app.example/client.json",
    "https://app.example",
    "https://app.example/",
    "https://app.example/a#b",
    "https://user@app.example/a",
    "https://app.example/a/../b",
    "https://app.example/./a",
    "https://app.example/%2e%2e/a",
    "https://app.example/a b",
    "https:app.example/a",
    "ftp://app.example/a",
    "assay-cli",
  ])
    expect([bad, isDocumentAddress(bad)]).toEqual([bad, false]);
});

test("an installation that may not connect to the host refuses its client", async () => {
  await using apart = await World.open();
  const someone = await signedIn(apart, (await apart.firm()).people.owner);
  const path = authorizePath(`${place}/good.json`, { redirect_uri: callback });
  expect((await apart.ask(path, { headers: { cookie: someone } })).status).toBe(400);
  await expect(consent(apart, someone, path)).rejects.toThrow("no page: 400");
});
