import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { minute } from "../../src/platform/clock.ts";
import { seededRandom } from "../../src/platform/random.ts";
import { assay, benchKeys, endServers, type ServerProcess, startServer, temporaryFolder } from "../blackbox/server.ts";
import { type Book, chargedCredits, creditsOf, forEach, loadUntilGone, reconcile, submit } from "./load.ts";

/**
 * Real SIGKILLs of a real server under real load. CRASH_KILLS sets the number of kills (50), CRASH_SEED repeats their
 * timing.
 */

setDefaultTimeout(10 * minute);
afterAll(endServers);

const kills = Number(process.env.CRASH_KILLS ?? 50);
const seed = process.env.CRASH_SEED ?? crypto.randomUUID();
/** Kills per data folder, so that each has some history and none grows without limit. */
const killsPerFolder = 10;
/** Share of the kills that hit a server while it starts and recovers from the previous kill. */
const startingShare = 0.25;
/** Latest moment of a kill, in ms after the load or the start. */
const loadedAtMost = 300;
const startingAtMost = 120;

async function expectVerified(data: string): Promise<void> {
  const { code, out, err } = await assay(["verify", "--data", data]);
  if (code !== 0) throw new Error(`assay verify: ${out}${err}`);
}

/** Returns each firm's credits before anything runs. */
async function openingCredits(baseUrl: string, apiKeys: readonly string[]): Promise<Map<string, number>> {
  const opening = new Map<string, number>();
  await forEach(apiKeys, async (apiKey) => void opening.set(apiKey, (await creditsOf(baseUrl, apiKey)).available));
  return opening;
}

/** Checks that every run was charged once, by the balance alone, regardless of what the runs state. */
async function expectBalances(baseUrl: string, opening: Map<string, number>, { submissions }: Book) {
  const runs = Map.groupBy(submissions, ({ apiKey }) => apiKey);
  await forEach(opening, async ([apiKey, before]) => {
    const { available, reserved } = await creditsOf(baseUrl, apiKey);
    const count = new Set(runs.get(apiKey)?.map(({ id }) => id)).size;
    expect({ available, reserved }).toEqual({ available: before - count * chargedCredits, reserved: 0 });
  });
}

/** Calls `work` with a server, which then stops cleanly. */
async function withServer<T>(data: string, work: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = startServer(data);
  const result = await work(await server.ready);
  expect(await server.end("SIGTERM")).toBe(0);
  return result;
}

/** Waits until `count` submissions have been answered. */
async function untilAnswered({ submissions }: Book, count: number): Promise<void> {
  while (submissions.filter(({ id }) => id !== undefined).length < count) await Bun.sleep(1);
}

/**
 * Kills a server while it starts, or under load after the previous kill has been reconciled. Returns how many
 * submissions were unanswered when it died.
 */
async function killOnce(server: ServerProcess, apiKeys: readonly string[], book: Book, random: () => number) {
  if (random() < startingShare) {
    await Bun.sleep(random() * startingAtMost);
    await server.end("SIGKILL");
    return 0;
  }
  const baseUrl = await server.ready;
  await reconcile(baseUrl, book);
  const load = loadUntilGone(baseUrl, apiKeys, book);
  await Bun.sleep(random() * loadedAtMost);
  await server.end("SIGKILL");
  await load;
  return book.submissions.slice(book.reconciled).filter(({ id }) => id === undefined).length;
}

/** Kills servers of one data folder; returns how many runs were submitted, and how many of them went unanswered. */
async function killFolder(data: string, count: number, random: () => number): Promise<[number, number]> {
  const apiKeys = benchKeys(data);
  const book: Book = { submissions: [], reconciled: 0 };
  const opening = await withServer(data, (baseUrl) => openingCredits(baseUrl, apiKeys));
  let unanswered = 0;
  for (let kill = 0; kill < count; kill++) {
    unanswered += await killOnce(startServer(data), apiKeys, book, random);
    await expectVerified(data);
  }
  await withServer(data, async (baseUrl) => {
    await reconcile(baseUrl, book);
    await expectBalances(baseUrl, opening, book);
  });
  await expectVerified(data);
  return [book.submissions.length, unanswered];
}

test(
  `${kills} kills at random moments lose no accepted run and charge none twice`,
  async () => {
    console.log(`CRASH_SEED=${seed}`);
    const random = seededRandom(seed);
    const folder = temporaryFolder("kills");
    const template = join(folder.path, "template");
    await withServer(template, async () => undefined);
    let submitted = 0;
    let unanswered = 0;
    for (let done = 0; done < kills; done += killsPerFolder) {
      const data = join(folder.path, `data-${done}`);
      cpSync(template, data, { recursive: true });
      const [runs, lost] = await killFolder(data, Math.min(killsPerFolder, kills - done), random);
      rmSync(data, { recursive: true });
      submitted += runs;
      unanswered += lost;
    }
    console.log(`${kills} kills, ${submitted} runs, of which ${unanswered} had no answer when the server died`);
    expect(submitted).toBeGreaterThan(kills);
    folder.dispose();
  },
  60 * minute,
);

test("32 identical concurrent submissions create one run, even after a kill", async () => {
  const folder = temporaryFolder("identical");
  const data = join(folder.path, "data");
  const server = startServer(data);
  const baseUrl = await server.ready;
  const [apiKey = ""] = benchKeys(data);
  const submission = { apiKey, idempotencyKey: crypto.randomUUID(), later: false };
  const answers = await Promise.all(Array.from({ length: 32 }, () => submit(baseUrl, submission)));
  await server.end("SIGKILL");
  const later = await withServer(data, (address) => submit(address, submission));
  expect(new Set([...answers, later].map(({ id }) => id)).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(later.replayed).toBe(true);
  folder.dispose();
});

test("a server stopped under load exits cleanly and loses nothing", async () => {
  const folder = temporaryFolder("stop");
  const data = join(folder.path, "data");
  const server = startServer(data);
  const baseUrl = await server.ready;
  const apiKeys = benchKeys(data);
  const opening = await openingCredits(baseUrl, apiKeys);
  const book: Book = { submissions: [], reconciled: 0 };
  const load = loadUntilGone(baseUrl, apiKeys, book);
  await untilAnswered(book, 200);
  expect(await server.end("SIGTERM")).toBe(0);
  await load;
  await expectVerified(data);
  await withServer(data, async (address) => {
    await reconcile(address, book);
    await expectBalances(address, opening, book);
  });
  folder.dispose();
});
