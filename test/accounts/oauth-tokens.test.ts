import { afterAll, describe, expect, test } from "bun:test";
import { unscoped } from "../../db/tenancy.ts";
import type { Session } from "../../src/accounts/auth/schema.ts";
import { minute, second } from "../../src/platform/clock.ts";
import { World } from "../support/harness.ts";
import {
  authorizePath,
  base,
  caller,
  connected,
  consent,
  exchange,
  landing,
  protocolRefusal,
  refresh,
  register,
  sendForm,
  signedIn,
  tokensIn,
} from "../support/oauth-world.ts";
import { sessionIn } from "../support/people.ts";

const world = await World.open();
const firm = await world.firm();
const owner = await signedIn(world, firm.people.owner);
const client_id = await register(world);
afterAll(() => world[Symbol.asyncDispose]());

describe("a refresh token", () => {
  test("is exchanged for the next one, and may request fewer scopes but not more", async () => {
    const scopes = ["docs:read", "validator:read"];
    const { refresh_token } = await connected(world, owner, client_id, { scopes });
    const next = await tokensIn(refresh(world, client_id, refresh_token, { scope: "docs:read" }));
    expect(next.scope).toBe("docs:read");
    expect([...((await caller(world, next.access_token))?.scopes ?? [])]).toEqual(["docs:read"]);
    const more = refresh(world, client_id, next.refresh_token, { scope: "docs:read validator:run" });
    expect(await protocolRefusal(more)).toEqual([400, "invalid_scope"]);
    expect((await tokensIn(refresh(world, client_id, next.refresh_token))).scope).toBe(scopes.join(" "));
  });

  test("may be reused once, after a lost response or by two windows at once", async () => {
    const { refresh_token } = await connected(world, owner, client_id);
    const [one, two] = await Promise.all([1, 2].map(() => tokensIn(refresh(world, client_id, refresh_token))));
    world.clock.advance(minute);
    const again = await tokensIn(refresh(world, client_id, refresh_token));
    for (const tokens of [one, two, again]) expect(await caller(world, tokens?.access_token ?? "")).toBeDefined();
  });

  test("reused later is stolen: its connection ends", async () => {
    const first = await connected(world, owner, client_id);
    const second_ = await tokensIn(refresh(world, client_id, first.refresh_token));
    const third = await tokensIn(refresh(world, client_id, second_.refresh_token));
    world.clock.advance(11 * second);
    expect(await protocolRefusal(refresh(world, client_id, first.refresh_token))).toEqual([400, "invalid_grant"]);
    expect(await caller(world, third.access_token)).toBeUndefined();
    expect(await protocolRefusal(refresh(world, client_id, third.refresh_token))).toEqual([400, "invalid_grant"]);
  });

  test("used by both a thief and the program ends the connection", async () => {
    const { refresh_token } = await connected(world, owner, client_id);
    const stolen = await tokensIn(refresh(world, client_id, refresh_token));
    const kept = await tokensIn(refresh(world, client_id, refresh_token));
    const next = await tokensIn(refresh(world, client_id, kept.refresh_token));
    world.clock.advance(11 * second);
    expect(await protocolRefusal(refresh(world, client_id, stolen.refresh_token))).toEqual([400, "invalid_grant"]);
    expect(await protocolRefusal(refresh(world, client_id, next.refresh_token))).toEqual([400, "invalid_grant"]);
    expect(await caller(world, next.access_token)).toBeUndefined();
  });

  test("exchanged long ago is deleted, so that an active connection does not grow", async () => {
    await using apart = await World.open();
    const [someone, program] = [await signedIn(apart, (await apart.firm()).people.owner), await register(apart)];
    const first = await connected(apart, someone, program);
    let { refresh_token } = first;
    for (let day = 0; day < 40; day++) {
      apart.clock.advance(24 * 60 * minute);
      ({ refresh_token } = await tokensIn(refresh(apart, program, refresh_token)));
    }
    const kept = await unscoped(apart.store.read).selectFrom("connection_tokens").selectAll().execute();
    expect(kept.length).toBeLessThan(35);
    expect(await protocolRefusal(refresh(apart, program, first.refresh_token))).toEqual([400, "invalid_grant"]);
    expect((await tokensIn(refresh(apart, program, refresh_token))).scope).toBe(first.scope);
  });

  test("of another client, unknown, or for another resource is refused", async () => {
    const { refresh_token } = await connected(world, owner, client_id);
    const other = await register(world);
    expect(await protocolRefusal(refresh(world, other, refresh_token))).toEqual([400, "invalid_grant"]);
    expect(await protocolRefusal(refresh(world, client_id, "assay_or_nothing"))).toEqual([400, "invalid_grant"]);
    const elsewhere = refresh(world, client_id, refresh_token, { resource: "https://elsewhere.example" });
    expect(await protocolRefusal(elsewhere)).toEqual([400, "invalid_target"]);
    await tokensIn(refresh(world, client_id, refresh_token));
  });

  test("expires after thirty days without use", async () => {
    await using apart = await World.open();
    const someone = await signedIn(apart, (await apart.firm()).people.owner);
    const id = await register(apart);
    const { refresh_token } = await connected(apart, someone, id);
    apart.clock.advance(30 * 24 * 60 * minute + second);
    expect(await protocolRefusal(refresh(apart, id, refresh_token))).toEqual([400, "invalid_grant"]);
  });
});

describe("revoking a connection", () => {
  test("takes effect immediately with either token, and may be repeated", async () => {
    for (const which of ["access_token", "refresh_token"] as const) {
      const tokens = await connected(world, owner, client_id);
      for (const _ of [1, 2])
        expect((await sendForm(world, "/oauth/revoke", { token: tokens[which], client_id })).status).toBe(200);
      expect(await caller(world, tokens.access_token)).toBeUndefined();
    }
  });

  test("with another client's token changes nothing, and an unknown token is no error", async () => {
    const other = await register(world);
    const { access_token } = await connected(world, owner, client_id);
    for (const token of [access_token, "nothing"])
      expect((await sendForm(world, "/oauth/revoke", { token, client_id: other })).status).toBe(200);
    expect(await caller(world, access_token)).toBeDefined();
    const without = sendForm(world, "/oauth/revoke", { client_id });
    expect(await protocolRefusal(without)).toEqual([400, "invalid_request"]);
  });
});

describe("the command line's sign-in", () => {
  const cli = "assay-cli";
  const asked = { resource: base, scope: "account", redirect_uri: "http://127.0.0.1:53682/callback" };
  const path = authorizePath(cli, asked);
  const code = async () => {
    const { said } = landing(await consent(world, owner, path));
    return said.code ?? "";
  };
  const token = (given: string, other = {}) => exchange(world, cli, given, { resource: base, ...other });

  test("has its own consent text, without a choice of scopes and workspaces", async () => {
    const page = await (await world.ask(path, { headers: { cookie: owner } })).text();
    expect(page).toContain("Sign in to the Assay command line?");
    expect(page).not.toContain('type="checkbox"');
    expect(page).not.toContain("<select");
  });

  test("opens a session of the person's own, which is refreshed and ended natively", async () => {
    const answer = await token(await code());
    const session = (await answer.json()) as Session & { scope: string };
    expect(session).toMatchObject({ token_type: "Bearer", scope: "account", user: { id: firm.people.owner.id } });
    expect((await world.ask("/v1/runs", { as: session.access_token })).status).toBe(200);
    expect(await caller(world, session.access_token)).toBeUndefined();
    const native = { body: { refresh_token: session.refresh_token } };
    const next = await sessionIn(world.ask("/auth/v1/token?grant_type=refresh_token", native));
    const again = await tokensIn(refresh(world, cli, next.refresh_token));
    const listed = (await (await world.ask("/auth/v1/sessions", { as: again.access_token })).json()) as {
      items: { provider: string; current: boolean }[];
    };
    expect(listed.items.find(({ current }) => current)?.provider).toBe("cli");
    await sendForm(world, "/oauth/revoke", { token: again.refresh_token, client_id: cli });
    expect((await world.ask("/auth/v1/user", { as: again.access_token })).status).toBe(401);
    expect(await protocolRefusal(refresh(world, cli, again.refresh_token))).toEqual([400, "invalid_grant"]);
  });

  test("ends if its code is used twice", async () => {
    const given = await code();
    const { access_token } = await tokensIn(token(given));
    expect(await protocolRefusal(token(given))).toEqual([400, "invalid_grant"]);
    expect((await world.ask("/auth/v1/user", { as: access_token })).status).toBe(401);
  });

  test("leaves no session if its code is used many times concurrently", async () => {
    const given = await code();
    const answers = await Promise.all([1, 2, 3].map(() => token(given)));
    const sessions = answers.filter(({ status }) => status === 200);
    for (const answer of sessions) {
      const { access_token } = await tokensIn(answer);
      expect((await world.ask("/auth/v1/user", { as: access_token })).status).toBe(401);
    }
    expect(sessions.length).toBeLessThanOrEqual(1);
  });

  test("redirects to this machine only, to its own path", async () => {
    for (const redirect_uri of ["https://evil.example/callback", "http://127.0.0.1:53682/other", "assay://callback"]) {
      const answer = await world.ask(authorizePath(cli, { ...asked, redirect_uri }), { headers: { cookie: owner } });
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    }
    const other = authorizePath(cli, { ...asked, scope: "docs:read" });
    const more = landing(await world.ask(other, { headers: { cookie: owner } }));
    expect(more.said.error).toBe("invalid_scope");
  });
});
