import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../../db/store.ts";
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
}

/** For their owner's eyes: these files hold secrets, though only of a demo. */
function writeSecretFile(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}

/**
 * Fills an empty installation with the demo's world, once: two firms with people, keys and credits, a month of real
 * runs, open gates. `serve --demo` calls it behind the migrations; what makes the world is loaded that once only.
 * `demo-credentials.json` tells who may do what.
 */
export async function prepareDemo(options: DemoOptions): Promise<void> {
  const credentialsFile = join(options.dataDir, "demo-credentials.json");
  if (!existsSync(credentialsFile)) {
    const { createWorld } = await import("./world.ts");
    const { prepareCorpus } = await import("./corpus.ts");
    const { prepareHistory } = await import("./history.ts");
    const { prepareJobs } = await import("./jobs.ts");
    const world = await createWorld(options);
    await prepareCorpus(options);
    const seeded = { ...(await prepareHistory(options, world)), ...(await prepareJobs(options, world)) };
    const firms = world.firms.map((firm, i) => ({ ...firm, seeded: { ...firm.seeded, ...(i === 0 && seeded) } }));
    const credentials = { base_url: options.baseUrl, operator: world.operator, firms };
    writeSecretFile(credentialsFile, `${JSON.stringify(credentials, null, 2)}\n`);
  }
  const benchFile = join(options.dataDir, "bench-keys.txt");
  if (options.bench && !existsSync(benchFile)) {
    const { prepareBench } = await import("./bench.ts");
    const keys = await prepareBench(options.store, options.services.runtime);
    writeSecretFile(benchFile, `${keys.join("\n")}\n`);
  }
}
