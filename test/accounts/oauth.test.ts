import { afterAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import * as oauth from "oauth4webapi";
import { unscoped } from "../../db/tenancy.ts";
import { present } from "../../src/platform/assert.ts";
import { minute, second } from "../../src/platform/clock.ts";
import { refusal, World } from "../support/harness.ts";
import {
  authorizePath,
  base,
  callback,
  caller,
  codeFor,
  consent,
  exchange,
  landing,
  mcp,
  protocolRefusal,
  refresh,
  register,
  sendForm,
  signedIn,
  strict,
  tokensIn,
  verifier,
} from "../support/oauth-world.ts";

const world = await World.open();
const firm = await world.firm({ entitlements: ["market-intelligence:read", "distribution:read"] });
const owner = await signedIn(world, firm.people.owner);
const client_id = await register(world);
afterAll(() => world[Symbol.asyncDispose]());

test("a strict client gets from the MCP endpoint to a token, refreshes it and revokes it", async () => {
  const how = strict(world);
  const resource = new URL(mcp);
  const found = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, how),
  );
  const issuer = new URL(present(found.authorization_servers?.[0], "an authorization server"));
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...how }),
  );
  const metadata = { redirect_uris: ["http://127.0.0.1/callback"], client_name: "Strict" };
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, metadata, how),
  );
  const code_verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const path = authorizePath(client.client_id, {
    state,
    scope: "docs:read validator:read offline_access",
    code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
  });
  const location = new URL(present((await consent(world, owner, path)).headers.get("location") ?? undefined, "a way"));
  const parameters = oauth.validateAuthResponse(server, client, location, state);
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, callback, code_verifier, {
      ...how,
      additionalParameters: { resource: mcp },
    }),
  );
  expect(tokens.scope).toBe("docs:read validator:read");
  const request = new Request(mcp, { headers: { authorization: `Bearer ${tokens.access_token}` } });
  // The checker uses the machine's clock, which differs from the test's.
  const skew = { [oauth.clockSkew]: Math.floor((world.clock.now() - Date.now()) / second) };
  const claims = await oauth.validateJwtAccessToken(server, request, mcp, { ...how, ...skew });
  expect(claims).toMatchObject({ iss: base, aud: mcp, sub: firm.people.owner.id, client_id: client.client_id });
  const refresh_token = present(tokens.refresh_token, "a refresh token");
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh_token, how),
  );
  expect(refreshed.refresh_token).not.toBe(refresh_token);
  expect(await caller(world, refreshed.access_token)).toMatchObject({ kind: "connection" });
  const last = present(refreshed.refresh_token, "a refresh token");
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, oauth.None(), last, how));
  expect(await caller(world, refreshed.access_token)).toBeUndefined();
});

describe("the metadata", () => {
  test("names the single public address, whatever host is requested", async () => {
    for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]) {
      const answer = await world.ask(path, { headers: { host: "evil.example", "x-forwarded-host": "evil.example" } });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(await answer.json()).toMatchObject({ resource: mcp, authorization_servers: [base] });
    }
    const server = await world.ask("/.well-known/oauth-authorization-server", { headers: { host: "evil.example" } });
    expect(await server.json()).toMatchObject({
      ...{ issuer: base, token_endpoint: `${base}/oauth/token`, code_challenge_methods_supported: ["S256"] },
      ...{ authorization_response_iss_parameter_supported: true, client_id_metadata_document_supported: true },
      token_endpoint_auth_methods_supported: ["none"],
    });
    const openId = await world.ask("/.well-known/openid-configuration");
    expect(await openId.json()).toMatchObject({ issuer: base, subject_types_supported: ["public"] });
  });

  test("of an installation on a path is where the standards look for it", async () => {
    const baseUrl = "https://host.example/assay";
    await using below = await World.open(undefined, { baseUrl });
    for (const path of ["", "/assay"])
      expect(await (await below.ask(`/.well-known/oauth-authorization-server${path}`)).json()).toMatchObject({
        issuer: baseUrl,
      });
    for (const path of ["", "/mcp", "/assay/mcp"])
      expect(await (await below.ask(`/.well-known/oauth-protected-resource${path}`)).json()).toMatchObject({
        resource: `${baseUrl}/mcp`,
      });
  });

  test("and the programs' endpoints are usable from pages of any origin", async () => {
    for (const path of ["register", "token", "revoke"]) {
      const asked = await world.ask(`/oauth/${path}`, {
        method: "OPTIONS",
        headers: { origin: "https://app.example" },
      });
      expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
      expect(asked.headers.get("access-control-allow-headers")).toContain("content-type");
      const answered = await world.ask(`/oauth/${path}`, { body: "{" });
      expect(answered.headers.get("access-control-allow-origin")).toBe("*");
    }
    const page = await world.ask(authorizePath(client_id), { headers: { cookie: owner } });
    expect(page.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("registering a client", () => {
  const ask = (body: unknown) => world.ask("/oauth/register", { body });

  test("returns the registration, always as a public client", async () => {
    const answer = await ask({
      ...{ redirect_uris: ["https://app.example/back"], client_name: " App ", scope: "whatever", unknown: 1 },
      ...{ token_endpoint_auth_method: "client_secret_basic", client_uri: "https://app.example" },
    });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([201, "no-store"]);
    const told = (await answer.json()) as Record<string, unknown>;
    expect(told).toMatchObject({ client_name: "App", token_endpoint_auth_method: "none", response_types: ["code"] });
    expect(told).not.toHaveProperty("client_secret");
  });

  for (const redirect_uri of [
    "https://app.example/back?tab=1",
    "http://127.0.0.1/callback",
    "http://localhost:8976/oauth/callback",
    "http://[::1]/cb",
    "com.example.app:/callback",
  ])
    test(`takes ${redirect_uri}`, async () => expect((await ask({ redirect_uris: [redirect_uri] })).status).toBe(201));

  for (const redirect_uri of [
    "http://app.example/back",
    "http://127.0.0.1.evil.example/",
    "http://localhost.evil.example/",
    "https://app.example/back#fragment",
    "https://user:password@app.example/back",
    "https:app.example",
    "javascript:alert(1)",
    "javascript:/alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "ms-msdt:/id",
    "intent://scan/",
    "search-ms://query/x",
    "cursor://host/callback",
    "mailto:a@b.example",
    "/relative",
    "https://app.example/\u202e",
    "https://app.example/a b",
    "https://app.example/\\evil.example",
    `https://app.example/${"x".repeat(2_048)}`,
  ])
    test(`refuses ${JSON.stringify(redirect_uri.slice(0, 50))}`, async () => {
      const [status, code] = await protocolRefusal(ask({ redirect_uris: [redirect_uri] }));
      expect([status, /^invalid_(redirect_uri|client_metadata)$/.test(code)]).toEqual([400, true]);
    });

  test("with a scheme that others could claim says what to register instead", async () => {
    world.clock.advance(minute);
    const refused = await ask({ redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback"] });
    const { error, error_description } = (await refused.json()) as { error: string; error_description: string };
    expect([refused.status, error]).toEqual([400, "invalid_redirect_uri"]);
    for (const [instead] of error_description.matchAll(/(?:http|com)[\w.]*:\/[^\s,]*/g))
      expect([instead, (await ask({ redirect_uris: [instead] })).status]).toEqual([instead, 201]);
    expect(error_description).toContain("http://127.0.0.1/callback");
  });

  for (const [what, body] of Object.entries({
    "without a redirect": {},
    "with an empty list": { redirect_uris: [] },
    "with a name of two lines": { redirect_uris: [callback], client_name: "a\nb" },
    "with a direction override in its name": { redirect_uris: [callback], client_name: "a\u202eb" },
    "with a name of 101 characters": { redirect_uris: [callback], client_name: "x".repeat(101) },
    "for the implicit grant only": { redirect_uris: [callback], grant_types: ["implicit"] },
    "for tokens in the address": { redirect_uris: [callback], response_types: ["token"] },
    "as a list": [],
    "as invalid JSON": "{",
  }))
    test(`${what} is invalid_client_metadata`, async () => {
      world.clock.advance(minute);
      expect(await protocolRefusal(ask(body))).toEqual([400, "invalid_client_metadata"]);
    });

  test("too often from one address is 429 for a minute", async () => {
    world.clock.advance(minute);
    for (let i = 0; i < 30; i++) expect((await ask({ redirect_uris: [callback] })).status).toBe(201);
    const limited = await ask({ redirect_uris: [callback] });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "60"]);
    world.clock.advance(minute);
    expect((await ask({ redirect_uris: [callback] })).status).toBe(201);
  });

  test("expires after a day if unused, and is kept if used", async () => {
    await using apart = await World.open();
    const someone = await signedIn(apart, (await apart.firm()).people.owner);
    const [unused, used] = [await register(apart), await register(apart)];
    await codeFor(apart, someone, used);
    apart.clock.advance(24 * 60 * minute + second);
    await register(apart);
    expect((await apart.ask(authorizePath(unused))).status).toBe(400);
    expect((await apart.ask(authorizePath(used))).status).toBe(302);
  });
});

describe("a flood of registrations", () => {
  test("evicts the oldest unused one, and locks no one out", async () => {
    await using apart = await World.open();
    const oldest = await register(apart);
    apart.clock.advance(second);
    const at = apart.clock.now();
    const flood = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 19999)
      insert into oauth_clients (id, redirect_uris_json, created_at) select 'flood-' || i, '[]', ${at} from n`;
    await apart.store.write((tx) => flood.execute(unscoped(tx)));
    apart.clock.advance(second);
    const newest = await register(apart);
    expect((await apart.ask(authorizePath(oldest))).status).toBe(400);
    expect((await apart.ask(authorizePath(newest))).status).toBe(302);
  });
});

describe("an authorization request", () => {
  for (const [what, other] of Object.entries({
    "of an unknown client": { client_id: "nobody" },
    "without a client": { client_id: undefined },
    "to another host": { redirect_uri: "https://evil.example/callback" },
    "to another path": { redirect_uri: "http://127.0.0.1:53682/callback/more" },
    "to another loopback host": { redirect_uri: "http://localhost:53682/callback" },
    "to a host that starts like ours": { redirect_uri: "http://127.0.0.1.evil.example/callback" },
    "with another query": { redirect_uri: "http://127.0.0.1:53682/callback?a=b" },
    "to a javascript: address": { redirect_uri: "javascript:alert(1)" },
  }))
    test(`${what} shows an error page and does not redirect`, async () => {
      const answer = await world.ask(authorizePath(client_id, other), { headers: { cookie: owner } });
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      expect(await answer.text()).not.toContain("evil.example");
    });

  for (const [what, other, error] of [
    ["without PKCE", { code_challenge: undefined }, "invalid_request"],
    ["with plain PKCE", { code_challenge_method: "plain", code_challenge: verifier }, "invalid_request"],
    ["without a PKCE method", { code_challenge_method: undefined }, "invalid_request"],
    ["with a challenge of another length", { code_challenge: "short" }, "invalid_request"],
    ["for a token in the address", { response_type: "token" }, "unsupported_response_type"],
    ["without a response type", { response_type: undefined }, "invalid_request"],
    ["for an answer in the fragment", { response_mode: "fragment" }, "invalid_request"],
    ["for nothing but unknown scopes", { scope: "admin openid" }, "invalid_scope"],
    ["for scopes that open nothing at /mcp", { scope: "profile:read profile:read" }, "invalid_scope"],
    ["for another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    ["for the whole API", { resource: base }, "invalid_target"],
  ] as const)
    test(`${what} redirects with ${error}, state and iss`, async () => {
      const { at, said } = landing(await world.ask(authorizePath(client_id, other), { headers: { cookie: owner } }));
      expect(at).toBe(callback);
      expect(said).toMatchObject({ error, state: "s t&te", iss: base });
    });

  test("that is invalid does not redirect to the client before sign-in, as anyone may have registered it", async () => {
    const elsewhere = await register(world, { redirect_uris: ["https://phishing.example/"] });
    const other = { redirect_uri: "https://phishing.example/", code_challenge: undefined };
    const { at } = landing(await world.ask(authorizePath(elsewhere, other)));
    expect(at).toBe(`${base}/sign-in`);
  });

  test("with a repeated parameter is refused; the same resource twice is accepted", async () => {
    const path = authorizePath(client_id);
    const twice = await world.ask(`${path}&redirect_uri=${encodeURIComponent(callback)}`, {
      headers: { cookie: owner },
    });
    expect(twice.status).toBe(400);
    const alike = await world.ask(`${path}&resource=${encodeURIComponent(mcp)}`, { headers: { cookie: owner } });
    expect(alike.status).toBe(200);
  });

  test("without a session redirects to the sign-in, and back", async () => {
    const path = authorizePath(client_id, { state: "x".repeat(400) });
    const { at, said } = landing(await world.ask(path));
    expect([at, said.redirect_to]).toEqual([`${base}/sign-in`, base + path]);
    const page = await (await world.ask(`/sign-in?${new URLSearchParams(said)}`)).text();
    expect(page).toContain(`data-next="${path.replaceAll("&", "&amp;")}"`);
  });

  test("may omit the redirect URI if the client has only one", async () => {
    const only = await register(world, { redirect_uris: ["https://app.example/back?tab=1"] });
    const path = authorizePath(only, { redirect_uri: undefined });
    const { at, said } = landing(await consent(world, owner, path));
    expect([at, said.tab, said.iss]).toEqual(["https://app.example/back", "1", base]);
    expect(said.code).toStartWith("assay_ac_");
  });

  test("may redirect to loopback with any port", async () => {
    const redirect_uri = "http://127.0.0.1:1234/callback";
    expect(landing(await consent(world, owner, authorizePath(client_id, { redirect_uri }))).at).toBe(redirect_uri);
  });
});

describe("a code", () => {
  const fresh = () => codeFor(world, owner, client_id);

  test("is exchanged for uncacheable tokens, for this resource only", async () => {
    const answer = await exchange(world, client_id, await fresh());
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { access_token, expires_in } = await tokensIn(answer);
    expect(expires_in).toBe(900);
    expect(await refusal(await world.ask("/v1/runs", { as: access_token }))).toEqual([401, "invalid_api_key"]);
    expect(await refusal(await world.ask("/auth/v1/user", { as: access_token }))).toEqual([401, "invalid_api_key"]);
    world.clock.advance(15 * minute);
    expect(await caller(world, access_token)).toBeUndefined();
  });

  test("used a second time is refused, and revokes what the first use granted", async () => {
    const code = await fresh();
    const { access_token, refresh_token } = await tokensIn(exchange(world, client_id, code));
    expect(await caller(world, access_token)).toBeDefined();
    expect(await protocolRefusal(exchange(world, client_id, code))).toEqual([400, "invalid_grant"]);
    expect(await caller(world, access_token)).toBeUndefined();
    expect(await protocolRefusal(refresh(world, client_id, refresh_token))).toEqual([400, "invalid_grant"]);
  });

  test("of another client is refused, and stays valid for its own", async () => {
    const other = await register(world);
    const code = await fresh();
    expect(await protocolRefusal(exchange(world, other, code))).toEqual([400, "invalid_grant"]);
    await tokensIn(exchange(world, client_id, code));
  });

  for (const [what, other, error] of [
    ["with another redirect", { redirect_uri: "http://127.0.0.1:1/callback" }, "invalid_grant"],
    ["with a wrong verifier", { code_verifier: "w".repeat(64) }, "invalid_grant"],
    ["with a short verifier", { code_verifier: "short" }, "invalid_grant"],
    ["without a verifier", { code_verifier: undefined }, "invalid_request"],
    ["for another resource", { resource: "https://elsewhere.example/mcp" }, "invalid_target"],
    ["that was never issued", { code: "assay_ac_nothing" }, "invalid_grant"],
    ["without a grant type", { grant_type: undefined }, "invalid_request"],
    ["with a password grant", { grant_type: "password" }, "unsupported_grant_type"],
  ] as const)
    test(`${what} is ${error}`, async () => {
      expect(await protocolRefusal(exchange(world, client_id, await fresh(), other))).toEqual([400, error]);
    });

  test("without a client is invalid_request, with an unknown one or a secret invalid_client", async () => {
    const code = await fresh();
    expect(await protocolRefusal(exchange(world, client_id, code, { client_id: undefined }))).toEqual([
      400,
      "invalid_request",
    ]);
    const unknown = await exchange(world, "nobody", code);
    // A challenge would make browsers prompt for a password.
    expect(unknown.headers.get("www-authenticate")).toBeNull();
    expect(await protocolRefusal(unknown)).toEqual([401, "invalid_client"]);
    const basic = { authorization: `Basic ${btoa("a:b")}` };
    const answer = await sendForm(world, "/oauth/token", { grant_type: "authorization_code", code }, basic);
    expect(answer.headers.get("www-authenticate")).toStartWith("Basic");
    expect(await protocolRefusal(answer)).toEqual([401, "invalid_client"]);
  });

  test("is valid for sixty seconds", async () => {
    const [early, late] = [await fresh(), await fresh()];
    world.clock.advance(59 * second);
    await tokensIn(exchange(world, client_id, early));
    world.clock.advance(second);
    expect(await protocolRefusal(exchange(world, client_id, late))).toEqual([400, "invalid_grant"]);
  });

  test("used many times concurrently gives at most one connection, which is revoked", async () => {
    const code = await fresh();
    const answers = await Promise.all([1, 2, 3].map(() => exchange(world, client_id, code)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    for (const answer of given) expect(await caller(world, (await tokensIn(answer)).access_token)).toBeUndefined();
  });

  test("as JSON instead of a form is invalid_request", async () => {
    const body = { grant_type: "authorization_code", client_id, code: await fresh() };
    expect(await protocolRefusal(world.ask("/oauth/token", { body }))).toEqual([400, "invalid_request"]);
  });
});
