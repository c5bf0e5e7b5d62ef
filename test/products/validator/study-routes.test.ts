import { expect, test } from "bun:test";
import { deleteAudience } from "../../../db/queries/audiences.ts";
import { errorIn, type Firm, refusal, type World } from "../../support/harness.ts";
import { expectSound } from "../../support/invariants.ts";
import { bicycles, validatorWorld } from "../../support/validator-world.ts";

const base = "/v1/validator";
const families = { name: "Families", description: "Mladé rodiny v Praze", market: "CZ", size: 6 };

async function audience(world: World, firm: Firm): Promise<string> {
  const answer = await world.ask(`${base}/audiences`, { as: firm.key, body: families });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { audience_id: string }).audience_id;
}

const asking = (world: World, firm: Firm, audience_id: string, key = "validation-1", more: object = {}) =>
  world.ask(`${base}/validations`, {
    as: firm.key,
    headers: { "idempotency-key": key },
    body: { audience_id, hypothesis: bicycles, ...more },
  });

async function study(world: World, firm: Firm, id: string): Promise<Record<string, unknown>> {
  const answer = await world.ask(`${base}/validations/${id}`, { as: firm.key });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

test("an audience is described, listed and previewed by its own firm only", async () => {
  await using world = await validatorWorld();
  const [firm, other] = [await world.firm(), await world.firm()];
  const id = await audience(world, firm);
  const listed = await (await world.ask(`${base}/audiences`, { as: firm.key })).json();
  expect(listed).toEqual({ audiences: [{ audience_id: id, name: "Families", personas_count: 6 }] });
  const details = await (await world.ask(`${base}/audiences/${id}`, { as: firm.key })).json();
  expect(details).toMatchObject({ audience: { id, market: "CZ", size: 6 }, personas_count: 6 });
  expect(await (await world.ask(`${base}/audiences`, { as: other.key })).json()).toEqual({ audiences: [] });
  expect(await refusal(await world.ask(`${base}/audiences/${id}`, { as: other.key }))).toEqual([404, "not_found"]);
});

test("an audience of an unknown market is refused at the market", async () => {
  await using world = await validatorWorld();
  const firm = await world.firm();
  const answer = await world.ask(`${base}/audiences`, { as: firm.key, body: { ...families, market: "Atlantis" } });
  expect((await errorIn(answer)).details?.map(({ path }) => path)).toEqual(["/body/market"]);
});

test("an audience is created once per key, and a repeat says so", async () => {
  await using world = await validatorWorld();
  const firm = await world.firm();
  const make = async () => {
    const headers = { "idempotency-key": "families-1" };
    const answer = await world.ask(`${base}/audiences`, { as: firm.key, headers, body: families });
    return [answer.status, answer.headers.get("idempotency-replayed"), await answer.json()];
  };
  const [, , made] = await make();
  expect(await make()).toEqual([201, "true", made]);
});

test("an audience is asked once per key, and its study shows each person's answers", async () => {
  await using world = await validatorWorld();
  const firm = await world.firm();
  const id = await audience(world, firm);
  const answers = [await asking(world, firm, id), await asking(world, firm, id)];
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  const [first, second] = await Promise.all(
    answers.map((answer) => answer.json() as Promise<{ simulation_id: string }>),
  );
  expect(second?.simulation_id).toBe(first?.simulation_id ?? "");
  const simulation_id = first?.simulation_id ?? "";
  expect(answers[0]?.headers.get("location")).toBe(`${base}/validations/${simulation_id}`);
  expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual(["1", "1"]);
  await world.idle();
  const done = await study(world, firm, simulation_id);
  expect(done).toMatchObject({ simulation_id, hypothesis: bicycles, decision_size: "M", audience_id: id });
  expect(done.people).toHaveLength(6);
  const listed = await (await world.ask(`${base}/validations`, { as: firm.key })).json();
  expect(listed).toMatchObject({ validations: [{ simulation_id, hypothesis: bicycles }] });
  expect(await world.balance(firm)).toMatchObject({ reserved: 0 });
  await expectSound(world.store);
});

test("a key returns the study that it ordered, even after its audience was deleted", async () => {
  await using world = await validatorWorld();
  const firm = await world.firm();
  const id = await audience(world, firm);
  const first = await asking(world, firm, id);
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  const ordered = (await first.json()) as object;
  await world.idle();
  const again = await asking(world, firm, id);
  expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
  expect(await again.json()).toEqual({ ...ordered, status: "completed" });
  await world.store.write((tx) => deleteAudience.run(tx, { id, firm_id: firm.id }));
  const gone = await asking(world, firm, id);
  expect([gone.status, gone.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
  expect(await gone.json()).toEqual({ ...ordered, status: "completed" });
  const other = await asking(world, firm, id, "validation-1", { decision_size: "L" });
  expect(await refusal(other)).toEqual([409, "idempotency_conflict"]);
  expect(await refusal(await asking(world, firm, id, "validation-9"))).toEqual([404, "not_found"]);
  // Another workspace's key finds neither the audience nor its studies.
  const elsewhere = await world.key(firm, ["validator:run"], { workspace: firm.workspaces[1] });
  expect(await refusal(await asking(world, { ...firm, key: elsewhere.secret }, id))).toEqual([404, "not_found"]);
  expect(await world.balance(firm)).toEqual({ available: 9_700, reserved: 0 });
});

test("a study of another firm, or of its audience, is treated as missing", async () => {
  await using world = await validatorWorld();
  const [firm, other] = [await world.firm(), await world.firm()];
  const id = await audience(world, firm);
  expect(await refusal(await asking(world, other, id))).toEqual([404, "not_found"]);
  const { simulation_id } = (await (await asking(world, firm, id)).json()) as { simulation_id: string };
  const theirs = await world.ask(`${base}/validations/${simulation_id}`, { as: other.key });
  expect(await refusal(theirs)).toEqual([404, "not_found"]);
});

test("a study that the firm can't pay is 402, and nothing is reserved", async () => {
  await using world = await validatorWorld();
  const firm = await world.firm({ credits: 100 });
  const id = await audience(world, firm);
  expect(await refusal(await asking(world, firm, id, "validation-2", { decision_size: "XL" }))).toEqual([
    402,
    "quota_exceeded",
  ]);
  expect(await world.balance(firm)).toEqual({ available: 100, reserved: 0 });
});

test("one request can wait for a study until it is completed", async () => {
  await using world = await validatorWorld();
  const [firm, other] = [await world.firm(), await world.firm()];
  const id = await audience(world, firm);
  const { simulation_id } = (await (await asking(world, firm, id)).json()) as { simulation_id: string };
  const waited = await world.ask(`${base}/validations/${simulation_id}?wait=60`, { as: firm.key });
  expect(await waited.json()).toMatchObject({
    simulation_id,
    status: "completed",
    progress: { completed: 6, total: 6 },
  });
  const theirs = await world.ask(`${base}/validations/${simulation_id}?wait=60`, { as: other.key });
  expect(await refusal(theirs)).toEqual([404, "not_found"]);
  const wrong = await errorIn(await world.ask(`${base}/validations/${simulation_id}?wait=0`, { as: firm.key }));
  expect(wrong.details?.map(({ path }) => path)).toEqual(["/query/wait"]);
});
