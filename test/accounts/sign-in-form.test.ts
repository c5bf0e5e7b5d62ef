import { afterAll, describe, expect, test } from "bun:test";
import { World } from "../support/harness.ts";
import { rpc } from "../support/mcp-world.ts";
import { base, callback, challengeOf, exchange, formIn, register, tokensIn, verifier } from "../support/oauth-world.ts";
import { actionOf, filledIn, PlainClient } from "../support/plain-client.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());

const email = "plain@pages.test";
const password = "four words nobody combines";
const made = await world.ask("/auth/v1/signup", { body: { email, password } });
if (made.status !== 200) throw new Error(`no account for the tests: ${made.status}`);

/** Fills in the form again with valid values. */
const withEmail = (text: string): URLSearchParams => filledIn(text, { email, password });

describe("without JavaScript", () => {
  test("a plain client gets from /mcp's 401 through the forms to a tool", async () => {
    const first = await world.ask("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
    const challenge = first.headers.get("www-authenticate") ?? "";
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
    const resource = (await (await world.ask(new URL(metadata).pathname)).json()) as {
      authorization_servers: string[];
    };
    expect(resource.authorization_servers).toEqual([base]);
    const client_id = await register(world, { redirect_uris: [callback] });
    const query = new URLSearchParams({
      ...{ client_id, redirect_uri: callback, response_type: "code", state: "s", resource: `${base}/mcp` },
      ...{ code_challenge: challengeOf(verifier), code_challenge_method: "S256", scope: "docs:read openid" },
    });

    const client = new PlainClient(world);
    const signIn = await client.visit(`/oauth/authorize?${query}`);
    expect(new URL(signIn.at).pathname).toBe("/sign-in");
    const text = await signIn.page.text();
    expect(text).not.toContain("<noscript>");
    const consent = await client.visit(actionOf(text, signIn.at), filledIn(text, { email, password }));
    expect([new URL(consent.at).pathname, consent.page.status]).toEqual(["/oauth/authorize", 200]);
    const asked = await consent.page.text();
    const back = await client.visit(actionOf(asked, consent.at), filledIn(asked, { decision: "allow" }));
    expect(back.at).toStartWith(`${callback}?`);
    const code = new URL(back.at).searchParams.get("code") ?? "";
    const tokens = await tokensIn(exchange(world, client_id, code));
    expect(tokens.scope).toBe("docs:read");
    const { result } = await rpc(world, tokens.access_token, "tools/call", { name: "list_docs", arguments: {} });
    expect(result?.content?.[0]?.text).toContain("- quickstart");
  });

  test("a wrong password is reported on the page, which keeps the address but not the password", async () => {
    const client = new PlainClient(world);
    const { at, page } = await client.visit("/sign-in?redirect_to=%2Fdocs");
    const wrong = await client.visit(at, filledIn(await page.text(), { email, password: "not <it>" }));
    const text = await wrong.page.text();
    expect(wrong.page.status).toBe(401);
    expect(text).toContain("The e-mail address or the password is wrong.");
    expect(text).toContain(`value="${email}"`);
    expect(text).not.toContain("not &lt;it&gt;");
    expect(client.cookie("assay_access")).toBeUndefined();
    const right = await client.visit(wrong.at, withEmail(text));
    expect(new URL(right.at).pathname).toStartWith("/docs");
    expect(client.cookie("assay_access")).not.toBeUndefined();
  });

  test("an empty form is reported, and does not count as an attempt", async () => {
    const client = new PlainClient(world);
    const { at, page } = await client.visit("/sign-in");
    const answer = await client.visit(at, filledIn(await page.text(), { email: " ", password: "" }));
    expect(answer.page.status).toBe(422);
    expect(await answer.page.text()).toContain("Enter your e-mail address and your password.");
  });

  test("a sign-in leads to the account by default, and never to another site", async () => {
    for (const path of ["/sign-in", "/sign-in?redirect_to=https%3A%2F%2Fevil.example%2F"]) {
      const client = new PlainClient(world);
      const { at, page } = await client.visit(path);
      const end = await client.visit(at, filledIn(await page.text(), { email, password }));
      expect(end.at).toBe(`${base}/account`);
    }
  });
});

describe("a form cannot sign a person in as someone else", () => {
  const send = (headers: Record<string, string>, form: Record<string, string>) =>
    world.ask("/sign-in", {
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body: new URLSearchParams({ email, password, ...form }).toString(),
    });

  test("if it was shown in another browser, or nowhere", async () => {
    const shown = await world.ask("/sign-in");
    const token = formIn(await shown.text()).get("token") ?? "";
    const cookie = shown.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const other = (await world.ask("/sign-in")).headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect((await send({ cookie }, { token })).status).toBe(303);
    for (const [headers, form] of [
      [{}, { token }],
      [{ cookie: other }, { token }],
      [{ cookie }, { token: "" }],
      [{ cookie }, {}],
    ] as const) {
      const answer = await send(headers, form);
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie().join()).not.toContain("assay_access");
    }
  });

  test("if another page has sent it, whatever it contains", async () => {
    const shown = await world.ask("/sign-in");
    const token = formIn(await shown.text()).get("token") ?? "";
    const cookie = shown.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    for (const from of [{ origin: "https://evil.example" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }])
      expect((await send({ cookie, ...from }, { token })).status).toBe(403);
  });

  test("as its cookie is inaccessible to scripts and other sites", async () => {
    await using secure = await World.open(undefined, { baseUrl: "https://assay.test" });
    const [line = ""] = (await secure.ask("/sign-in")).headers.getSetCookie();
    expect(line).toMatch(/^__Host-assay_form=\w{32}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/);
  });
});
