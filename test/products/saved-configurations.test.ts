import { afterAll, describe, expect, test } from "bun:test";
import { rfc3339 } from "../../src/platform/clock.ts";
import type { Run } from "../../src/runs/schema.ts";
import { freshKey, refusal, World } from "../support/harness.ts";

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());
const firm = await world.firm();
const path = "/v1/saved-configurations";

async function saved(text: string): Promise<string> {
  const body = { name: text, capability: "echo", input: { text } };
  return ((await (await world.ask(path, { as: firm.key, body })).json()) as { id: string }).id;
}
const run = (id: string, key: string, { as = firm.key, body }: { as?: string; body?: unknown } = {}) =>
  world.ask(`${path}/${id}/runs`, { as, method: "POST", headers: { "idempotency-key": key }, body });
const idIn = async (response: Response) => ((await response.json()) as Run).id;

describe("a run of a saved configuration", () => {
  test("is created once per idempotency key, and the key is a conflict for another configuration", async () => {
    const [one, two] = [await saved("same"), await saved("same")];
    const key = freshKey();
    const first = await run(one, key);
    const again = await run(one, key);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await idIn(again)).toBe(await idIn(first));
    expect(await refusal(await run(two, key))).toEqual([409, "idempotency_conflict"]);
  });

  test("is returned for its key after the configuration was deleted, and not for any other key", async () => {
    const id = await saved("soon gone");
    const key = freshKey();
    const first = await idIn(await run(id, key));
    expect((await world.ask(`${path}/${id}`, { as: firm.key, method: "DELETE" })).status).toBe(204);
    const again = await run(id, key);
    expect([again.status, again.headers.get("idempotency-replayed"), await idIn(again)]).toEqual([202, "true", first]);
    expect(await refusal(await run(id, freshKey()))).toEqual([404, "not_found"]);
    const elsewhere = await world.key(firm, ["capabilities:run"], { workspace: firm.workspaces[1] });
    expect(await refusal(await run(id, key, { as: elsewhere.secret }))).toEqual([404, "not_found"]);
  });

  test("is recorded as the configuration's last run in its own commit, and a replay is not", async () => {
    const query = "select (select count(*) from runs) as runs, (select last_run_at from saved_configurations) as last";
    const seen: unknown[] = [];
    await using other = await World.open((current) => seen.push(current().store.sqlite.query(query).get()));
    const owner = await other.firm();
    const body = { name: "mine", capability: "echo", input: { text: "mine" } };
    const id = await idIn(await other.ask(path, { as: owner.key, body }));
    const at = other.clock.now();
    const headers = { "idempotency-key": freshKey() };
    const start = () => other.ask(`${path}/${id}/runs`, { as: owner.key, method: "POST", headers });
    expect((await start()).status).toBe(202);
    await other.idle();
    other.clock.advance(60_000);
    expect((await start()).headers.get("idempotency-replayed")).toBe("true");
    expect(seen).toContainEqual({ runs: 1, last: at });
    expect(seen).not.toContainEqual({ runs: 1, last: null });
    const read = await other.ask(`${path}/${id}`, { as: owner.key });
    expect(await read.json()).toMatchObject({ last_run_at: rfc3339(at) });
  });

  test("takes no body, and names the unknown property", async () => {
    const id = await saved("no body");
    const answer = await run(id, freshKey(), { body: { x: 1 } });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("/body/x")]);
    expect((await run(id, freshKey(), { body: {} })).status).toBe(202);
  });

  test("with a key used in release 0.3 is the original run", async () => {
    const id = await saved("before");
    const key = freshKey();
    const { acceptance, identity, registry } = world.app.parts;
    const principal = await identity.byApiKey(firm.key);
    const manifest = registry.capabilities.get("echo");
    if (!principal || !manifest) throw new Error("both are there");
    const { capabilityPlan } = await import("../../src/runs/plan.ts");
    const { run: before } = await acceptance.accept({
      ...{ principal, slug: "echo", plan: () => capabilityPlan(manifest, "live") },
      ...{ input: { text: "before" }, mode: "live" },
      ...{
        workspace_id: firm.workspaces[0],
        surface: "rest",
        idempotency_key: key,
        operation: `saved-configuration.run:${id}`,
      },
    });
    expect(await idIn(await run(id, key))).toBe(before.row.id);
  });
});

test("a route without a body refuses one instead of ignoring it", async () => {
  const { id } = await world.accepted(firm);
  const answer = await world.ask(`/v1/runs/${id}/cancel`, { as: firm.key, body: { reason: "late" } });
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("/body/reason")]);
});
