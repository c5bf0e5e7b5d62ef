import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/harness.ts";
import { Installation, runToEnd } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";

/** Tests an import of the German market that is interrupted: what remains of its rows and their index. */

const rows = 40_000;

/** Writes a universe of that many distinct rows. */
function universe(here: Installation, count: number): string {
  const file = join(here.folder, "universe.csv");
  const lines = Array.from(
    { length: count },
    (_, i) => `c${i},Makler ${i} GmbH,${i % 2 ? "broker" : "agent"},${i % 3 ? "A" : "B"},Köln,NW`,
  );
  writeFileSync(file, `candidate_id,name,sector,tier,city,land\n${lines.join("\n")}\n`);
  writeFileSync(`${file}.mapping.yaml`, "publisher: Test register\n");
  return file;
}

const tablesIn = (here: Installation): string[] =>
  existsSync(join(here.data, "datasets")) ? readdirSync(join(here.data, "datasets")) : [];

/** Returns the version that serves, and how many rows of the universe an import or a query finds in it. */
async function serving(here: Installation): Promise<[version: number, rows: number]> {
  const server = await here.serve();
  const summary = (await (await fetch(`${server.url}/v1/market-intelligence/de/summary`)).json()) as {
    holdings: { version: number; rows: number };
  };
  await server.end();
  return [summary.holdings.version, summary.holdings.rows];
}

test("a killed import of the German market leaves the old version serving, and can be repeated", async () => {
  await using here = new Installation();
  await here.init();
  expect((await here.run("import", "germany", universe(here, 3))).code).toBe(0);
  const file = universe(here, rows);
  const child = Bun.spawn(commandLine(["import", "germany", file, "--data", here.data]), {
    stdio: ["ignore", "ignore", "ignore"],
  });
  await until(() => tablesIn(here).some((name) => name.endsWith(".draft")), "a draft");
  child.kill("SIGKILL");
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  expect(await serving(here)).toEqual([1, 3]);
  expect((await here.run("import", "germany", file)).code).toBe(0);
  expect([await serving(here), tablesIn(here).filter((name) => name.endsWith(".draft"))]).toEqual([[2, rows], []]);
  expect((await here.run("verify")).code).toBe(0);
}, 600_000);

test("a disk that fills up during an import of the German market leaves only the old version serving", async () => {
  await using here = new Installation();
  await here.init();
  await here.run("import", "germany", universe(here, 3));
  const file = universe(here, rows);
  const command = commandLine(["import", "germany", file, "--data", here.data])
    .map((word) => `'${word}'`)
    .join(" ");
  // No file may exceed two megabytes: writes fail as on a full disk.
  const { code, err } = await runToEnd(["bash", "-c", `trap '' XFSZ; ulimit -f 2048; exec ${command}`]);
  expect([code, /disk|full|I\/O/i.test(err)]).toEqual([1, true]);
  expect([await serving(here), tablesIn(here).length]).toEqual([[1, 3], 1]);
  expect((await here.run("import", "germany", file)).code).toBe(0);
  expect(await serving(here)).toEqual([2, rows]);
}, 600_000);
