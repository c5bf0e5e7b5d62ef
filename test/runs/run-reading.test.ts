import { describe, expect, test } from "bun:test";
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from "jose";
import { sha256Hex } from "../../src/platform/ids.ts";
import { canonical, canonicalHash } from "../../src/platform/json.ts";
import type { Run } from "../../src/runs/schema.ts";
import { failForGood, hang, succeed } from "../support/engines.ts";
import { errorIn, type Firm, refusal, until, World } from "../support/harness.ts";

interface Page {
  readonly items: readonly Run[];
  readonly next_cursor: string | null;
}
const list = async (world: World, as: string, query = ""): Promise<Page> =>
  (await (await world.ask(`/v1/runs${query}`, { as })).json()) as Page;
const ids = ({ items }: Page) => items.map(({ id }) => id);

async function receipt(world: World, firm: Firm, id: string) {
  const answer = await world.ask(`/v1/runs/${id}/receipt`, { as: firm.key });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/jose"]);
  const signed = await answer.text();
  const keys = (await (await world.ask("/.well-known/jwks.json")).json()) as JSONWebKeySet;
  const { payload } = await compactVerify(signed, createLocalJWKSet(keys));
  return { signed, keys, claims: JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown> };
}

describe("receipts", () => {
  test("a finished run's receipt verifies with the public keys alone and states the run's facts", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = succeed(350);
    const run = await world.settled(firm, { input: { text: "a", note: "b" } });
    const { signed, claims } = await receipt(world, firm, run.id);
    expect(decodeProtectedHeader(signed)).toMatchObject({ alg: "ES256", typ: "assay-receipt+jws" });
    expect(claims).toMatchObject({
      run_id: run.id,
      firm: firm.id,
      capability: "echo",
      version: "1.0.0",
      status: "succeeded",
      engine: { name: "echo", version: "1.2.3", model: null },
      input_sha256: sha256Hex('{"note":"b","text":"a"}'),
      result_sha256: canonicalHash(run.result),
      steps: [{ key: "echo", capability: "echo", status: "succeeded", charged_credits: 350 }],
      charges: run.charges,
      finished_at: run.finished_at,
    });
    expect(canonical({ text: "a", note: "b" })).toBe('{"note":"b","text":"a"}');
  });

  test("a changed receipt does not verify", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id } = await world.settled(firm);
    const { signed, keys, claims } = await receipt(world, firm, id);
    const [head, , signature] = signed.split(".");
    const forged = Buffer.from(JSON.stringify({ ...claims, firm: "another" })).toString("base64url");
    await expect(compactVerify(`${head}.${forged}.${signature}`, createLocalJWKSet(keys))).rejects.toThrow();
  });

  test("failed and refused runs have receipts too, and an unfinished one returns 409 run_not_finished", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const poor = await world.firm({ credits: 0 });
    world.engines.echo.behave = failForGood;
    const failed = await world.settled(firm);
    expect((await receipt(world, firm, failed.id)).claims).toMatchObject({ status: "failed", reason: "no_answer" });
    const refused = await world.settled(poor);
    expect((await receipt(world, poor, refused.id)).claims).toMatchObject({ status: "refused" });
    world.engines.echo.behave = hang;
    const { id } = await world.accepted(firm);
    const answer = await world.ask(`/v1/runs/${id}/receipt`, { as: firm.key });
    expect(await refusal(answer)).toEqual([409, "run_not_finished"]);
  });

  test("a receipt still verifies after a restart, with the same keys", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id } = await world.settled(firm);
    const before = await receipt(world, firm, id);
    await using restarted = await world.restart();
    const after = await receipt(restarted, firm, id);
    expect([after.signed, after.keys]).toEqual([before.signed, before.keys]);
  });
});

test("a finished run reads the same again, and is hidden from other tenants", async () => {
  await using world = await World.open();
  const firm = await world.firm();
  const run = await world.settled(firm);
  // A new process, without the previous one's cache.
  await using restarted = await world.restart();
  const path = `/v1/runs/${run.id}`;
  for (let time = 0; time < 2; time++) {
    const read = await restarted.ask(path, { as: firm.key });
    expect([read.status, await read.json()]).toEqual([200, run]);
  }
  const other = await restarted.firm();
  const stranger = await restarted.ask(path, { as: other.key });
  const missing = await restarted.ask(`/v1/runs/${crypto.randomUUID()}`, { as: other.key });
  expect([stranger.status, await stranger.text()]).toEqual([404, await missing.text()]);
});

describe("the list of runs", () => {
  test("paginates by cursor, newest first, each run once", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.push((await world.settled(firm)).id);
    const seen: string[] = [];
    let query = "?limit=3";
    for (;;) {
      const page = await list(world, firm.key, query);
      expect(page.items.length).toBeLessThanOrEqual(3);
      seen.push(...ids(page));
      if (page.next_cursor === null) break;
      await world.settled(firm);
      query = `?limit=3&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(made.toReversed());
  });

  test("a full last page has no next cursor", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    for (let i = 0; i < 3; i++) await world.settled(firm);
    expect((await list(world, firm.key, "?limit=3")).next_cursor).toBeNull();
  });

  test("filters by each status and by capability", async () => {
    await using world = await World.open();
    const firm = await world.firm({ credits: 3_600 });
    const { echo, solo } = world.engines;
    const by: Record<string, string> = {};
    by.succeeded = (await world.settled(firm)).id;
    by.awaiting_approval = (await world.settled(firm, { useCase: "triage" })).id;
    echo.behave = failForGood;
    by.failed = (await world.settled(firm)).id;
    solo.behave = hang;
    by.running = (await world.accepted(firm, { slug: "solo" })).id;
    by.queued = (await world.accepted(firm, { slug: "solo" })).id;
    await until(() => solo.calls.length === 1, "one is at work");
    by.refused = (await world.accepted(firm, { useCase: "triage" })).id;
    for (const [status, id] of Object.entries(by))
      expect([status, ids(await list(world, firm.key, `?status=${status}`))]).toEqual([status, [id]]);
    expect(ids(await list(world, firm.key, "?capability=solo"))).toEqual([by.queued, by.running]);
    expect(ids(await list(world, firm.key, "?capability=solo&status=running"))).toEqual([by.running]);
    expect(ids(await list(world, firm.key))).toHaveLength(6);
  });

  test("a key sees its own workspace, a person the whole firm, another tenant nothing", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm()];
    const [, second] = firm.workspaces;
    const here = await world.settled(firm);
    const { secret } = await world.key(firm, ["capabilities:run", "runs:read"], { workspace: second });
    const there = await world.accepted(firm, { as: firm.people.owner.token, with: { workspace_id: second } });
    await world.idle();
    expect(there.workspace_id).toBe(second);
    for (const workspace_id of [firm.workspaces[0], other.workspaces[0], crypto.randomUUID()]) {
      const refused = await world.start(firm, { as: secret, with: { workspace_id } });
      expect(await errorIn(refused)).toMatchObject({ code: "not_found", details: [{ path: "/body/workspace_id" }] });
    }
    expect(ids(await list(world, firm.key))).toEqual([here.id]);
    expect(ids(await list(world, secret))).toEqual([there.id]);
    expect(ids(await list(world, firm.people.member.token))).toEqual([there.id, here.id]);
    expect(ids(await list(world, other.key))).toEqual([]);
    expect((await world.ask(`/v1/runs/${here.id}`, { as: secret })).status).toBe(404);
  });
});

describe("reading over HTTP", () => {
  test("HEAD works wherever GET does, with the same status and headers and no body", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id } = await world.settled(firm);
    const paths = ["/health", "/ready", "/v1/capabilities", "/v1/use-cases/triage", "/v1/runs", `/v1/runs/${id}`];
    for (const path of [...paths, `/v1/runs/${id}/receipt`, "/v1/runs/none", "/v1/credits", "/nowhere"]) {
      const [get, head] = [
        await world.ask(path, { as: firm.key }),
        await world.ask(path, { as: firm.key, method: "HEAD" }),
      ];
      expect([path, head.status, head.headers.get("content-type")]).toEqual([
        path,
        get.status,
        get.headers.get("content-type"),
      ]);
      expect(await head.text()).toBe("");
    }
  });

  test("a receipt has the media type that Accept prefers, and its description too", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id } = await world.settled(firm);
    const typeOf = async (what: string, accept: string) =>
      (await world.ask(`/v1/runs/${id}/${what}`, { as: firm.key, headers: { accept } })).headers.get("content-type");
    for (const [accept, type] of [
      ["application/jose;q=0, text/plain", "text/plain"],
      ["text/plain, */*;q=0.1", "text/plain"],
      ["application/json", "text/plain"],
      ["*/*", "application/jose"],
    ] as const)
      expect([accept, await typeOf("receipt", accept)]).toEqual([accept, type]);
    for (const [accept, type] of [
      ["text/html;q=0, */*", "text/markdown; charset=utf-8"],
      ["*/*", "text/markdown; charset=utf-8"],
      ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"],
    ] as const)
      expect([accept, await typeOf("document", accept)]).toEqual([accept, type]);
  });

  test("catalogue reads have an ETag and return 304 to callers that send it, until something changes", async () => {
    await using world = await World.open();
    for (const path of ["/v1/capabilities", "/v1/capabilities/echo", "/v1/use-cases", "/v1/use-cases/triage"]) {
      const etag = (await world.ask(path)).headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[^"]+"$/);
      const held = { headers: { "if-none-match": `"other", W/${etag}` } };
      const same = await world.ask(path, held);
      expect([same.status, await same.text()]).toEqual([304, ""]);
      await world.closeGate("platform");
      expect((await world.ask(path, held)).status).toBe(200);
      await world.openGates("platform");
    }
  });
});
