import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../db/sqlite/connection.ts";
import { openDatasetFile } from "../../db/sqlite/dataset-file.ts";
import type { Store } from "../../db/store.ts";
import { createPool } from "../../src/execution/computing/pool.ts";
import { createModels } from "../../src/integrations/models/models.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { createMeaning } from "../../src/knowledge/meaning/service.ts";
import { createCorpus } from "../../src/knowledge/retrieval/service.ts";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { DatasetFolder } from "../../src/products/datasets/folder.ts";
import { createDatasets } from "../../src/products/datasets/service.ts";
import type { EngineServices } from "../../src/registry/services.ts";

/** Opens a new store, deleted when the process exits. It has no tables until migrated. */
export function scratchStore(): Store {
  const folder = mkdtempSync(join(tmpdir(), "assay-services-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return openStore(join(folder, "assay.db"));
}

const pool = () => createPool({ runtime: systemRuntime, processors: 4 });

/** A thread pool for engines under test that no app stops. */
export const computing = pool();

/** As in an executable built without the meaning models: engines use rules only. */
export const withoutModels = createMeaning({
  runtime: systemRuntime,
  log: createLog(systemRuntime, "error"),
  files: null,
  available: () => 0,
});

/** Returns services for engines under test: no configuration, no access to internal networks, the store's documents. */
export function testServices(given: Partial<EngineServices> = {}, store = scratchStore()): EngineServices {
  const { runtime = systemRuntime } = given;
  const log = createLog(systemRuntime, "error");
  const corpus = createCorpus({ runtime, db: store.read, file: `${store.file}.index`, log });
  const outbound = given.outbound ?? createOutbound({ runtime: systemRuntime });
  const datasets = createDatasets({
    db: store.read,
    folder: new DatasetFolder(`${store.file}.datasets`),
    open: openDatasetFile,
  });
  return {
    runtime,
    log,
    computing: pool(),
    corpus,
    meaning: withoutModels,
    datasets,
    models: createModels({}, outbound),
    studies: { conductor: null },
    ...given,
    outbound,
  };
}
