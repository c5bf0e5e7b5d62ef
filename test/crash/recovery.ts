import { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { minute } from "../../src/platform/clock.ts";
import { assay, endServers, startServer, temporaryFolder } from "../blackbox/server.ts";

/**
 * The runs that a killed server leaves unfinished, and how soon the next one finishes them. CRASH_UNFINISHED sets their
 * number (10,000).
 */

setDefaultTimeout(10 * minute);
afterAll(endServers);

const count = Number(process.env.CRASH_UNFINISHED ?? 10_000);

/** Leaves a demo's folder with this many unfinished runs. */
async function leaveUnfinished(data: string): Promise<void> {
  const server = startServer(data);
  await server.ready;
  expect(await server.end("SIGTERM")).toBe(0);
  const script = join(import.meta.dir, "unfinished.ts");
  const child = Bun.spawn([process.execPath, script, data, String(count)], { stdio: ["ignore", "inherit", "inherit"] });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
}

test(`${count} runs that a kill left unfinished all finish after the next start`, async () => {
  const folder = temporaryFolder("recovery");
  const data = join(folder.path, "data");
  await leaveUnfinished(data);
  const database = new Database(join(data, "assay.db"));
  const runsIn = (where: string) =>
    database.query<{ n: number }, []>(`select count(*) as n from runs where capability = 'bench-noop' and ${where}`);
  const open = runsIn("status in ('queued', 'running')");
  expect(open.get()?.n).toBe(count);

  const started = performance.now();
  const server = startServer(data);
  await server.ready;
  const listening = performance.now() - started;
  while ((open.get()?.n ?? 0) > 0) await Bun.sleep(10);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${count} runs ended ${seconds.toFixed(2)} s after the start, which listened after ${listening.toFixed(0)} ms`,
  );

  expect(runsIn("status = 'succeeded'").get()?.n).toBe(count);
  expect(await server.end("SIGTERM")).toBe(0);
  database.close();
  const { code, out } = await assay(["verify", "--data", data]);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`receipts: ok`) });
  folder.dispose();
});
