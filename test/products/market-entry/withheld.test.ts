import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDatabase } from "../../../db/sqlite/backup.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { day } from "../../../src/platform/clock.ts";
import { type Firm, runIn, until, type World } from "../../support/harness.ts";
import { expectSound } from "../../support/invariants.ts";
import { post } from "../../support/mcp-world.ts";
import { nameMark, pack, packFirm, packInput, packWorld, restingPack, restingRun } from "../../support/pack-world.ts";
import { sendDecision } from "../../support/shortlist.ts";

/** Tests that targets not approved are nowhere in plain text, and that a pack survives a kill at any point. */

const bytesOf = (file: string): Buffer =>
  Buffer.concat(
    ["", "-wal"].map((part) => file + part).flatMap((path) => (existsSync(path) ? readFileSync(path) : [])),
  );

/** Returns everything on disk, a new backup, all logs, and all responses to the firm's key. */
async function everything(world: World, firm: Firm, id: string): Promise<string> {
  const backup = join(mkdtempSync(join(tmpdir(), "assay-backup-")), "assay.db");
  copyDatabase(world.store.file, backup);
  const paths = [`/v1/runs/${id}`, "/v1/runs", `/v1/runs/${id}/receipt`, `/v1/runs/${id}/document`];
  const answers = await Promise.all(paths.map(async (path) => (await world.ask(path, { as: firm.key })).text()));
  const receipt = Buffer.from(answers[2]?.split(".")[1] ?? "", "base64url").toString();
  const disk = Buffer.concat([bytesOf(world.photograph()), bytesOf(backup)]).toString("latin1");
  return [disk, ...world.logged, ...answers, receipt].join("\n");
}

const ends: [string, (world: World, firm: Firm, id: string) => Promise<unknown>][] = [
  ["rejected", async (world, firm, id) => sendDecision(world, firm, await world.run(firm, id), { decision: "reject" })],
  ["not decided in time", async (world) => world.clock.advance(7 * day + 1)],
  ["cancelled", async (world, firm, id) => world.ask(`/v1/runs/${id}/cancel`, { as: firm.key, method: "POST" })],
];

describe("the pack's targets", () => {
  test.each(ends)("are nowhere in plain text while pending, nor after they were %s", async (_, end) => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const { id } = await restingPack(world, firm);
    expect(await everything(world, firm, id)).not.toContain(nameMark);
    await end(world, firm, id);
    expect((await restingRun(world, firm, id)).finished_at).not.toBeNull();
    expect(await everything(world, firm, id)).not.toContain(nameMark);
    expect(await unscoped(world.store.read).selectFrom("step_keys").selectAll().execute()).toEqual([]);
    await expectSound(world.store);
  });

  test("are in plain text only once approved", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const waiting = await restingPack(world, firm);
    const items = { approve: ["1", "2"], reject: ["3", "4", "5", "6", "7", "8", "9", "10"] };
    await sendDecision(world, firm, waiting, { decision: "approve", items });
    await restingRun(world, firm, waiting.id);
    const text = await everything(world, firm, waiting.id);
    for (const letter of "AB") expect(text).toContain(`${nameMark} ${letter}`);
    for (const letter of "CDEFGHIJKL") expect(text).not.toContain(`${nameMark} ${letter}`);
  });
});

/** Returns the whole event stream of a tool call, with its progress, as a client reads it. */
async function streamOf(world: World, firm: Firm, name: string, given: object): Promise<string> {
  const params = { name, arguments: given, _meta: { progressToken: "p" } };
  const response = await post(world, firm.key, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  return response.text();
}

test.each<[decision: string, body: object, seen: string]>([
  ["rejected", { decision: "reject" }, ""],
  ["approved in part", { decision: "approve", items: { approve: ["1"], reject: [..."23456789", "10"] } }, "A"],
])(
  "a pack's event stream has no name before the decision, and no unapproved name after it: %s",
  async (_, body, seen) => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const started = streamOf(world, firm, "run_use_case", { slug: pack, input: packInput });
    const listed = async () =>
      (await (await world.ask("/v1/runs", { as: firm.key })).json()) as { items: { id: string }[] };
    await until(async () => (await listed()).items.length === 1, "the run is there");
    const id = `${(await listed()).items[0]?.id}`;
    const polled = world.ask(`/v1/runs/${id}?wait=60`, { as: firm.key });
    const waiting = await restingRun(world, firm, id);
    expect(waiting.status).toBe("awaiting_approval");
    const before = [await started, await (await polled).text(), await streamOf(world, firm, "get_run", { run_id: id })];
    expect(before[0]).toContain("notifications/progress");
    for (const text of before) expect(text).toContain("awaiting_approval");
    expect(before.join("\n")).not.toContain(nameMark);
    await sendDecision(world, firm, waiting, body);
    const following = world.ask(`/v1/runs/${id}?wait=60`, { as: firm.key });
    await restingRun(world, firm, id);
    const after = [await streamOf(world, firm, "get_run", { run_id: id }), await (await following).text()].join("\n");
    expect(after.includes(`${nameMark} A`)).toBe(seen === "A");
    for (const letter of "BCDEFGHIJKL") expect(after).not.toContain(`${nameMark} ${letter}`);
  },
);

test("a pack interrupted after any of its commits resumes to the same end, charged once", async () => {
  const photographs: string[] = [];
  await using world = await packWorld(undefined, { onCommit: (current) => photographs.push(current().photograph()) });
  const firm = await packFirm(world);
  photographs.length = 0;
  const { id } = await runIn(await world.start(firm, { useCase: pack, input: packInput }));
  const waiting = await restingRun(world, firm, id);
  await sendDecision(world, firm, waiting, { decision: "approve" });
  const whole = await restingRun(world, firm, id);
  expect(photographs.length).toBeGreaterThan(12);
  for (const photograph of photographs) {
    await using restarted = await world.restart(photograph);
    const resumed = await restingRun(restarted, firm, id);
    if (resumed.status === "awaiting_approval") await sendDecision(restarted, firm, resumed, { decision: "approve" });
    const run = await restingRun(restarted, firm, id);
    expect(run.status).toBe("succeeded");
    expect(run.charges).toEqual(whole.charges);
    expect(run.steps.map(({ key, status, charged_credits }) => [key, status, charged_credits])).toEqual(
      whole.steps.map(({ key, status, charged_credits }) => [key, status, charged_credits]),
    );
    await expectSound(restarted.store);
  }
}, 600_000);
