import { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Type as T } from "@sinclair/typebox";
import { bodyOf } from "../../src/cli/client/http.ts";
import { present } from "../../src/platform/assert.ts";
import { minute } from "../../src/platform/clock.ts";
import { seededRandom } from "../../src/platform/random.ts";
import { Run } from "../../src/runs/schema.ts";
import { page } from "../../src/web/cursor.ts";
import { assay, endServers, startServer, temporaryFolder } from "../blackbox/server.ts";
import { idsBut, names } from "../support/shortlist.ts";

/**
 * Real SIGKILLs of a server whose runs await approval and are decided item by item. CRASH_APPROVAL_KILLS sets the
 * number of kills (10), CRASH_SEED repeats their timing.
 */

setDefaultTimeout(10 * minute);
const children: { kill(signal: "SIGKILL"): void }[] = [];
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await endServers();
});

const kills = Number(process.env.CRASH_APPROVAL_KILLS ?? 10);
const seed = process.env.CRASH_SEED ?? crypto.randomUUID();
/** Latest moment of a kill, in ms after the load starts. */
const loadedAtMost = 600;
/** The charge of a run: of 700 credits for ten targets, three are rejected, plus the two other steps. */
const chargedCredits = 500 + 490 + 300;
const rejected = ["2", "7", "10"];
const decision = { decision: "approve", comment: "seven", items: { approve: idsBut(...rejected), reject: rejected } };

const RunPage = page(Run, "RunPage");
const Demo = T.Object({
  firms: T.Array(
    T.Object({
      id: T.String(),
      users: T.Array(T.Object({ id: T.String(), role: T.String() })),
      keys: T.Object({ all: T.String() }),
    }),
  ),
});
const Started = T.Object({ baseUrl: T.String(), token: T.String() });

async function startApprovalServer(data: string, owner: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "approval-server.ts"), data, owner], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const { value } = await child.stdout.getReader().read();
  const { baseUrl, token } = bodyOf(Started, new TextDecoder().decode(value));
  const ask = async (path: string, as: string, body?: unknown, key?: string): Promise<string> => {
    const response = await fetch(baseUrl + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${as}`,
        "content-type": "application/json",
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // Two decisions race: the second gets 409.
    if (!response.ok && response.status !== 409)
      throw new RefusedError(`${path} was answered ${response.status}: ${text}`);
    return text;
  };
  return { child, token, ask };
}

/** A response that a healthy server never gives. */
class RefusedError extends Error {}

type Ask = Awaited<ReturnType<typeof startApprovalServer>>["ask"];

/** Starts a run with this idempotency key. */
const start = (ask: Ask, apiKey: string, key: string) =>
  ask("/v1/use-cases/shortlist/runs", apiKey, { input: { text: "targets" } }, key);

/** Decides every run that awaits approval; returns their number. */
async function decideAll(ask: Ask, token: string): Promise<number> {
  const { items } = bodyOf(RunPage, await ask("/v1/runs?status=awaiting_approval&limit=20", token));
  await Promise.all(items.map(({ id }) => ask(`/v1/runs/${id}/approval`, token, decision)));
  return items.length;
}

/** Repeats `work` until the server stops responding. */
async function untilGone(work: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      await work();
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      return;
    }
}

const bytesOf = (data: string): Buffer =>
  Buffer.concat(
    ["assay.db", "assay.db-wal"]
      .map((name) => join(data, name))
      .flatMap((path) => (existsSync(path) ? readFileSync(path) : [])),
  );

test(`${kills} kills lose no decision, charge each run's share once, and leave nothing rejected behind`, async () => {
  console.log(`CRASH_SEED=${seed}`);
  const random = seededRandom(seed);
  const folder = temporaryFolder("approvals");
  const data = join(folder.path, "data");
  const demo = startServer(data, ["--demo"]);
  await demo.ready;
  expect(await demo.end("SIGTERM")).toBe(0);
  const { firms } = bodyOf(Demo, readFileSync(join(data, "demo-credentials.json"), "utf8"));
  const firm = present(firms[0], "the demo's first firm");
  const apiKey = firm.keys.all;
  const owner = firm.users.find(({ role }) => role === "owner")?.id ?? "";
  const granted = ["admin", "credits", "grant", "--firm", firm.id, "--credits", "90000000", "--reason", "test"];
  expect((await assay([...granted, "--data", data])).code).toBe(0);

  const book: string[] = [];
  const hidden = rejected.map((id) => names[Number(id) - 1] ?? "");
  for (let kill = 0; kill < kills; kill++) {
    const { child, token, ask } = await startApprovalServer(data, owner);
    const starting = untilGone(() => {
      const key = crypto.randomUUID();
      book.push(key);
      return start(ask, apiKey, key);
    });
    const deciding = [1, 2].map(() => untilGone(() => decideAll(ask, token)));
    await Bun.sleep(random() * loadedAtMost);
    child.kill("SIGKILL");
    await Promise.all([child.exited, starting, ...deciding]);
    expect(hidden.filter((name) => bytesOf(data).includes(name))).toEqual([]);
  }

  const { child, token, ask } = await startApprovalServer(data, owner);
  const ids = new Set<string>();
  for (const key of book) ids.add(bodyOf(Run, await start(ask, apiKey, key)).id);
  expect(ids.size).toBe(book.length);
  const database = new Database(join(data, "assay.db"));
  const count = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? 0;
  while (count("select count(*) as n from effects") > 0) if ((await decideAll(ask, token)) === 0) await Bun.sleep(5);
  for (const id of ids) {
    const run = bodyOf(Run, await ask(`/v1/runs/${id}`, apiKey));
    expect([run.status, run.charges.charged_credits, run.charges.released_credits]).toEqual([
      "succeeded",
      chargedCredits,
      210,
    ]);
    expect(run.approval?.items?.filter((item) => item.decision === "reject").map((item) => item.id)).toEqual(rejected);
  }
  expect(count("select count(*) as n from audit where action = 'run.approve'")).toBe(ids.size);
  expect(count("select count(*) as n from step_keys")).toBe(0);
  database.close();
  child.kill("SIGTERM");
  await child.exited;
  expect(hidden.filter((name) => bytesOf(data).includes(name))).toEqual([]);
  console.log(`${kills} kills, ${ids.size} runs decided`);
  const { code, out, err } = await assay(["verify", "--data", data]);
  expect({ code, out, err }).toMatchObject({ code: 0 });
  folder.dispose();
});
