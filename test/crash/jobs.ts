import { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { bodyOf } from "../../src/cli/client/http.ts";
import { CompanyAnalysisSubmission } from "../../src/jobs/schema.ts";
import { minute } from "../../src/platform/clock.ts";
import { seededRandom } from "../../src/platform/random.ts";
import { assay, demoKeys, endServers, startServer, temporaryFolder } from "../blackbox/server.ts";
import { forEach } from "./load.ts";

/**
 * Real SIGKILLs of a process that executes jobs. CRASH_JOB_KILLS sets the number of kills (20), CRASH_SEED repeats
 * their timing.
 */

setDefaultTimeout(10 * minute);
afterAll(endServers);

const kills = Number(process.env.CRASH_JOB_KILLS ?? 20);
const seed = process.env.CRASH_SEED ?? crypto.randomUUID();
/** Latest moment of a kill, in ms after the load starts. */
const loadedAtMost = 1_000;
const connections = 8;

interface Submission {
  readonly key: string;
  id?: string;
}

async function startJobServer(data: string) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "job-server.ts"), data], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value } = await child.stdout.getReader().read();
  return { child, baseUrl: new TextDecoder().decode(value).trim() };
}

/** Submits with this idempotency key; throws for any status but 202, and when there is no response. */
async function submit(baseUrl: string, apiKey: string, key: string): Promise<CompanyAnalysisSubmission> {
  const response = await fetch(`${baseUrl}/v1/company-analyses`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "idempotency-key": key, "content-type": "application/json" },
    body: JSON.stringify({ company_url: "https://example.com/" }),
  });
  const text = await response.text();
  if (response.status !== 202) throw new RefusedError(`a submission was answered ${response.status}: ${text}`);
  return bodyOf(CompanyAnalysisSubmission, text);
}

/** A response that a healthy server never gives. */
class RefusedError extends Error {}

/** Submits jobs until the server stops responding. Each submission is recorded in `book` before it is sent. */
async function loadUntilGone(baseUrl: string, apiKey: string, book: Submission[]): Promise<void> {
  const client = async () => {
    for (;;) {
      const submission: Submission = { key: crypto.randomUUID() };
      book.push(submission);
      try {
        submission.id = (await submit(baseUrl, apiKey, submission.key)).job_id;
      } catch (error) {
        if (error instanceof RefusedError) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
}

/** Checks that every accepted submission returns the same job again, and that unanswered ones are accepted now. */
async function reconcile(baseUrl: string, apiKey: string, book: readonly Submission[]): Promise<void> {
  await forEach(book, async (submission) => {
    const { job_id, replayed } = await submit(baseUrl, apiKey, submission.key);
    if (submission.id !== undefined) expect([job_id, replayed]).toEqual([submission.id, true]);
    submission.id = job_id;
  });
}

/** Creates a demo's folder without a quota on company analyses. */
async function prepare(data: string): Promise<void> {
  const server = startServer(data, ["--demo"]);
  await server.ready;
  expect(await server.end("SIGTERM")).toBe(0);
  expect((await assay(["admin", "quotas", "clear", "company-analyses", "--everywhere", "--data", data])).code).toBe(0);
}

test(`${kills} kills lose no accepted job, and every job finishes once`, async () => {
  console.log(`CRASH_SEED=${seed}`);
  const random = seededRandom(seed);
  const folder = temporaryFolder("jobs");
  const data = join(folder.path, "data");
  await prepare(data);
  const { all: apiKey } = demoKeys(data);
  const book: Submission[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const { child, baseUrl } = await startJobServer(data);
    const load = loadUntilGone(baseUrl, apiKey, book);
    await Bun.sleep(random() * loadedAtMost);
    child.kill("SIGKILL");
    await Promise.all([child.exited, load]);
  }
  const unanswered = book.filter(({ id }) => id === undefined).length;
  const { child, baseUrl } = await startJobServer(data);
  await reconcile(baseUrl, apiKey, book);
  const database = new Database(join(data, "assay.db"));
  const count = (sql: string) => database.query<{ n: number }, []>(sql).get()?.n ?? 0;
  while (count("select count(*) as n from effects where machine = 'job'") > 0) await Bun.sleep(10);
  child.kill("SIGTERM");
  await child.exited;
  console.log(`${kills} kills, ${book.length} jobs, of which ${unanswered} had no answer when the server died`);

  expect(new Set(book.map(({ id }) => id)).size).toBe(book.length);
  // One more than submitted: the demo's own.
  expect(count("select count(*) as n from jobs")).toBe(book.length + 1);
  expect(count("select count(*) as n from jobs where status <> 'succeeded'")).toBe(0);
  // Interrupted work is the same attempt when it is resumed; only the engine's failure uses one up.
  expect(count("select max(attempts) as n from jobs")).toBe(2);
  expect(count("select count(*) as n from audit where action = 'job.succeeded'")).toBe(book.length + 1);
  expect(count("select count(distinct subject) as n from audit where action = 'job.succeeded'")).toBe(book.length + 1);
  expect(count("select sum(used) as n from uses where name like 'company-analyses@%'")).toBe(book.length + 1);
  database.close();
  const { code, out } = await assay(["verify", "--data", data]);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`jobs: ok (${book.length + 1} checked)`) });
  folder.dispose();
});
