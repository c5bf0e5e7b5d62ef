import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../../db/store.ts";
import { writeDurably } from "../platform/files.ts";
import type { CapabilityDefinition } from "../registry/contract.ts";
import type { EngineServices } from "../registry/services.ts";

export interface DemoOptions {
  readonly dataDir: string;
  readonly baseUrl: string;
  readonly masterKey: Uint8Array;
  readonly store: Store;
  /** Services for the engines that answer the month's runs. */
  readonly services: EngineServices;
  /** Whether to create the firms and keys that benchmarks need. */
  readonly bench: boolean;
  readonly capabilities: readonly CapabilityDefinition[];
  /** Aborts when the server is asked to stop. */
  readonly stop: AbortSignal;
  /** Called with what is being created, since the first start takes some seconds. */
  progress?(making: string): void;
}

/** Writes a file that only its owner can read: it holds secrets, though only of a demo. */
const writeSecretFile = (file: string, text: string): Promise<void> => writeDurably(file, text, { mode: 0o600 });

/** Returns the paths of the files with a demo's credentials. */
export const demoFiles = (dataDir: string) => ({
  credentials: join(dataDir, "demo-credentials.json"),
  benchKeys: join(dataDir, "bench-keys.txt"),
});

/** Updates the URLs in a demo's credentials to its present address, since the port may have changed. */
async function moveCredentials(file: string, baseUrl: string): Promise<void> {
  const text = readFileSync(file, "utf8");
  const { base_url: before } = JSON.parse(text) as { base_url?: string };
  if (before === undefined || before === baseUrl) return;
  // Quoted or before a path, so that port 8787 does not match in 87871.
  const moved = text.replaceAll(`"${before}"`, `"${baseUrl}"`).replaceAll(`"${before}/`, `"${baseUrl}/`);
  await writeSecretFile(file, moved);
}

/** Creates the benchmark firms and writes their keys to a file. */
async function prepareBenchKeys({ dataDir, store, services }: DemoOptions): Promise<void> {
  const { benchKeys: file } = demoFiles(dataDir);
  if (existsSync(file)) return;
  const { prepareBench } = await import("./bench.ts");
  const keys = await prepareBench(store, services.runtime);
  await writeSecretFile(file, `${keys.join("\n")}\n`);
}

/**
 * Fills an empty installation with the demo data, once: two firms with people, keys and credits, a month of real runs,
 * open gates, a fictitious German market. `serve --demo` calls it after the migrations. The code that creates the data
 * is loaded only then. `demo-credentials.json`, which lists the credentials, is written last. Throws the reason of
 * `stop` if it aborts before that.
 */
export async function prepareDemo(options: DemoOptions): Promise<void> {
  const { stop } = options;
  const { credentials: file } = demoFiles(options.dataDir);
  if (existsSync(file)) {
    await moveCredentials(file, options.baseUrl);
    if (options.bench) await prepareBenchKeys(options);
    return;
  }
  const { createWorld } = await import("./world.ts");
  const { prepareCorpus } = await import("./corpus.ts");
  const { prepareHistory } = await import("./history.ts");
  const { prepareJobs } = await import("./jobs.ts");
  const { prepareGermany } = await import("./germany.ts");
  const { prepareStudies } = await import("./studies.ts");
  const { prepareUnfinished } = await import("./unfinished.ts");
  stop.throwIfAborted();
  const progress = (making: string) => options.progress?.(making);
  progress("firms, people and keys");
  const world = await createWorld(options);
  stop.throwIfAborted();
  progress("a corpus, and a German market");
  // The import runs in a worker thread.
  await Promise.all([prepareCorpus(options), prepareGermany(options)]);
  stop.throwIfAborted();
  progress("a month of runs");
  const { audience, studies } = await prepareStudies(options, world);
  const history = await prepareHistory(options, world, studies);
  stop.throwIfAborted();
  const seeded = { ...history, ...audience, ...(await prepareJobs(options, world)) };
  if (options.bench) await prepareBenchKeys(options);
  else await prepareUnfinished(options, world);
  const firms = world.firms.map((firm, i) => ({ ...firm, seeded: { ...firm.seeded, ...(i === 0 && seeded) } }));
  const credentials = { base_url: options.baseUrl, operator: world.operator, firms };
  await writeSecretFile(file, `${JSON.stringify(credentials, null, 2)}\n`);
}
