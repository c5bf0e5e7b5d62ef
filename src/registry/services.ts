import type { Datasets } from "../../db/datasets.ts";
import type { Computing } from "../contracts/computing.ts";
import type { Engine } from "../contracts/engine.ts";
import type { Meaning } from "../contracts/meaning.ts";
import type { StudyDesk } from "../contracts/study.ts";
import type { Models } from "../integrations/models/models.ts";
import type { Outbound } from "../integrations/outbound/types.ts";
import type { Corpus } from "../knowledge/corpus/corpus.ts";
import type { Log } from "../platform/log.ts";
import type { Runtime } from "../platform/runtime.ts";

/**
 * The services that an installation offers its engines, each a small interface of the folder that owns it. To add one,
 * add it here, in `src/cli/services.ts`, which creates it from the configuration, and in `test/support/services.ts`.
 */
export interface EngineServices {
  readonly runtime: Runtime;
  readonly log: Log;
  /** The only way to reach another machine. */
  readonly outbound: Outbound;
  /** Worker threads for computations over a caller's content. */
  readonly computing: Computing;
  /** The meaning models inside the executable. */
  readonly meaning: Meaning;
  /** Search over the insurance documents. */
  readonly corpus: Corpus;
  /** Imported figures and entities, by version. */
  readonly datasets: Datasets;
  /** The language and embedding models that the operator configured, if any. */
  readonly models: Models;
  /** Carries out market studies. */
  readonly studies: StudyDesk;
}

/** An engine, or a function that creates it from the installation's services. */
export type EngineSource = Engine | ((services: EngineServices) => Engine);

/** Returns the engine. The registry calls this once for each capability, when the app is created. */
export const engineFrom = (source: EngineSource, services: EngineServices): Engine =>
  typeof source === "function" ? source(services) : source;
