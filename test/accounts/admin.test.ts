import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { scopes } from "../../src/contracts/scopes.ts";
import { sha256Hex } from "../../src/platform/ids.ts";
import type { ErrorBody } from "../../src/web/errors.ts";
import { type Ended, type Initialised, Installation, type Serving } from "../support/operator.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

interface AuditLine {
  readonly seq: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly firm_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Gate {
  readonly name: string;
  readonly open: boolean;
}

interface Account {
  readonly balance: { readonly available: number; readonly reserved: number };
  readonly entries: readonly { readonly kind: string; readonly amount: number; readonly reason: string }[];
}

let place: Installation;
let made: Initialised;
let server: Serving;

beforeAll(async () => {
  place = new Installation();
  made = await place.init("--credits", "600", "--gates", "platform");
  server = await place.serve();
});
afterAll(() => place[Symbol.asyncDispose]());

const admin = (...args: string[]) => place.run("admin", ...args);
const json = <T>(...args: string[]) => place.json<T>("admin", ...args);
const newest = async (): Promise<AuditLine> => (await json<[AuditLine]>("audit", "list", "--limit", "1"))[0];

/** Returns the running server's response to a credential. */
async function ask(path: string, credential: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${credential}` } });
  return { status: response.status, body: await response.json() };
}

/** Returns the exit code and the stderr of a command that failed. */
const refused = ({ code, out, err }: Ended): [number, string] => {
  expect(out).toBe("");
  return [code, err];
};

describe("firms, workspaces and users", () => {
  test("are created, listed and recorded in the audit log", async () => {
    const firm = await json<{ id: string; slug: string }>("firms", "create", "--name", "Žluťoučký kůň s.r.o.");
    expect(firm.slug).toBe("zlutoucky-kun-s-r-o");
    expect(await newest()).toMatchObject({ actor: "operator", action: "firm.created", firm_id: firm.id });
    await json("workspaces", "create", "--firm", firm.slug, "--name", "Lab");
    const user = await json<{ id: string }>("users", "create", "--firm", firm.slug, "--email", "Jana@Kun.test");
    expect(await newest()).toMatchObject({ action: "user.created", subject: user.id, data: { role: "member" } });
    const shown = await json<unknown>("firms", "show", firm.slug);
    expect(shown).toMatchObject({
      id: firm.id,
      credits: { available: 0, reserved: 0 },
      workspaces: [{ slug: "lab", name: "Lab" }],
      users: [{ email: "jana@kun.test", role: "member" }],
    });
    expect((await admin("firms", "list")).out).toContain(firm.slug);
    expect((await admin("workspaces", "list", "--firm", firm.slug)).out).toContain("lab");
    expect((await admin("users", "list", "--firm", firm.slug)).out).toContain("jana@kun.test");
  });

  test("with the same name get different slugs", async () => {
    const [one, two] = [
      await json<{ slug: string }>("firms", "create", "--name", "Twin"),
      await json<{ slug: string }>("firms", "create", "--name", "Twin"),
    ];
    expect([one.slug, two.slug]).toEqual(["twin", "twin-2"]);
  });

  test.each([
    ["a firm without a name", ["firms", "create"], "--name"],
    ["a firm with an empty name", ["firms", "create", "--name", "  "], "name must have 1 to 120 characters"],
    ["a slug that is taken", ["firms", "create", "--name", "X", "--slug", "acme"], "slug is already taken"],
    [
      "a slug with capitals",
      ["firms", "create", "--name", "X", "--slug", "Acme"],
      "slug must be lower-case words joined by hyphens",
    ],
    [
      "an address that is taken",
      ["users", "create", "--firm", "acme", "--email", "OWNER@acme.test"],
      "belongs to a user",
    ],
    ["an address without a domain", ["users", "create", "--firm", "acme", "--email", "x"], "must be an e-mail address"],
    [
      "a role that does not exist",
      ["users", "create", "--firm", "acme", "--email", "x@y.z", "--role", "king"],
      "owner, admin",
    ],
    ["a firm that does not exist", ["users", "list", "--firm", "nobody"], "there is no firm nobody"],
    ["several firms and none named", ["users", "list"], "name one with --firm"],
    ...(
      [
        ["users remove nobody@x.test", "users"],
        ["keys revoke nothing", "keys"],
        ["keys create --name x --scopes docs:read --workspace nothing", "workspaces"],
        ["keys create --name x --scopes docs:read --user nobody@x.test", "users"],
        ["connections revoke nothing", "connections"],
        ["invitations withdraw nothing", "invitations"],
        ["connectors show nothing", "connectors"],
        ["audiences delete nothing", "audiences"],
      ] as const
    ).map(([line, list]): [string, string[], string] => [
      `what the firm has not, with how to list what it has: ${line}`,
      [...line.split(" "), "--firm", "acme"],
      `\`assay admin ${list} list --firm acme\` shows`,
    ]),
  ])("are refused with exit code 2: %s", async (_, args, message) => {
    const [code, err] = refused(await admin(...args));
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe("keys", () => {
  const create = (...more: string[]) => ["keys", "create", "--firm", "acme", "--name", "ci", ...more];

  test("work on the running server immediately, until revoked", async () => {
    const { out: secret, err } = await admin(...create("--scopes", "account:read"));
    expect(secret).toMatch(/^assay_sk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}\n$/);
    expect(err).toContain("shown only once");
    const key = secret.trim();
    expect((await ask("/v1/credits", key)).status).toBe(200);
    expect(await ask("/v1/runs", key)).toMatchObject({ status: 403, body: { error: { code: "missing_scope" } } });
    const [listed] = await json<{ id: string; prefix: string }[]>("keys", "list", "--firm", "acme").then((all) =>
      all.filter(({ prefix }) => key.startsWith(prefix)),
    );
    expect(JSON.stringify(listed)).not.toContain("hash");
    expect((await admin("keys", "revoke", listed?.id ?? "", "--firm", "acme")).code).toBe(0);
    expect(await newest()).toMatchObject({ action: "key.revoked", subject: listed?.id });
    expect((await ask("/v1/credits", key)).status).toBe(401);
    expect((await admin("keys", "revoke", listed?.id ?? "", "--firm", "acme")).code).toBe(2);
  });

  test("leave neither secret nor hash in the audit log", async () => {
    const { secret } = await json<{ secret: string }>(...create("--scopes", "runs:read"));
    const { out } = await admin("audit", "list", "--limit", "10000", "--json");
    expect(out).not.toContain(secret);
    expect(out).not.toContain(sha256Hex(secret));
    expect(await newest()).toMatchObject({ action: "key.created", data: { scopes: ["runs:read"] } });
  });

  test.each([
    ["no scope", ["--scopes", ""], "scopes must be one of"],
    ["an unknown scope", ["--scopes", "runs:read,runs:write"], "scopes must be one of"],
    ["a scope that no key may have", ["--scopes", "validator:mcp:access"], "scopes must be one of"],
    ["a scope that the firm is not entitled to", ["--scopes", "market-intelligence:read"], "scopes must be one of"],
    ["an expiry in the past", ["--scopes", "runs:read", "--expires", "2001-01-01"], "a future date or time"],
    ["an invalid expiry", ["--scopes", "runs:read", "--expires", "soon"], "a future date or time"],
    [
      "an expiry after 9999",
      ["--scopes", "runs:read", "--expires", "9999-12-31T23:59:59-12:00"],
      "up to the year 9999",
    ],
    ["an unknown workspace", ["--scopes", "runs:read", "--workspace", "nowhere"], "no workspace nowhere"],
    ["an unknown user", ["--scopes", "runs:read", "--user", "x@y.z"], "no user x@y.z"],
  ])("are refused with exit code 2 for %s", async (_, more, message) => {
    const [code, err] = refused(await admin(...create(...more)));
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe("credits", () => {
  const change = (verb: string, credits: string, reason = "test") =>
    admin("credits", verb, "--firm", "acme", "--credits", credits, "--reason", reason);
  const account = () => json<Account>("credits", "show", "--firm", "acme");

  test("are granted and adjusted with a reason, and the server sees them", async () => {
    const before = (await account()).balance.available;
    expect((await change("grant", "250", "spring offer")).code).toBe(0);
    expect(await newest()).toMatchObject({ action: "credits.grant", data: { credits: 250 } });
    expect((await change("adjust", "-50", "typing error")).code).toBe(0);
    expect(await newest()).toMatchObject({ action: "credits.adjust", data: { credits: -50 } });
    const { balance, entries } = await account();
    expect(balance).toEqual({ available: before + 200, reserved: 0 });
    expect(entries.slice(0, 2)).toMatchObject([
      { kind: "adjust", amount: -50, reason: "typing error" },
      { kind: "grant", amount: 250, reason: "spring offer" },
    ]);
    expect(await ask("/v1/credits", made.api_key.secret)).toMatchObject({ body: { balance } });
  });

  test.each([
    ["a negative grant", "grant", "-5", 2, "credits must be greater than 0"],
    ["nothing", "grant", "0", 2, "and not 0"],
    ["a fraction", "grant", "0.5", 2, "whole number"],
    ["more than a firm may have", "grant", "9999999999999", 2, "at most"],
    ["the largest safe integer", "grant", "9007199254740991", 2, "at most 1000000000000"],
    [
      "more than the largest safe integer",
      "grant",
      "9007199254740992",
      2,
      "from -9007199254740991 to 9007199254740991",
    ],
    ["deducting more than is available", "adjust", "-999999999", 1, "fewer credits available"],
  ])("refuse %s and change nothing", async (_, verb, credits, expected, message) => {
    const before = await account();
    const [code, err] = refused(await change(verb, credits));
    expect(code).toBe(expected);
    expect(err).toContain(message);
    expect(await account()).toEqual(before);
  });

  test("require a reason", async () => {
    expect((await admin("credits", "grant", "--firm", "acme", "--credits", "5")).code).toBe(2);
    expect((await change("grant", "5", " ")).err).toContain("reason must have 1 to 500 characters");
  });
});

describe("gates, entitlements and quotas", () => {
  const runnable = async (): Promise<boolean> => {
    const gates = await json<Gate[]>("gates", "list");
    return gates.find((gate) => gate.name === "platform")?.open === true;
  };

  test("gates open and close, and only changes are audited", async () => {
    expect(await runnable()).toBe(true);
    expect(await json<Gate[]>("gates", "close", "platform")).toMatchObject([{ name: "platform", open: false }]);
    expect(await newest()).toMatchObject({ action: "gate.closed", subject: "platform" });
    const { seq } = await newest();
    await json("gates", "close", "platform");
    expect((await newest()).seq).toBe(seq);
    await json("gates", "open", "platform", "insurance-assistant");
    expect(await runnable()).toBe(true);
  });

  test("an unknown gate exits with 2, lists the known gates, and opens nothing", async () => {
    const [code, err] = refused(await admin("gates", "open", "eu-market-data", "nonsense"));
    expect(code).toBe(2);
    expect(err).toContain("platform, insurance-assistant");
    expect(err).toContain("european-market-entry-pack");
    const gates = await json<Gate[]>("gates", "list");
    expect(gates.find((gate) => gate.name === "eu-market-data")?.open).toBe(false);
  });

  test("an entitlement adds scopes that the firm's people may grant to a key", async () => {
    const create = ["keys", "create", "--firm", "acme", "--name", "mi", "--scopes", "market-intelligence:read"];
    expect((await admin(...create)).code).toBe(2);
    await json("entitlements", "grant", "market-intelligence:read", "--firm", "acme");
    expect(await newest()).toMatchObject({ action: "entitlement.granted", firm_id: made.firm.id });
    expect((await admin(...create)).code).toBe(0);
    expect(await json<string[]>("entitlements", "list", "--firm", "acme")).toEqual(["market-intelligence:read"]);
    expect(await json<string[]>("entitlements", "withdraw", "market-intelligence:read", "--firm", "acme")).toEqual([]);
    await json("entitlements", "grant", "market-intelligence:read", "--firm", "acme");
    expect(await json<string[]>("entitlements", "list", "--firm", "acme")).toEqual(["market-intelligence:read"]);
    expect((await admin("entitlements", "grant", "everything", "--firm", "acme")).code).toBe(2);
  });

  test("a quota is set, changed and cleared", async () => {
    const quota = { capability: "company-intelligence" };
    const set = (runs: string) => admin("quotas", "set", quota.capability, "--runs", runs, "--firm", "acme", "--json");
    const list = () => json<unknown[]>("quotas", "list", "--firm", "acme");
    expect((await set("100")).code).toBe(0);
    expect((await set("5")).code).toBe(0);
    expect(await list()).toMatchObject([{ ...quota, monthly_runs: 5 }]);
    expect((await set("-1")).err).toContain("must be a whole number of at least 0");
    expect(await newest()).toMatchObject({ action: "quota.set", data: { monthly_runs: 5 } });
    expect(await json<unknown[]>("quotas", "clear", quota.capability, "--firm", "acme")).toEqual([]);
    expect((await admin("quotas", "set", "nonsense", "--runs", "1", "--firm", "acme")).code).toBe(2);
  });
});

describe("a person's access token", () => {
  test("works on the running server, for what the role may do", async () => {
    const { out: token, err } = await admin("users", "token", "owner@acme.test");
    expect(err).toContain(server.url);
    expect(await ask("/v1/runs", token.trim())).toMatchObject({ status: 200, body: { items: [] } });
  });

  test("does not work on another address's server", async () => {
    const { out: token } = await admin("users", "token", "owner@acme.test", "--base-url", "https://elsewhere.example");
    const { status, body } = await ask("/v1/runs", token.trim());
    expect([status, (body as ErrorBody).error.code]).toEqual([401, "invalid_api_key"]);
  });

  test("is refused for an unknown person", async () => {
    expect(refused(await admin("users", "token", "nobody@acme.test"))[0]).toBe(2);
  });
});

describe("the audit log", () => {
  test("shows one firm's entries, and verifies", async () => {
    const entries = await json<AuditLine[]>("audit", "list", "--firm", "acme", "--limit", "1000");
    expect(new Set(entries.map((entry) => entry.firm_id))).toEqual(new Set([made.firm.id]));
    const { out, code } = await admin("audit", "verify");
    expect(code).toBe(0);
    expect(out).toMatch(/^(\d+) entries checked\nlast entry \1:[0-9a-f]{64}\n$/);
  });

  test.each(["0", "10001", "x"])("refuses a limit of %s", async (limit) => {
    expect((await admin("audit", "list", "--limit", limit)).code).toBe(2);
  });
});

test("the first key has every scope that an ordinary firm's owner may grant", async () => {
  const [key] = await json<{ scopes: string[] }[]>("keys", "list", "--firm", "acme");
  const never = ["validator:mcp:access", "market-intelligence:read", "distribution:read"];
  expect(key?.scopes).toEqual(scopes.filter((scope) => !never.includes(scope)));
});
