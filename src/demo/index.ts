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
  /** What the engines of its month of runs are made from. */
  readonly services: EngineServices;
  /** With the firms and keys that benchmarks need. */
  readonly bench: boolean;
  readonly capabilities: readonly CapabilityDefinition[];
  /** Aborted when the server is asked to stop. */
  readonly stop: AbortSignal;
  /** Told what is being made, since the first start takes some seconds. */
  progress?(making: string): void;
}

/** For their owner's eyes: these files hold secrets, though only of a demo. */
const writeSecretFile = (file: string, text: string): Promise<void> => writeDurably(file, text, { mode: 0o600 });

/** The files that tell how to use a demo. */
export const demoFiles = (dataDir: string) => ({
  credentials: join(dataDir, "demo-credentials.json"),
  benchKeys: join(dataDir, "bench-keys.txt"),
});

/** Has a demo's credentials name the address that it is started at now: another port makes other addresses. */
async function moveCredentials(file: string, baseUrl: string): Promise<void> {
  const text = readFileSync(file, "utf8");
  const { base_url: before } = JSON.parse(text) as { base_url?: string };
  if (before === undefined || before === baseUrl) return;
  // Quoted or before a path, so that port 8787 is not found within 87871.
  const moved = text.replaceAll(`"${before}"`, `"${baseUrl}"`).replaceAll(`"${before}/`, `"${baseUrl}/`);
  await writeSecretFile(file, moved);
}

/** The bench's firms and their keys. */
async function prepareBenchKeys({ dataDir, store, services }: DemoOptions): Promise<void> {
  const { benchKeys: file } = demoFiles(dataDir);
  if (existsSync(file)) return;
  const { prepareBench } = await import("./bench.ts");
  const keys = await prepareBench(store, services.runtime);
  await writeSecretFile(file, `${keys.join("\n")}\n`);
}

/**
 * Fills an empty installation with the demo's world, once: two firms with people, keys and credits, a month of real
 * runs, open gates, a made-up German market. `serve --demo` calls it after the migrations; what makes the world is loaded that once only.
 * `demo-credentials.json` tells who may do what, and is written last. Throws the reason of `stop` where that is aborted
 * before all of it is made.
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
  // The import works in a thread of its own.
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
