import { afterAll, describe, expect, test } from "bun:test";
import { auditPage, insertAudit, lastAudit } from "../../db/queries/audit.ts";
import { userById } from "../../db/queries/firms.ts";
import { unscoped } from "../../db/tenancy.ts";
import { addConnector } from "../../src/accounts/admin/connectors.ts";
import { setOperator } from "../../src/accounts/admin/users.ts";
import { operatorSignIn } from "../../src/accounts/auth/operator-check.ts";
import { second } from "../../src/platform/clock.ts";
import { errorIn, freshKey, refusal, World } from "../support/harness.ts";
import { operationsOf } from "../support/operations.ts";
import { type Browser, browserOf, OperatorBrowser } from "../support/operator-browser.ts";

const world = await World.open();
const firm = await world.firm();
const operator = await OperatorBrowser.open(world);
const stranger = await browserOf(world);
afterAll(() => world[Symbol.asyncDispose]());

const json = async <T>(response: Response): Promise<T> => (await response.json()) as T;
const at = `/v1/operator/firms/${firm.id}`;
const audited = async () => (await auditPage(unscoped(world.store.read), 0, 10_000)).slice(-1)[0];

describe("access to the operator's routes", () => {
  test("is refused to keys, tokens, other people's sessions and anonymous callers", async () => {
    const operations = (await operationsOf(world)).filter(({ path }) => path.startsWith("/v1/operator"));
    expect(operations.length).toBeGreaterThan(14);
    for (const { method, path } of operations) {
      const to = path.replaceAll(/\{\w+\}/g, () => firm.id);
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      const idempotent = { "idempotency-key": freshKey() };
      for (const as of [undefined, firm.key, firm.people.owner.token, operator.token, "garbage"])
        expect([path, ...(await refusal(await world.ask(to, { method, as, body, headers: idempotent })))]).toEqual([
          path,
          401,
          "invalid_api_key",
        ]);
      expect(await refusal(await stranger.ask(to, { method, body, headers: idempotent }))).toEqual([
        403,
        "missing_scope",
      ]);
    }
  });

  test("is by bearer token if one is sent with the cookies, which is refused", async () => {
    const both = { as: operator.token };
    expect(await refusal(await operator.ask("/v1/operator/firms", both))).toEqual([401, "invalid_api_key"]);
  });

  test("is refused to requests from other sites", async () => {
    const headers = { origin: "https://elsewhere.test", "sec-fetch-site": "cross-site" };
    const forged = await operator.ask("/v1/operator/gates/platform", { method: "PUT", body: { open: false }, headers });
    expect(forged.status).toBe(401);
  });

  test("is read-only for an old session, until its person signs in again", async () => {
    await using apart = await World.open();
    const old = await OperatorBrowser.open(apart);
    apart.clock.advance(operatorSignIn);
    expect((await old.ask("/v1/operator/gates")).status).toBe(200);
    const change = { method: "PUT", body: { open: true } };
    expect(await refusal(await old.ask("/v1/operator/gates/platform", change))).toEqual([
      403,
      "recent_sign_in_required",
    ]);
    const fresh = await old.again();
    apart.clock.advance(operatorSignIn - second);
    expect((await fresh.ask("/v1/operator/gates/platform", change)).status).toBe(200);
  });

  test("ends with the next request once the operator flag is removed", async () => {
    const once = await OperatorBrowser.open(world);
    expect((await once.ask("/v1/operator/gates")).status).toBe(200);
    const audit = { actor: "operator", at: world.clock.now() };
    await world.store.write(async (tx) => {
      const user = await userById(tx, once.id);
      if (user) await setOperator(tx, audit, user, false);
    });
    expect(await refusal(await once.ask("/v1/operator/gates"))).toEqual([403, "missing_scope"]);
  });

  test("is shown in the account", async () => {
    const metadata = async (browser: Browser) =>
      (await json<{ app_metadata: object }>(await browser.ask("/auth/v1/user"))).app_metadata;
    expect(await metadata(operator)).toMatchObject({ operator: true });
    expect(await metadata(stranger)).toMatchObject({ operator: false });
  });
});

describe("firms", () => {
  test("are paginated, with their credits", async () => {
    for (let i = 0; i < 3; i++) await world.firm({ credits: 7 });
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { items: { id: string }[]; next_cursor: string | null } = await json(
        await operator.ask(`/v1/operator/firms?limit=2${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`),
      );
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(firm.id);
    expect(seen.length).toBeGreaterThan(4);
  });

  test("are shown with the entitlements that they may get; a missing one is 404", async () => {
    const shown = await json<Record<string, unknown>>(await operator.ask(at));
    expect(shown).toMatchObject({ id: firm.id, credits: { reserved: 0 }, quotas: [], entitlements: [] });
    expect(shown.grantable_entitlements).toContain("market-intelligence:read");
    expect(shown.limitable).toContain("echo");
    expect(await refusal(await operator.ask(`/v1/operator/firms/${crypto.randomUUID()}`))).toEqual([404, "not_found"]);
  });

  test("get credits once per idempotency key, recorded under the operator's name", async () => {
    const before = (await world.balance(firm)).available;
    const body = { kind: "grant", credits: 250, reason: "welcome" };
    const headers = { "idempotency-key": freshKey() };
    const give = (sent: object = body) => operator.ask(`${at}/credits`, { body: sent, headers });
    const [first, second] = [await give(), await give()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect([first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(await second.json()).toEqual({ available: before + 250, reserved: 0 });
    expect(await refusal(await give({ ...body, credits: 251 }))).toEqual([409, "idempotency_conflict"]);
    expect(await audited()).toMatchObject({ actor: `user:${operator.id}`, action: "credits.grant", firm_id: firm.id });
  });

  test("keep their balance after an invalid change, which does not claim its key", async () => {
    const before = await world.balance(firm);
    const headers = { "idempotency-key": freshKey() };
    const ask = (body: object) => operator.ask(`${at}/credits`, { body, headers });
    for (const [credits, kind] of [
      [0, "grant"],
      [-5, "grant"],
      [-1_000_000, "adjust"],
    ] as const) {
      const answer = await ask({ kind, credits, reason: "no" });
      expect([kind, credits, answer.status]).toEqual([kind, credits, 422]);
    }
    expect(await world.balance(firm)).toEqual(before);
    expect((await ask({ kind: "adjust", credits: -5, reason: "correction" })).status).toBe(200);
    expect((await world.balance(firm)).available).toBe(before.available - 5);
  });

  test("get and lose entitlements; an unknown one is 404", async () => {
    const to = (name: string) => `${at}/entitlements/${encodeURIComponent(name)}`;
    const granted = await operator.ask(to("distribution:read"), { method: "PUT" });
    expect(await granted.json()).toEqual({ entitlements: ["distribution:read"] });
    const withdrawn = await operator.ask(to("distribution:read"), { method: "DELETE" });
    expect(await withdrawn.json()).toEqual({ entitlements: [] });
    expect(await refusal(await operator.ask(to("everything"), { method: "PUT" }))).toEqual([404, "not_found"]);
  });

  test("stop running at a quota, and continue when it is removed", async () => {
    const to = `${at}/quotas/echo`;
    const set = await operator.ask(to, { method: "PUT", body: { monthly_runs: 0 } });
    expect(await json<object>(set)).toMatchObject({ quotas: [{ name: "echo", counted_for: "firm", monthly_runs: 0 }] });
    expect(await refusal(await world.start(firm))).toEqual([402, "quota_exceeded"]);
    expect(await (await operator.ask(to, { method: "DELETE" })).json()).toEqual({ quotas: [] });
    expect((await world.start(firm)).status).toBe(202);
    await world.idle();
    const monthly = await operator.ask(`${at}/quotas/company-analyses`, { method: "PUT", body: { monthly_runs: 3 } });
    expect(await json<object>(monthly)).toMatchObject({ quotas: [{ counted_for: "key", monthly_runs: 3 }] });
    expect((await operator.ask(to, { method: "PUT", body: { monthly_runs: -1 } })).status).toBe(422);
    expect((await operator.ask(`${at}/quotas/none`, { method: "PUT", body: { monthly_runs: 1 } })).status).toBe(404);
  });
});

describe("gates and connectors", () => {
  test("stop runs immediately when closed, and allow them when opened", async () => {
    const to = "/v1/operator/gates/echo";
    expect(await json<object>(await operator.ask(to, { method: "PUT", body: { open: false } }))).toMatchObject({
      name: "echo",
      open: false,
      changed_by: `user:${operator.id}`,
    });
    expect(await refusal(await world.start(firm))).toEqual([503, "capability_runs_disabled"]);
    await operator.ask(to, { method: "PUT", body: { open: true } });
    expect((await world.start(firm)).status).toBe(202);
    await world.idle();
    expect((await operator.ask("/v1/operator/gates/none", { method: "PUT", body: { open: true } })).status).toBe(404);
    expect(await errorIn(await operator.ask(to, { method: "PUT", body: { open: "yes" } }))).toMatchObject({
      details: [{ path: "/body/open" }],
    });
  });

  test("are disabled, enabled and removed; a connector's secret is never shown", async () => {
    const audit = { actor: "operator", at: world.clock.now(), runtime: world.clock };
    const engine = { type: "https", url: "https://partner.example/run" };
    const described = {
      slug: "partner-check",
      semantic_version: "1.0.0",
      name: "Check",
      outcome: "A check.",
      description: "Checks.",
    };
    const input_schema = { type: "object", properties: {}, additionalProperties: false };
    const manifest = { ...described, engine, input_schema, output_schema: input_schema } as never;
    const added = await world.store.write((tx) =>
      addConnector(tx, audit, { firm_id: firm.id, manifest, replace: false }, new Uint8Array(32), {
        slugs: [],
        tools: [],
      }),
    );
    const listed = await (await operator.ask("/v1/operator/connectors")).text();
    expect(JSON.parse(listed)).toMatchObject({
      items: [{ slug: "partner-check", firm_id: firm.id, engine: "https", open: true }],
    });
    expect(listed).not.toContain(added.secret ?? "none");
    const to = "/v1/operator/connectors/partner-check";
    expect(await json<object>(await operator.ask(to, { method: "PATCH", body: { open: false } }))).toMatchObject({
      open: false,
    });
    expect((await operator.ask(to, { method: "DELETE" })).status).toBe(204);
    expect(await audited()).toMatchObject({ action: "entitlement.withdrawn", actor: `user:${operator.id}` });
    expect(await refusal(await operator.ask(to, { method: "DELETE" }))).toEqual([404, "not_found"]);
  });
});

test("the audit log is paginated backwards, and its chain is verified", async () => {
  type Page = { items: { seq: number; firm_id: string | null }[]; next_cursor: string | null };
  const first = await json<Page>(await operator.ask("/v1/operator/audit?limit=3"));
  expect(first.items).toHaveLength(3);
  const next = await json<Page>(
    await operator.ask(`/v1/operator/audit?limit=3&cursor=${encodeURIComponent(first.next_cursor ?? "")}`),
  );
  expect(next.items[0]?.seq).toBe((first.items[2]?.seq ?? 0) - 1);
  const own = await json<Page>(await operator.ask(`/v1/operator/audit?firm_id=${firm.id}`));
  expect(new Set(own.items.map(({ firm_id }) => firm_id))).toEqual(new Set([firm.id]));
  const check = await json<{ ok: boolean; checked: number }>(await operator.ask("/v1/operator/audit/verification"));
  expect(check).toMatchObject({ ok: true, problems: [] });
  expect(check.checked).toBeGreaterThan(20);
});

test("a modified audit chain is reported", async () => {
  await using broken = await World.open();
  const own = await OperatorBrowser.open(broken);
  const row = {
    at: 0,
    firm_id: null,
    actor: "nobody",
    action: "x",
    subject: "x",
    data_json: "{}",
    hash: "0".repeat(64),
  };
  await broken.store.write(async (tx) => {
    const seq = ((await lastAudit.first(tx, {}))?.seq ?? 0) + 1;
    await insertAudit.run(tx, { ...row, seq });
  });
  const check = await json<object>(await own.ask("/v1/operator/audit/verification"));
  expect(check).toMatchObject({
    ok: false,
    problems: [expect.stringMatching(/^audit entry \d+ does not match its hash$/)],
  });
});

test("without the process's tools there is no health check and no backup", async () => {
  expect(await refusal(await operator.ask("/v1/operator/health"))).toEqual([404, "not_found"]);
  expect(await refusal(await operator.ask("/v1/operator/backups", { method: "POST" }))).toEqual([404, "not_found"]);
});
