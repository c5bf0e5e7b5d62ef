import { afterAll, describe, expect, test } from "bun:test";
import { sessionIdleLimit } from "../../src/accounts/auth/sessions.ts";
import { minute, second } from "../../src/platform/clock.ts";
import { refusal, World } from "../support/harness.ts";

const origin = "http://assay.test";
const world = await World.open();
const firm = await world.firm();
afterAll(() => world[Symbol.asyncDispose]());

const email = "somebody@pages.test";
const password = "four words nobody combines";
const made = await world.ask("/auth/v1/signup", { body: { email, password } });
if (made.status !== 200) throw new Error(`no account for the tests: ${made.status}`);

const own = { origin, "sec-fetch-site": "same-origin" };

/** A browser's cookie jar. */
class Jar {
  private readonly cookies = new Map<string, string>();
  keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
  drop(name: string): void {
    this.cookies.delete(name);
  }
  get(name: string): string | undefined {
    return this.cookies.get(name);
  }
  /** The session's cookies. The browser's marker cookie outlives them and grants no access. */
  get header(): string {
    return [...this.cookies]
      .filter(([name]) => name !== "assay_browser")
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
  }
}

async function signedIn(): Promise<Jar> {
  const jar = new Jar();
  const response = jar.keep(await world.ask("/session", { body: { email, password }, headers: own }));
  expect(response.status).toBe(204);
  return jar;
}

const ask = (jar: Jar, path: string, method = "GET", headers: Record<string, string> = own, body?: unknown) =>
  world.ask(path, { method, body, headers: { ...headers, cookie: jar.header } });

test("a browser's marker cookie grants no access", async () => {
  const response = await world.ask("/session", { body: { email, password }, headers: own });
  const mark =
    response.headers
      .getSetCookie()
      .find((line) => line.startsWith("assay_browser="))
      ?.split(";")[0] ?? "";
  expect((await world.ask("/auth/v1/user", { headers: { ...own, cookie: mark } })).status).toBe(401);
});

describe("a browser's session", () => {
  test("is kept in cookies unreadable to scripts, not sent from other sites, and never cached", async () => {
    const response = await world.ask("/session", { body: { email, password }, headers: own });
    const lines = response.headers.getSetCookie();
    expect(lines.map((line) => line.split("=")[0])).toEqual(["assay_browser", "assay_access", "assay_refresh"]);
    for (const line of lines) expect(line).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toBe("");
  });

  test("gets uncacheable responses; those to a key need no header for it", async () => {
    const jar = await signedIn();
    const kept = ({ status, headers }: Response) => [status, headers.get("cache-control")];
    for (const path of ["/v1/runs", "/v1/credits", "/v1/team/members"])
      expect(kept(await ask(jar, path))).toEqual([200, "no-store"]);
    expect(kept(await world.ask("/v1/credits", { as: (await world.firm()).key }))).toEqual([200, null]);
  });

  test("waits for TLS at an https address, with cookie names that no sibling host can set", async () => {
    await using secure = await World.open(undefined, { baseUrl: "https://assay.test" });
    await secure.ask("/auth/v1/signup", { body: { email, password } });
    const headers = { origin: "https://assay.test" };
    const response = await secure.ask("/session", { body: { email, password }, headers });
    const lines = response.headers.getSetCookie();
    expect(lines.map((line) => line.split("=")[0])).toEqual([
      "__Host-assay_browser",
      "__Host-assay_access",
      "__Host-assay_refresh",
    ]);
    for (const line of lines) expect(line).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
  });

  for (const [path, credential] of [
    ["/auth/v1/user", "Token"],
    ["/v1/runs", "Platform"],
    ["/v1/capabilities/echo", "Platform, optional"],
  ])
    test(`is accepted where ${credential} credentials are (${path})`, async () => {
      expect((await ask(await signedIn(), path ?? "")).status).toBe(200);
    });

  test("is not accepted where only API keys are", async () => {
    expect(await refusal(await ask(await signedIn(), "/v1/me"))).toEqual([401, "invalid_api_key"]);
  });

  test("is ignored if a bearer token is sent too", async () => {
    const jar = await signedIn();
    const headers = { ...own, authorization: "Bearer garbage", cookie: jar.header };
    expect((await world.ask("/auth/v1/user", { headers })).status).toBe(401);
    const asFirm = await world.ask("/v1/runs", { headers: { ...own, cookie: jar.header }, as: firm.key });
    expect(asFirm.status).toBe(200);
  });

  test("refuses requests of a page shown to another person or in another firm", async () => {
    const jar = await signedIn();
    const { id } = (await (await ask(jar, "/auth/v1/user")).json()) as { id: string };
    const [workspace] = (await (await ask(jar, "/v1/developer/workspaces")).json()) as { firm: { id: string } }[];
    const theirs = { "x-assay-user": id, "x-assay-firm": workspace?.firm.id ?? "none" };
    const invite = (headers: Record<string, string>) =>
      ask(jar, "/v1/team/invitations", "POST", headers, { email: "guest@pages.test", role: "member" });
    for (const other of [{ "x-assay-user": firm.people.owner.id }, { "x-assay-firm": firm.id }]) {
      const headers = { ...own, ...theirs, ...other };
      for (const answer of [await ask(jar, "/v1/credits", "GET", headers), await invite(headers)])
        expect(await answer.json()).toMatchObject({
          error: { code: "validation_error", details: [{ path: `/header/${Object.keys(other)[0]}` }] },
        });
    }
    expect(await (await ask(jar, "/v1/team/invitations")).json()).toMatchObject({ items: [] });
    expect((await ask(jar, "/v1/credits", "GET", { ...own, ...theirs })).status).toBe(200);
    expect((await invite({ ...own, ...theirs })).status).toBe(201);
  });

  test("continues when its access token has expired, with new cookies in the response", async () => {
    const jar = await signedIn();
    world.clock.advance(15 * minute + second);
    const answer = jar.keep(await ask(jar, "/auth/v1/user"));
    expect([answer.status, answer.headers.getSetCookie().length]).toEqual([200, 2]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const next = await ask(jar, "/auth/v1/user");
    expect([next.status, next.headers.getSetCookie()]).toEqual([200, []]);
  });

  test("continues in parallel tabs, and when a response with its cookies was lost", async () => {
    const jar = await signedIn();
    jar.drop("assay_access");
    const answers = await Promise.all([1, 2, 3].map(() => ask(jar, "/auth/v1/user")));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    world.clock.advance(minute);
    expect((await ask(jar, "/auth/v1/user")).status).toBe(200);
  });

  test("is renewed by an error response too", async () => {
    const jar = await signedIn();
    jar.drop("assay_access");
    const refused = jar.keep(await ask(jar, "/auth/v1/user", "PATCH", own, { full_name: 7 }));
    expect([refused.status, refused.headers.getSetCookie().length]).toEqual([422, 2]);
    expect(jar.get("assay_access")).toBeString();
  });

  test("expires after thirty days without use, and its cookies are deleted", async () => {
    const jar = await signedIn();
    world.clock.advance(sessionIdleLimit + second);
    const answer = jar.keep(await ask(jar, "/auth/v1/user"));
    expect([answer.status, jar.header]).toEqual([401, ""]);
  });

  test("ends with signing out, after which neither cookie works", async () => {
    const jar = await signedIn();
    const copy = { cookie: jar.header, ...own };
    expect(jar.keep(await ask(jar, "/session", "DELETE")).status).toBe(204);
    expect(jar.header).toBe("");
    expect((await world.ask("/auth/v1/user", { headers: copy })).status).toBe(401);
  });

  test("ends when another one starts in the same browser", async () => {
    const jar = await signedIn();
    const before = { cookie: jar.header, ...own };
    expect(jar.keep(await ask(jar, "/session", "POST", own, { email, password })).status).toBe(204);
    expect((await world.ask("/auth/v1/user", { headers: before })).status).toBe(401);
    expect((await ask(jar, "/auth/v1/user")).status).toBe(200);
  });

  test("does no harm after its end if no credential is needed", async () => {
    const cookie = "assay_access=garbage; assay_refresh=garbage";
    expect((await world.ask("/v1/capabilities/echo", { headers: { cookie } })).status).toBe(200);
    expect((await world.ask("/auth/v1/user", { headers: { cookie } })).status).toBe(401);
  });
});

/** What browsers report about a request's origin, and whether a cookie may authorise a change then. */
const origins: readonly [what: string, headers: Record<string, string>, accepted: boolean][] = [
  ["one of our own pages", own, true],
  ["one of our own pages, in a browser without Sec-Fetch-Site", { origin }, true],
  ["one of our own pages, in a browser that sends no Origin", { "sec-fetch-site": "same-origin" }, true],
  ["another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, false],
  ["another site that claims our origin", { origin, "sec-fetch-site": "cross-site" }, false],
  ["a neighbouring host", { origin: "http://other.assay.test", "sec-fetch-site": "same-site" }, false],
  ["another port", { origin: "http://assay.test:8080" }, false],
  ["another scheme", { origin: "https://assay.test" }, false],
  ["a host that starts like ours", { origin: "http://assay.test.evil.example" }, false],
  ["a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }, false],
  ["a sandboxed frame, in a browser without Sec-Fetch-Site", { origin: "null" }, false],
  ["nowhere (an address typed in)", { "sec-fetch-site": "none" }, false],
  ["no stated origin", {}, false],
];

describe("a change authorised by a cookie, sent from", () => {
  for (const [what, headers, accepted] of origins)
    test(`${what}, is ${accepted ? "carried out" : "refused, and nothing changes"}`, async () => {
      const jar = await signedIn();
      const name = crypto.randomUUID();
      for (const method of ["PATCH", "PUT"]) {
        const answer = await ask(jar, "/auth/v1/user", method, headers, { full_name: name });
        expect(answer.status).toBe(accepted ? 200 : 401);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      const user = await (await ask(jar, "/auth/v1/user")).text();
      expect(user.includes(name)).toBe(accepted);
      expect((await ask(jar, "/session", "DELETE", headers)).status).toBe(accepted ? 204 : 422);
      expect((await ask(jar, "/auth/v1/user")).status).toBe(accepted ? 401 : 200);
    });
});

describe("a sign-in sent from", () => {
  for (const [what, headers, accepted] of origins)
    test(`${what}, ${accepted ? "is accepted" : "sets no cookie, so that it signs no one in as someone else"}`, async () => {
      const answer = await world.ask("/session", { body: { email, password }, headers });
      expect(answer.status).toBe(accepted ? 204 : 422);
      expect(answer.headers.getSetCookie().length > 0).toBe(accepted);
    });

  test("our own page as a form instead of JSON is refused", async () => {
    const body = `email=${encodeURIComponent(email)}&password=${encodeURIComponent(password)}`;
    const headers = { ...own, "content-type": "application/x-www-form-urlencoded" };
    expect((await world.ask("/session", { body, headers })).status).toBe(422);
  });

  test("our own page with a wrong password sets no cookie", async () => {
    const answer = await world.ask("/session", { body: { email, password: "wrong" }, headers: own });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await refusal(answer)).toEqual([401, "invalid_credentials"]);
  });
});

test("a cookie with a similar name is not accepted as a session", async () => {
  const jar = await signedIn();
  const access = jar.get("assay_access") ?? "";
  for (const cookie of [`xassay_access=${access}`, `assay_access_=${access}`, `a="assay_access=${access}"`])
    expect((await world.ask("/auth/v1/user", { headers: { ...own, cookie } })).status).toBe(401);
  const among = `a=b; assay_access=${access}; c=d`;
  expect((await world.ask("/auth/v1/user", { headers: { ...own, cookie: among } })).status).toBe(200);
});
