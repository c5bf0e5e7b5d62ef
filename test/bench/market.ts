import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Installation } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";
import { benchUniverse } from "./universe.ts";

/**
 * `bun run bench:market`: imports `--rows` (1,000,000) figures of an SDMX-CSV file while a server runs, and prints rows
 * per second, the import's peak memory and the 99th percentile of `/health` meanwhile; then searches universes of
 * 12,403 and of a million rows. `--universe` does only the latter.
 */

const { values } = parseArgs({
  options: { rows: { type: "string", default: "1000000" }, universe: { type: "boolean", default: false } },
});
const rows = Number(values.rows);
const geos = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE".split(" ");

async function write(file: string): Promise<void> {
  const out = Bun.file(file).writer();
  out.write("DATAFLOW,LAST UPDATE,freq,item,unit,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG\n");
  for (let n = 0; n < rows; n++) {
    const [place, year, item] = [geos[n % 25], 1900 + (Math.floor(n / 25) % 120), Math.floor(n / 3000)];
    out.write(`ESTAT:BENCH(1.0),14/04/23 23:00:00,A,I${item},NR,${place},${year},${(n * 7919) % 1000003},\n`);
  }
  await out.end();
}

/** Returns the latencies of `/health` in ms until the import has finished. */
async function pulse(url: string, ended: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const over = ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const began = performance.now();
    await (await fetch(`${url}/health`)).text();
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await over;
  return times.sort((a, b) => a - b);
}

async function benchImport(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-market-"));
  await using here = new Installation();
  try {
    const file = join(folder, "bench.csv");
    await write(file);
    await here.init();
    const server = await here.serve();
    const began = performance.now();
    const child = Bun.spawn(commandLine(["import", "eu-data", file, "--data", here.data]), {
      stdio: ["ignore", "ignore", "ignore"],
    });
    const times = await pulse(server.url, child.exited);
    const seconds = (performance.now() - began) / 1000;
    const memory = (child.resourceUsage()?.maxRSS ?? 0) / 1e6;
    const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
    console.log(`${rows} rows in ${seconds.toFixed(1)} s: ${Math.round((rows / seconds) * 60)} per minute`);
    console.log(
      `peak memory of the import ${memory.toFixed(0)} MB; /health p99 meanwhile ${p99.toFixed(1)} ms of ${times.length}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (!values.universe) await benchImport();
await benchUniverse(12_403);
await benchUniverse(1_000_000);
