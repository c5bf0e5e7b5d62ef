import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Stored } from "../../src/cli/client/store.ts";
import { openWorld, password, type World } from "../support/client-cli-world.ts";
import { decideInBrowser, talking } from "../support/client-sign-in-world.ts";
import { until } from "../support/harness.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

let homes = 0;
/** A person who has set only the server, with a folder for settings. */
function newcomer(more: Readonly<Record<string, string>> = {}) {
  const folder = world.file(`person${++homes}`);
  const path = join(folder, "assay", "config.json");
  return {
    path,
    env: { ASSAY_API_KEY: "", XDG_CONFIG_HOME: folder, ...more },
    stored: (): Stored => JSON.parse(readFileSync(path, "utf8")),
    store(stored: Stored): void {
      mkdirSync(join(folder, "assay"), { recursive: true });
      writeFileSync(path, JSON.stringify(stored), { mode: 0o600 });
    },
  };
}
type Newcomer = ReturnType<typeof newcomer>;

/** Returns a session of the rich firm's owner, as issued at sign-in. */
async function session(): Promise<NonNullable<Stored["session"]>> {
  const body = JSON.stringify({ email: "rich@example.com", password });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${world.baseUrl}/auth/v1/token?grant_type=password`, { method: "POST", headers, body });
  const { access_token, refresh_token, expires_at } = (await response.json()) as NonNullable<Stored["session"]>;
  return { access_token, refresh_token, expires_at };
}

const works = async (credential: string | undefined, path: string): Promise<boolean> =>
  (await fetch(world.baseUrl + path, { headers: { authorization: `Bearer ${credential}` } })).ok;

async function signIn({ env }: Newcomer, ...args: string[]) {
  const login = talking(world, ["login", "--no-browser", ...args], env);
  const url = await login.said(/http\S+\/oauth\/authorize\S+/);
  return { login, url };
}

describe("signing in with an API key", () => {
  test("reads the key from stdin, tests it, and stores it for its owner only", async () => {
    const person = newcomer();
    const { code, out, err } = await world.assay(["login", "--api-key"], {
      env: person.env,
      stdin: `${world.key.all}\n`,
    });
    expect([code, out]).toEqual([0, ""]);
    expect(person.stored()).toEqual({ base_url: world.baseUrl, api_key: world.key.all });
    expect(statSync(person.path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(person.path, ".."))).toEqual(["config.json"]);
    expect(err).not.toContain(world.key.all);
    const env = { ...person.env, ASSAY_BASE_URL: "" };
    const who = await world.assay(["whoami"], { env });
    expect(who.out).toContain("rich@example.com");
    expect(who.out).toContain(world.key.all.slice(0, 17));
    expect(who.out).not.toContain(world.key.all);
    expect(JSON.parse((await world.assay(["whoami", "--json"], { env })).out)).toMatchObject({
      base_url: world.baseUrl,
      email: "rich@example.com",
      signed_in: false,
    });
  });

  test("has the profile of the key's owner, and --json is the API's body", async () => {
    expect((await world.assay(["profile"])).out).toMatch(/e-mail\trich@example.com/);
    const { out } = await world.assay(["profile", "--json"]);
    expect(out).toBe(`${await (await world.ask("/v1/me")).text()}\n`);
  });

  test("refuses a key on the command line without repeating it", async () => {
    const person = newcomer();
    const { code, err } = await world.assay(["login", "--api-key", world.key.all], { env: person.env });
    expect(code).toBe(2);
    expect(err).toContain("stdin");
    expect(err).not.toContain(world.key.all.slice(0, 17));
    expect(existsSync(person.path)).toBe(false);
  });

  test("exits with 3 for an unknown, malformed or missing key, and stores nothing", async () => {
    for (const stdin of [`assay_sk_${"x".repeat(47)}`, "no key", "eyJhbGciOi.x.y", ""]) {
      const person = newcomer();
      const { code, err } = await world.assay(["login", "--api-key"], { env: person.env, stdin });
      expect([code, err.includes("xxxx")]).toEqual([3, false]);
      expect(existsSync(person.path)).toBe(false);
    }
  });

  test("accepts a key that may not read the profile", async () => {
    const person = newcomer();
    expect((await world.assay(["login", "--api-key"], { env: person.env, stdin: world.key.readOnly })).code).toBe(0);
    expect((await world.assay(["whoami"], { env: person.env })).out).toContain("profile:read");
  });

  test("ends with logout, which deletes a given key locally and warns that it remains valid", async () => {
    const person = newcomer();
    person.store({ base_url: world.baseUrl, api_key: world.key.all });
    const { code, err } = await world.assay(["logout"], { env: person.env });
    expect(code).toBe(0);
    expect(err).toContain("still works");
    expect(person.stored()).toEqual({ base_url: world.baseUrl });
    expect(await works(world.key.all, "/v1/me")).toBe(true);
    expect((await world.assay(["whoami"], { env: person.env })).code).toBe(3);
    expect((await world.assay(["logout"], { env: person.env })).err).toContain("You are not signed in");
  });
});

describe("signing in in the browser", () => {
  test("gives a key and a session: the key works for runs, the session for approvals, and logout ends both", async () => {
    const person = newcomer();
    const { login, url } = await signIn(person);
    const back = await fetch(await decideInBrowser(world, url, "allow"));
    expect([back.status, await back.text()]).toEqual([200, expect.stringContaining("You are signed in")]);
    const { code, out, err } = await login.ended();
    expect([code, out]).toEqual([0, ""]);
    expect(err).toContain("rich, workspace First, as owner");
    const stored = person.stored();
    expect(err).not.toContain(stored.api_key ?? "-");
    expect(statSync(person.path).mode & 0o777).toBe(0o600);

    const run = await world.assay(["run", "decided", "--set", "text=abc", "--json"], { env: person.env });
    const { id } = JSON.parse(run.out);
    const waits = async () => (await world.assay(["approvals", "list"], { env: person.env })).out.includes(id);
    await until(waits, "the run waits");
    expect((await world.assay(["approvals", "approve", id], { env: person.env })).code).toBe(0);
    const sessions = await fetch(`${world.baseUrl}/auth/v1/sessions`, {
      headers: { authorization: `Bearer ${stored.session?.access_token}` },
    });
    expect(await sessions.text()).toContain('"user_agent":"assay/');

    expect((await world.assay(["logout"], { env: person.env })).code).toBe(0);
    expect(person.stored()).toEqual({ base_url: world.baseUrl });
    expect(await works(stored.api_key, "/v1/me")).toBe(false);
    expect(await works(stored.session?.access_token, "/auth/v1/user")).toBe(false);
  });

  test("sends PKCE and a state, and ignores a response without that state", async () => {
    const person = newcomer();
    const { login, url } = await signIn(person);
    const { searchParams } = new URL(url);
    expect(searchParams.get("code_challenge_method")).toBe("S256");
    expect(searchParams.get("state")?.length).toBeGreaterThan(40);
    const redirect = searchParams.get("redirect_uri") ?? "";
    expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const forged = await fetch(`${redirect}?code=stolen&state=guessed&iss=${encodeURIComponent(world.baseUrl)}`);
    expect(forged.status).toBe(400);
    expect((await fetch(redirect.replace("callback", "other"))).status).toBe(404);
    await fetch(await decideInBrowser(world, url, "allow"));
    expect((await login.ended()).code).toBe(0);
  });

  test("does not exchange the response of another server", async () => {
    const { login, url } = await signIn(newcomer());
    const { searchParams } = new URL(url);
    const answer = new URLSearchParams({
      code: "abc",
      state: searchParams.get("state") ?? "",
      iss: "https://evil.example",
    });
    expect((await fetch(`${searchParams.get("redirect_uri")}?${answer}`)).status).toBe(403);
    const { code, err } = await login.ended();
    expect(code).toBe(3);
    expect(err).toContain("a different server");
  });

  test("exits with 3 if declined, and stores nothing", async () => {
    const person = newcomer();
    const { login, url } = await signIn(person);
    expect((await fetch(await decideInBrowser(world, url, "deny"))).status).toBe(403);
    const { code, err } = await login.ended();
    expect(code).toBe(3);
    expect(err).toContain("declined");
    expect(existsSync(person.path)).toBe(false);
  });

  test("exits with 1 on timeout, and with 130 on Ctrl-C", async () => {
    const late = await world.assay(["login", "--no-browser", "--timeout", "1"], { env: newcomer().env });
    expect([late.code, late.err]).toEqual([1, expect.stringContaining("No sign-in within 1 s.")]);
    const { login } = await signIn(newcomer());
    await login.said(/Ctrl-C stops/);
    login.child.kill("SIGINT");
    expect(await login.ended()).toMatchObject({
      code: 130,
      err: expect.stringContaining("assay: Stopped. You are not signed in."),
    });
    expect((await world.assay(["login", "--timeout", "soon"], { env: newcomer().env })).code).toBe(2);
  });

  test("starts the browser named by BROWSER, with only the address", async () => {
    const seen = world.file("opened");
    writeFileSync(world.file("browser"), `#!/bin/sh\nprintf '%s' "$#:$1" > ${seen}.new; mv ${seen}.new ${seen}\n`);
    chmodSync(world.file("browser"), 0o755);
    const login = talking(world, ["login"], newcomer({ BROWSER: world.file("browser") }).env);
    const url = await login.said(/http\S+\/oauth\/authorize\S+/);
    await fetch(await decideInBrowser(world, url, "allow"));
    expect(await login.ended()).toMatchObject({ code: 0, err: expect.stringContaining("If it did not open") });
    await until(() => existsSync(seen), "the browser has started");
    expect(readFileSync(seen, "utf8")).toBe(`1:${url}`);
  });

  test("revokes the previous credentials when repeated, and leaves nothing if the workspace is unknown", async () => {
    const person = newcomer();
    const first = await signIn(person);
    await fetch(await decideInBrowser(world, first.url, "allow"));
    await first.login.ended();
    const before = person.stored();
    const wrong = await signIn(person, "--workspace", "nowhere");
    await fetch(await decideInBrowser(world, wrong.url, "allow"));
    expect(await wrong.login.ended()).toMatchObject({
      code: 1,
      err: expect.stringContaining('no workspace "nowhere"'),
    });
    expect(person.stored()).toEqual(before);
    const again = await signIn(person, "--workspace", "first");
    await fetch(await decideInBrowser(world, again.url, "allow"));
    expect((await again.login.ended()).code).toBe(0);
    expect(await works(before.api_key, "/v1/me")).toBe(false);
    expect(await works(person.stored().api_key, "/v1/me")).toBe(true);
  });

  test("distinguishes a server without it, one with another name, and one that is down", async () => {
    await using plain = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("", { status: 404 }) });
    const without = await world.assay(["login", "--base-url", plain.url.href], { env: newcomer().env });
    expect([without.code, without.err]).toEqual([1, expect.stringContaining("offers no browser sign-in")]);
    const other = world.baseUrl.replace("127.0.0.1", "localhost");
    const renamed = await world.assay(["login", "--base-url", other], { env: newcomer().env });
    expect([renamed.code, renamed.err]).toEqual([
      1,
      expect.stringContaining(`assay login --base-url ${world.baseUrl}`),
    ]);
    const down = await world.assay(["login", "--base-url", "http://127.0.0.1:1"], { env: newcomer().env });
    expect([down.code, down.err]).toEqual([1, expect.stringContaining("assay serve --demo")]);
  });
});

describe("the stored session", () => {
  const expired = { expires_at: 1_000 };

  test("is renewed after it has expired, and the new one is stored", async () => {
    const person = newcomer();
    const old = await session();
    person.store({ base_url: world.baseUrl, session: { ...old, ...expired } });
    expect((await world.assay(["approvals", "list"], { env: person.env })).code).toBe(0);
    const { session: renewed } = person.stored();
    expect(renewed?.refresh_token).not.toBe(old.refresh_token);
    expect(renewed?.expires_at).toBeGreaterThan(Date.now() / 1000 + 60);
  });

  test("serves five simultaneous commands that all find it expired, and the next, and leaves no lock", async () => {
    const person = newcomer();
    person.store({ base_url: world.baseUrl, session: { ...(await session()), ...expired } });
    const all = Array.from({ length: 5 }, () => world.assay(["approvals", "list"], { env: person.env }));
    expect((await Promise.all(all)).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect((await world.assay(["approvals", "list"], { env: person.env })).code).toBe(0);
    expect(readdirSync(join(person.path, ".."))).toEqual(["config.json"]);
  });

  test("is renewed despite the lock of a command that was killed", async () => {
    const person = newcomer();
    person.store({ base_url: world.baseUrl, session: { ...(await session()), ...expired } });
    const gone = Bun.spawn(["true"]);
    await gone.exited;
    writeFileSync(`${person.path}.lock`, String(gone.pid));
    expect((await world.assay(["approvals", "list"], { env: person.env })).code).toBe(0);
  });

  test("is exit 3 if it has ended, is deleted, and a key next to it still works", async () => {
    const person = newcomer();
    const over = { ...(await session()), ...expired, refresh_token: "nonsense" };
    person.store({ base_url: world.baseUrl, api_key: world.key.all, session: over });
    expect((await world.assay(["whoami"], { env: person.env })).out).toContain("need a sign-in");
    person.store({ base_url: world.baseUrl, api_key: world.key.all, session: over });
    const { code, err } = await world.assay(["approvals", "list"], { env: person.env });
    expect([code, err]).toEqual([3, expect.stringContaining("assay login")]);
    expect(person.stored()).toEqual({ base_url: world.baseUrl, api_key: world.key.all });
    expect((await world.assay(["credits"], { env: person.env })).code).toBe(0);
  });

  test("replaces a missing key, at its own server only", async () => {
    const person = newcomer();
    person.store({ base_url: world.baseUrl, session: await session() });
    expect((await world.assay(["credits"], { env: person.env })).code).toBe(0);
    const seen: (string | null)[] = [];
    await using elsewhere = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        seen.push(request.headers.get("authorization"));
        return Response.json({ items: [], next_cursor: null });
      },
    });
    await world.assay(["runs", "list"], { env: { ...person.env, ASSAY_BASE_URL: elsewhere.url.href } });
    expect(seen).toEqual([null]);
  });

  test("is deleted by logout without the server, which reports what remains valid", async () => {
    const person = newcomer();
    const id = "0190a0b0-0000-7000-8000-000000000000";
    person.store({ base_url: "http://127.0.0.1:1", api_key: world.key.all, api_key_id: id, session: await session() });
    const { code, err } = await world.assay(["logout"], { env: { ...person.env, ASSAY_BASE_URL: "" } });
    expect(code).toBe(1);
    expect(err).toContain(id);
    expect(err).toContain("http://127.0.0.1:1/account");
    expect(person.stored()).toEqual({ base_url: "http://127.0.0.1:1" });
  });
});

describe("the settings file", () => {
  test("requires a home: without one, login says what to set and asks no one to sign in", async () => {
    const env = { ASSAY_API_KEY: "", HOME: "", XDG_CONFIG_HOME: "" };
    const { code, err } = await world.assay(["login", "--no-browser"], { env });
    expect(code).toBe(1);
    expect(err).toContain("XDG_CONFIG_HOME");
    expect(err).not.toContain("/oauth/authorize");
  });

  test("requires a folder: if it can't be created, login says so", async () => {
    writeFileSync(world.file("file"), "");
    const env = { ASSAY_API_KEY: "", XDG_CONFIG_HOME: world.file("file") };
    const { code, err } = await world.assay(["login", "--api-key"], { env, stdin: world.key.all });
    expect(code).toBe(1);
    expect(err).toContain("can't be written");
  });

  test("stays a link if it is one, and keeps properties of other versions", async () => {
    const person = newcomer();
    const real = world.file("dotfiles.json");
    writeFileSync(real, JSON.stringify({ theme: "dark" }), { mode: 0o600 });
    mkdirSync(join(person.path, ".."), { recursive: true });
    symlinkSync(real, person.path);
    expect((await world.assay(["login", "--api-key"], { env: person.env, stdin: world.key.all })).code).toBe(0);
    expect(JSON.parse(readFileSync(real, "utf8"))).toMatchObject({ theme: "dark", api_key: world.key.all });
  });

  test("is not overwritten by login if corrupted", async () => {
    const person = newcomer();
    mkdirSync(join(person.path, ".."), { recursive: true });
    writeFileSync(person.path, "{ broken", { mode: 0o600 });
    const { code, err } = await world.assay(["login", "--api-key"], { env: person.env, stdin: world.key.all });
    expect([code, err]).toEqual([1, expect.stringContaining("is not JSON")]);
    expect(readFileSync(person.path, "utf8")).toBe("{ broken");
  });
});
