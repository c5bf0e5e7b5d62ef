import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { userByEmail, workspacesOf } from "../../db/queries/firms.ts";
import { createApiKey } from "../../src/accounts/admin/keys.ts";
import { createUser } from "../../src/accounts/admin/users.ts";
import { createRedirects } from "../../src/accounts/auth/external-redirect.ts";
import type { Session } from "../../src/accounts/auth/schema.ts";
import { createPersonalConnection } from "../../src/accounts/oauth/manage.ts";
import { minute, second } from "../../src/platform/clock.ts";
import { errorIn, refusal, World } from "../support/harness.ts";
import { client, IdentityProvider } from "../support/identity-provider.ts";
import {
  codeFor,
  connected,
  exchange as oauthExchange,
  protocolRefusal,
  refresh,
  register,
} from "../support/oauth-world.ts";
import { signIn } from "../support/people.ts";

const baseUrl = "http://assay.test";
const allowed = "https://app.example.com/back";
const provider = await IdentityProvider.start(`${baseUrl}/auth/v1/callback`);
const external = { ...client, name: "keycloak", issuer: provider.issuer };
const world = await World.open(undefined, { external, redirectAllow: [allowed, "https://apps.example.com/all/"] });
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

let people = 0;
beforeEach(() => {
  const id = `person-${++people}`;
  provider.next = { id, email: `${id}@idp.test`, email_verified: true, name: "Ann Other" };
});

const json = { accept: "application/json" };
const urlIn = async (response: Response): Promise<URL> => new URL(((await response.json()) as { url: string }).url);
const pathOf = (url: string): string => url.slice(baseUrl.length);
const cookieIn = (response: Response): string => response.headers.getSetCookie()[0]?.split(";")[0] ?? "";

interface Begun {
  /** The provider's authorisation URL. */
  readonly url: string;
  readonly cookie: string;
}

async function begin(redirect_to = "/console", more: Record<string, string> = {}): Promise<Begun> {
  const query = new URLSearchParams({ provider: "keycloak", redirect_to, ...more });
  const response = await world.ask(`/auth/v1/authorize?${query}`, { headers: json });
  expect(response.status).toBe(200);
  return { url: (await urlIn(response)).href, cookie: cookieIn(response) };
}

const comeBack = (returned: string, cookie: string): Promise<Response> =>
  world.ask(pathOf(returned), { headers: { ...json, ...(cookie !== "" && { cookie }) } });

/** Completes the whole sign-in: to the provider, back, and to the page with its one-time code. */
async function throughProvider(redirect_to?: string, more?: Record<string, string>): Promise<URL> {
  const { url, cookie } = await begin(redirect_to, more);
  return urlIn(await comeBack(await provider.visit(url), cookie));
}

const exchange = (code: string | null, code_verifier?: string): Promise<Response> =>
  world.ask("/auth/v1/exchange-code", { body: { code, ...(code_verifier !== undefined && { code_verifier }) } });
const codeOf = async (...way: Parameters<typeof throughProvider>) =>
  (await throughProvider(...way)).searchParams.get("code");
const wrong: [number, string] = [401, "invalid_credentials"];

describe("signing in through an OpenID provider", () => {
  test("opens a session for a new person", async () => {
    const landed = await throughProvider();
    expect(landed.href).toStartWith(`${baseUrl}/console?code=`);
    const response = await exchange(landed.searchParams.get("code"));
    expect(response.status).toBe(200);
    const session = (await response.json()) as Session;
    expect(session.user).toMatchObject({
      email: provider.next.email,
      full_name: "Ann Other",
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: "keycloak" },
    });
    const user = await world.ask("/auth/v1/user", { as: session.access_token });
    expect(user.status).toBe(200);
    expect((await world.ask("/v1/runs", { as: session.access_token })).status).toBe(200);
  });

  test("redirects a browser, with a cookie that scripts can't read", async () => {
    const query = new URLSearchParams({ provider: "keycloak", redirect_to: `${baseUrl}/console` });
    const response = await world.ask(`/auth/v1/authorize?${query}`, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.origin).toBe(provider.issuer);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      scope: "openid email profile",
      redirect_uri: `${baseUrl}/auth/v1/callback`,
      state: expect.stringMatching(/^.{32,}$/),
      nonce: expect.stringMatching(/^.{32,}$/),
    });
    const [line = ""] = response.headers.getSetCookie();
    expect(line).toMatch(/^assay_oauth_state=[^;]+; Path=\/auth\/v1\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const back = await world.ask(pathOf(await provider.visit(location.href)), {
      headers: { accept: "text/html", cookie: cookieIn(response) },
    });
    expect([back.status, back.headers.get("location")]).toEqual([302, expect.stringContaining("/console?code=")]);
    expect(cookieIn(back)).toBe("assay_oauth_state=");
  });

  test("finds the same account again, even if the provider's email address has changed", async () => {
    const first = (await (await exchange(await codeOf())).json()) as Session;
    provider.next = { id: provider.next.id, email: "moved@idp.test", email_verified: false };
    const second = (await (await exchange(await codeOf())).json()) as Session;
    expect(second.user.id).toBe(first.user.id);
    expect(second.user.email).toBe(first.user.email);
  });

  test("is recorded in the audit log", async () => {
    const { user } = (await (await exchange(await codeOf())).json()) as Session;
    const told = await world.store.sqlite
      .query("select action from audit where actor = ? order by seq")
      .values(`user:${user.id}`);
    expect(told.flat()).toEqual(expect.arrayContaining(["user.created", "user.linked", "session.opened"]));
  });
});

describe("the account of an external sign-in", () => {
  const known = async (email: string, email_confirmed_at: number | null = world.clock.now()) => {
    const { id: firm_id } = await world.firm();
    const given = { firm_id, role: "member", email, password_hash: "chosen", email_confirmed_at } as const;
    return world.store.write((tx) =>
      createUser(tx, { actor: "operator", at: world.clock.now(), runtime: world.clock }, given),
    );
  };
  const email = () => provider.next.email ?? "";

  test("is linked if confirmed with the same address, and keeps its password", async () => {
    const user = await known(email());
    const session = (await (await exchange(await codeOf())).json()) as Session;
    expect(session.user.id).toBe(user.id);
    expect(await userByEmail(world.store.read, email())).toMatchObject({ password_hash: "chosen" });
  });

  test("passes to the address's owner if unconfirmed, without the earlier password", async () => {
    const user = await known(email(), null);
    const { firm_id } = await world.store.read
      .selectFrom("members")
      .select("firm_id")
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    const [workspace] = await workspacesOf.all(world.store.read, { firm_id });
    const owned = { firm_id, workspace_id: workspace?.id ?? "", user_id: user.id, name: "squatter's" };
    const act = { actor: "operator", at: world.clock.now(), runtime: world.clock };
    const given = { ...owned, expires_at: null, scopes: ["runs:read"] };
    const { secret } = await world.store.write((tx) => createApiKey(tx, act, given));
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(200);
    const squatter = await world.app.parts.sessions.open(user.id, "email");
    const { url } = await world.store.write((tx) => createPersonalConnection(tx, act, "", owned));
    const ping = { body: { jsonrpc: "2.0", id: 1, method: "ping" } };
    const client_id = await register(world);
    const cookie = `assay_access=${squatter.access_token}; assay_refresh=${squatter.refresh_token}`;
    const granted = await connected(world, cookie, client_id);
    const pending = await codeFor(world, cookie, client_id);
    const session = (await (await exchange(await codeOf())).json()) as Session;
    expect(session.user).toMatchObject({ id: user.id, email_confirmed_at: expect.any(String) });
    expect(await userByEmail(world.store.read, email())).toMatchObject({ password_hash: null });
    expect((await world.ask("/auth/v1/user", { as: squatter.access_token })).status).toBe(401);
    expect((await world.ask("/v1/runs", { as: secret })).status).toBe(401);
    expect((await world.ask(url, ping)).status).toBe(401);
    expect((await world.ask("/mcp", { as: granted.access_token, ...ping })).status).toBe(401);
    expect(await protocolRefusal(refresh(world, client_id, granted.refresh_token))).toEqual([400, "invalid_grant"]);
    expect(await protocolRefusal(oauthExchange(world, client_id, pending))).toEqual([400, "invalid_grant"]);
    expect((await signIn(world, email(), "chosen")).status).toBe(401);
  });

  for (const [what, claims] of [
    ["an address that the provider does not vouch for", { email_verified: false }],
    ["no statement whether the address is verified", {}],
  ] as const)
    test(`is neither found nor created with ${what}`, async () => {
      const address = email();
      await known(address);
      for (const claimed of [address, `new-${address}`]) {
        provider.next = { id: `${provider.next.id}x`, email: claimed, ...claims };
        const { url, cookie } = await begin();
        expect(await refusal(await comeBack(await provider.visit(url), cookie))).toEqual(wrong);
      }
      expect(await userByEmail(world.store.read, `new-${address}`)).toBeUndefined();
    });
});

describe("a return that does not belong to this browser's sign-in is refused", () => {
  const mix = async (change: (mine: Begun & { returned: URL }, theirs: Begun) => [URL, string]) => {
    const [mine, theirs] = [await begin(), await begin()];
    const returned = new URL(await provider.visit(mine.url));
    const [url, cookie] = change({ ...mine, returned }, theirs);
    return refusal(await comeBack(url.href, cookie));
  };
  const withState = (url: URL, state: string): URL => {
    const changed = new URL(url);
    changed.searchParams.set("state", state);
    return changed;
  };
  const stateIn = (url: string): string => new URL(url).searchParams.get("state") ?? "";

  test("without the cookie", async () => expect(await mix(({ returned }) => [returned, ""])).toEqual(wrong));
  test("with another browser's cookie", async () =>
    expect(await mix(({ returned }, theirs) => [returned, theirs.cookie])).toEqual(wrong));
  test("with another browser's cookie and its state: the code is bound to its own verifier", async () =>
    expect(await mix(({ returned }, theirs) => [withState(returned, stateIn(theirs.url)), theirs.cookie])).toEqual(
      wrong,
    ));
  test("with a changed state", async () =>
    expect(await mix(({ returned, cookie }) => [withState(returned, `${stateIn(returned.href)}x`), cookie])).toEqual(
      wrong,
    ));
  test("with a changed cookie", async () =>
    expect(await mix(({ returned, cookie }) => [returned, `${cookie.slice(0, -4)}AAAA`])).toEqual(wrong));
  test("with a forged plain-text cookie", async () =>
    expect(
      await mix(({ returned }) => {
        const forged = Buffer.from(JSON.stringify({ state: stateIn(returned.href) })).toString("base64url");
        return [returned, `assay_oauth_state=${forged}`];
      }),
    ).toEqual(wrong));
  test("with another issuer's name", async () =>
    expect(
      await mix(({ returned, cookie }) => {
        returned.searchParams.set("iss", "https://elsewhere.example");
        return [returned, cookie];
      }),
    ).toEqual(wrong));

  test("with a code of another sign-in", async () => {
    const [mine, theirs] = [await begin(), await begin()];
    const [back, stolen] = [new URL(await provider.visit(mine.url)), new URL(await provider.visit(theirs.url))];
    back.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect(await refusal(await comeBack(back.href, mine.cookie))).toEqual(wrong);
  });

  test("with a nonce that is not this sign-in's", async () => {
    const { url, cookie } = await begin();
    const changed = new URL(url);
    changed.searchParams.set("nonce", "another-nonce-that-was-slipped-in");
    expect(await refusal(await comeBack(await provider.visit(changed.href), cookie))).toEqual(wrong);
  });

  test("the second time", async () => {
    const { url, cookie } = await begin();
    const returned = await provider.visit(url);
    expect((await comeBack(returned, cookie)).status).toBe(200);
    expect(await refusal(await comeBack(returned, cookie))).toEqual(wrong);
  });

  test("after more than ten minutes", async () => {
    const { url, cookie } = await begin();
    const returned = await provider.visit(url);
    world.clock.advance(10 * minute + second);
    expect(await refusal(await comeBack(returned, cookie))).toEqual(wrong);
  });

  test("and a person who returns in vain sees the sign-in page, not JSON", async () => {
    for (const query of ["code=x&state=y", "error=access_denied&state=y", ""]) {
      const answer = await world.ask(`/auth/v1/callback?${query}`, { headers: { accept: "text/html" } });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, `${baseUrl}/sign-in?problem=external`]);
    }
  });
});

describe("a one-time code", () => {
  const verifier = randomBytes(32).toString("base64url");
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");

  test("is valid once", async () => {
    const code = await codeOf();
    expect((await exchange(code)).status).toBe(200);
    expect(await refusal(await exchange(code))).toEqual(wrong);
  });

  test("is valid for a minute", async () => {
    const code = await codeOf();
    world.clock.advance(minute);
    expect(await refusal(await exchange(code))).toEqual(wrong);
  });

  test("bound to a challenge is valid with its verifier", async () => {
    const code = await codeOf("/console", { code_challenge, code_challenge_method: "S256" });
    expect((await exchange(code, verifier)).status).toBe(200);
  });

  for (const [what, given] of [
    ["without its verifier", undefined],
    ["with another verifier", randomBytes(32).toString("base64url")],
    ["with the challenge for a verifier", code_challenge],
  ] as const)
    test(`bound to a challenge is refused ${what}, and invalidated`, async () => {
      const code = await codeOf("/console", { code_challenge, code_challenge_method: "s256" });
      expect(await refusal(await exchange(code, given))).toEqual(wrong);
      expect(await refusal(await exchange(code, verifier))).toEqual(wrong);
    });

  test("without a challenge is refused with a verifier", async () => {
    expect(await refusal(await exchange(await codeOf(), verifier))).toEqual(wrong);
  });

  test("that is forged is refused, and no secret reaches the log", async () => {
    expect(await refusal(await exchange("assay_oc_made-up"))).toEqual(wrong);
    const logged = world.logged.join("\n");
    expect(logged).not.toContain(client.client_secret);
    expect(logged).not.toContain("assay_oc_");
    expect(logged).not.toContain("@idp.test");
  });
});

describe("redirect_to", () => {
  const ask = (redirect_to: string, headers: Record<string, string> = json) =>
    world.ask(`/auth/v1/authorize?${new URLSearchParams({ provider: "keycloak", redirect_to })}`, { headers });

  for (const good of [
    "/console",
    "/console?tab=runs#top",
    `${baseUrl}/console`,
    `${baseUrl}`,
    allowed,
    `${allowed}?a=b`,
    "https://apps.example.com/all/of/them",
  ])
    test(`accepts ${good}`, async () => expect((await ask(good)).status).toBe(200));

  for (const bad of [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    " //evil.example",
    "https://evil.example",
    "https:evil.example",
    "http:/evil.example",
    `${baseUrl}.evil.example`,
    `${baseUrl}@evil.example`,
    "http://user@assay.test/console",
    "http://assay.test:8080/console",
    "https://assay.test/console",
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://assay.test/",
    "console",
    "",
    "%2F%2Fevil.example",
    "/%2Fevil.example",
    "/%5Cevil.example",
    "https%3A%2F%2Fevil.example",
    "https://app.example.com/elsewhere",
    "https://app.example.com/back/further",
    "https://app.example.com.evil.example/back",
    "https://apps.example.com/all/../elsewhere",
    "https://apps.example.com/all",
    `/${"x".repeat(2_000)}`,
    "/console\r\nset-cookie: a=b",
  ])
    test(`refuses ${JSON.stringify(bad.slice(0, 60))} without redirecting`, async () => {
      for (const headers of [json, { accept: "text/html" }]) {
        const answer = await ask(bad, headers);
        expect(answer.headers.get("location")).toBeNull();
        expect([answer.status, (await errorIn(answer)).details?.[0]?.path]).toEqual([422, "/query/redirect_to"]);
      }
    });
});

test("an installation on a path of its host redirects nowhere else on the host", () => {
  const { allowed } = createRedirects("https://host.example/assay", []);
  expect(allowed("https://host.example/assay/console")).toBe("https://host.example/assay/console");
  for (const bad of ["/console", "https://host.example/", "https://host.example/assay-too/", "/assay/../other"])
    expect(allowed(bad)).toBeUndefined();
});

describe("without a provider, or if it does not respond, external sign-in", () => {
  const path = "/auth/v1/authorize?provider=external&redirect_to=/console";

  test("says so, and the API description still names one", async () => {
    await using bare = await World.open();
    expect(await refusal(await bare.ask(path))).toEqual([422, "validation_error"]);
  });

  test("returns 503, and shows a person the sign-in page", async () => {
    const gone = await IdentityProvider.start(`${baseUrl}/auth/v1/callback`);
    await gone[Symbol.asyncDispose]();
    await using alone = await World.open(undefined, { external: { ...client, issuer: gone.issuer } });
    const page = await alone.ask(path);
    expect([page.status, page.headers.get("location")]).toEqual([302, `${baseUrl}/sign-in?problem=external`]);
    const answer = await alone.ask(path, { headers: json });
    expect(answer.headers.get("retry-after")).toBe("60");
    expect(await refusal(answer)).toEqual([503, "sign_in_unavailable"]);
  });
});
