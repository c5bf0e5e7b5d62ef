import { afterAll, describe, expect, test } from "bun:test";
import { insertMember } from "../../db/queries/firms.ts";
import type { Role } from "../../db/schema/tables.ts";
import { mcpScopes } from "../../src/accounts/oauth/scopes.ts";
import { consentWordsIn } from "../../src/accounts/oauth/words.ts";
import { scopeWordsIn } from "../../src/accounts/pages/words/scopes.ts";
import { languages } from "../../src/integrations/mail/texts.ts";
import { minute } from "../../src/platform/clock.ts";
import { World } from "../support/harness.ts";
import {
  authorizePath,
  base,
  callback,
  caller,
  connected,
  consent,
  decide,
  exchange,
  formIn,
  landing,
  register,
  signedIn,
  tokensIn,
} from "../support/oauth-world.ts";

const world = await World.open();
const firm = await world.firm({ entitlements: ["market-intelligence:read"] });
const client_id = await register(world, { client_name: "Claude <b>Code</b>" });
const path = authorizePath(client_id);
const cookieOf = (role: Role) => signedIn(world, firm.people[role]);
const owner = await cookieOf("owner");
afterAll(() => world[Symbol.asyncDispose]());

const page = (cookie: string, at = path, headers: Record<string, string> = {}) =>
  world.ask(at, { headers: { cookie, ...headers } });
const offered = (text: string): string[] =>
  [...text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) => scope ?? "");

describe("the consent page", () => {
  test("shows the program's name as text, the redirect host, the person, and the scopes in words", async () => {
    const text = await (await page(owner)).text();
    expect(text).toContain("<strong>Claude &lt;b&gt;Code&lt;/b&gt;</strong>");
    expect(text).toContain("<strong>127.0.0.1:53682</strong>");
    expect(text).toContain(`owner@${firm.id}.test`);
    expect(text).toContain("run validations, which costs credits, and create audiences");
    expect(text).toContain("it is not verified");
    expect(text).not.toContain("<script");
  });

  test("may submit its form to the client only, and cannot be framed", async () => {
    const { headers } = await page(owner);
    expect(headers.get("content-security-policy")).toContain("form-action 'self' https: http:;");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
    const own = await register(world, { redirect_uris: ["com.example.app://host/callback"] });
    const other = await page(owner, authorizePath(own, { redirect_uri: "com.example.app://host/callback" }));
    expect(other.headers.get("content-security-policy")).toContain("form-action 'self' https: com.example.app:;");
  });

  for (const language of languages)
    test(`is served in ${language}, with every scope in words`, async () => {
      const answer = await page(owner, path, { "accept-language": language });
      const text = await answer.text();
      const words = consentWordsIn[language];
      expect(answer.headers.get("content-language")).toBe(language);
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain(words.allow);
      for (const scope of mcpScopes.filter((name) => name !== "distribution:read"))
        expect(text).toContain(`<span>${scopeWordsIn[language][scope]}</span>`);
    });

  test("offers what the person's role and firm allow, and nothing else", async () => {
    const ofRole = async (role: Role) => offered(await (await page(await cookieOf(role))).text());
    const held = mcpScopes.filter((scope) => scope !== "distribution:read");
    expect(await ofRole("owner")).toEqual(held);
    expect(await ofRole("member")).toEqual(held);
    expect(await ofRole("approver")).toEqual(held.filter((scope) => scope.endsWith(":read")));
  });

  test("redirects with access_denied if the role allows none of the requested scopes", async () => {
    const { at, said } = landing(
      await page(await cookieOf("approver"), authorizePath(client_id, { scope: "validator:run" })),
    );
    expect([at, said.error, said.iss]).toEqual([callback, "access_denied", base]);
  });

  test("shows only the requested scopes", async () => {
    const text = await (
      await page(owner, authorizePath(client_id, { scope: "docs:read runs:read offline_access" }))
    ).text();
    expect(offered(text)).toEqual(["docs:read", "runs:read"]);
  });
});

describe("a decision", () => {
  test("grants the ticked scopes in the chosen workspace", async () => {
    const [, second] = firm.workspaces;
    const tokens = await connected(world, owner, client_id, { scopes: ["docs:read"], workspace_id: second });
    expect(tokens.scope).toBe("docs:read");
    const found = await caller(world, tokens.access_token);
    expect(found).toMatchObject({ kind: "connection", firm_id: firm.id, workspace_id: second, key_id: null });
    expect([...(found?.scopes ?? [])]).toEqual(["docs:read"]);
  });

  test("grants nothing that was not on the page, whatever the form contains", async () => {
    const cookie = await cookieOf("approver");
    const scopes = ["docs:read", "validator:run", "validator:usage:report", "account"];
    const tokens = await connected(world, cookie, client_id, { scopes });
    expect(tokens.scope).toBe("docs:read");
  });

  test("without a scope, or for another firm's workspace, shows the page again with the reason", async () => {
    const none = await consent(world, owner, path, { scopes: [] });
    expect([none.status, (await none.text()).includes("Select at least one")]).toEqual([422, true]);
    const [theirs] = (await world.firm()).workspaces;
    const other = await consent(world, owner, path, { workspace_id: theirs, scopes: ["docs:read"] });
    const text = await other.text();
    expect([other.status, text.includes("Choose one of the workspaces")]).toEqual([422, true]);
    // The selection is preserved, and the form can be submitted again.
    expect(text.match(/type="checkbox"[^>]* checked/g)).toHaveLength(1);
    expect(landing(await decide(world, owner, text)).said.code).toBeString();
  });

  test("to refuse redirects with access_denied, and grants nothing", async () => {
    const answer = await consent(world, owner, path, { decision: "deny" });
    const { at, said } = landing(answer);
    expect([answer.status, at]).toEqual([303, callback]);
    expect(said).toMatchObject({ error: "access_denied", state: "s t&te", iss: base });
    expect(said.code).toBeUndefined();
  });

  for (const [what, headers] of Object.entries({
    "another site": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    "a neighbouring host": { origin: "http://other.assay.test" },
    "another site, in a browser without Sec-Fetch-Site": { origin: "https://evil.example" },
    "a sandboxed frame": { origin: "null" },
    "an address that was typed in": { "sec-fetch-site": "none" },
  }))
    test(`sent from ${what} is ignored`, async () => {
      const answer = await consent(world, owner, path, { headers });
      expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
    });

  test("without an Origin header is authorised by its session's own token", async () => {
    const { at, said } = landing(await consent(world, owner, path, { headers: {} }));
    expect(at).toBe(callback);
    expect(said.code).toStartWith("assay_ac_");
    // The same person's page in another session is not a token for this one.
    const elsewhere = await (await page(await cookieOf("owner"))).text();
    const answer = await decide(world, owner, elsewhere, { headers: {} });
    expect(landing(answer).at).toBe(`${base}/oauth/authorize`);
  });

  test("starts from what was granted before, even if the program has registered again", async () => {
    const name = "Notebook";
    const again = () => register(world, { client_name: name });
    const before = authorizePath(await again());
    const code = landing(await consent(world, owner, before, { scopes: ["docs:read", "runs:read"] })).said.code ?? "";
    const client = new URL(before, base).searchParams.get("client_id") ?? "";
    expect((await exchange(world, client, code)).status).toBe(200);
    const ticked = async (asked: string) => {
      const text = await (await world.ask(asked, { headers: { cookie: owner } })).text();
      return formIn(text).getAll("scope");
    };
    expect(await ticked(before)).toEqual(["docs:read", "runs:read"]);
    expect(await ticked(authorizePath(await again()))).toEqual(["docs:read", "runs:read"]);
    expect((await ticked(authorizePath(await register(world)))).length).toBeGreaterThan(4);
    expect(await ticked(authorizePath(await again(), { scope: "account:read" }))).toEqual(["account:read"]);
    expect(await ticked(authorizePath(await again(), { scope: "docs:read openid" }))).toEqual(["docs:read"]);
  });

  test("with a modified, expired or invalid ticket is ignored", async () => {
    const text = await (await page(owner)).text();
    const changed = text.replace(/name="ticket" value="(.)/, 'name="ticket" value="x$1');
    for (const form of [changed, text.replace(/name="ticket" value="[^"]*"/, 'name="ticket" value="x"')])
      expect((await decide(world, owner, form)).status).toBe(400);
    world.clock.advance(31 * minute);
    const late = await decide(world, owner, text);
    expect([late.status, late.headers.get("location")]).toEqual([400, null]);
  });

  test("about another person's page is asked again", async () => {
    const text = await (await page(await cookieOf("admin"))).text();
    const answer = await decide(world, owner, text);
    expect(landing(answer).at).toBe(`${base}/oauth/authorize`);
    expect(landing(answer).said.code).toBeUndefined();
  });

  test("without a session redirects to the sign-in", async () => {
    const text = await (await page(owner)).text();
    expect(landing(await decide(world, "", text)).at).toBe(`${base}/sign-in`);
  });

  test("can be made for another of the person's firms, with their role there", async () => {
    const second = await world.firm();
    const { id } = firm.people.owner;
    const at = world.clock.now();
    await world.store.write((tx) =>
      insertMember(tx, { firm_id: second.id, user_id: id, role: "approver", created_at: at }),
    );
    const first = await (await page(owner)).text();
    const link = /href="(authorize\?[^"]*firm=[^"]*)"/.exec(first)?.[1]?.replaceAll("&amp;", "&");
    const there = await page(owner, `/oauth/${link}`);
    const text = await there.text();
    expect(offered(text).every((scope) => scope.endsWith(":read"))).toBeTrue();
    const { said } = landing(await decide(world, owner, text));
    const { access_token } = await tokensIn(exchange(world, client_id, said.code ?? ""));
    expect(await caller(world, access_token)).toMatchObject({ firm_id: second.id, role: "approver" });
  });
});
