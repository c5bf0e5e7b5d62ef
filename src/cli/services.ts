import { availableParallelism } from "node:os";
import { openDatasetFile } from "../../db/sqlite/dataset-file.ts";
import type { Db } from "../../db/store.ts";
import { modelsOf, privateHostsOf, type Settings } from "../config/settings.ts";
import type { Computing } from "../contracts/computing.ts";
import type { Meaning } from "../contracts/meaning.ts";
import { createPool } from "../execution/computing/pool.ts";
import { createModels } from "../integrations/models/models.ts";
import { createOutbound } from "../integrations/outbound/guard.ts";
import { tracedOutbound } from "../integrations/outbound/traced.ts";
import { botName } from "../integrations/outbound/types.ts";
import { starterMeanings } from "../knowledge/corpus/starter/meanings.ts";
import { createMeaning } from "../knowledge/meaning/service.ts";
import { weightFiles } from "../knowledge/meaning/weights.ts";
import { openCorpus } from "../knowledge/retrieval/open.ts";
import type { Log } from "../platform/log.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Tracing } from "../platform/tracing.ts";
import { DatasetFolder } from "../products/datasets/folder.ts";
import { createDatasets } from "../products/datasets/service.ts";
import type { EngineServices } from "../registry/services.ts";
import type { Paths } from "./installation.ts";
import { version } from "./version.ts";

export interface ServiceOptions {
  readonly runtime: Runtime;
  readonly log: Log;
  readonly settings: Settings;
  /** Committed state. */
  readonly db: Db;
  readonly paths: Pick<Paths, "insuranceIndex" | "datasets">;
  readonly tracing?: Tracing | undefined;
}

/** Creates the meaning models: those in the executable, if it has any and they are switched on. */
const machineMeaning = (runtime: Runtime, log: Log, { meaning }: Settings): Meaning =>
  createMeaning({
    runtime,
    log,
    files: meaning === "on" ? weightFiles : null,
    available: () => process.availableMemory(),
  });

/** Creates the outbound client, the models and the corpus. `assay index` uses only the corpus. */
export function searchServices({ runtime, log, settings, db, paths, tracing }: ServiceOptions) {
  const more = settings.base_url === undefined ? "" : ` (+${settings.base_url}/v1/docs/support)`;
  const guard = createOutbound({
    runtime,
    allow_private: privateHostsOf(settings),
    user_agent: `${botName}/${version}${more}`,
  });
  const outbound = tracing ? tracedOutbound(guard, tracing) : guard;
  const models = createModels(modelsOf(settings), outbound);
  const embedding = models.embedding ?? undefined;
  const meaning = machineMeaning(runtime, log, settings);
  const read = meaning.isBuiltIn && { meaning, shipped: starterMeanings };
  return { outbound, models, meaning, corpus: { runtime, db, file: paths.insuranceIndex, log, embedding, ...read } };
}

/** Creates the thread pool, as large as the machine allows. */
export const machinePool = (runtime: Runtime): Computing => createPool({ runtime, processors: availableParallelism() });

/** Creates the services that the engines use, for `serve`, the demo and `doctor`. */
export function engineServices(options: ServiceOptions): EngineServices {
  const { outbound, models, meaning, corpus } = searchServices(options);
  const { runtime, log, db, paths } = options;
  const datasets = createDatasets({ db, folder: new DatasetFolder(paths.datasets), open: openDatasetFile });
  return {
    runtime,
    log,
    outbound,
    models,
    computing: machinePool(runtime),
    corpus: openCorpus(corpus),
    meaning,
    datasets,
    studies: { conductor: null },
  };
}
