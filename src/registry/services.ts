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
 * What an installation offers its engines. Each is a small interface of the room that owns it: a new one is a line here,
 * in `src/cli/services.ts`, which makes it from the configuration, and in `test/support/services.ts`.
 */
export interface EngineServices {
  readonly runtime: Runtime;
  readonly log: Log;
  /** The one way to another machine. */
  readonly outbound: Outbound;
  /** Threads for whatever is computed over a caller's content. */
  readonly computing: Computing;
  /** The small models inside the executable, to be asked what texts mean. */
  readonly meaning: Meaning;
  /** The insurance documents, to be searched. */
  readonly corpus: Corpus;
  /** Imported figures and entities, by version. */
  readonly datasets: Datasets;
  /** The language and embedding models that the operator configured, if any. */
  readonly models: Models;
  /** Carries out market studies. */
  readonly studies: StudyDesk;
}

/** An engine, or how to make it from the services of the installation that runs it. */
export type EngineSource = Engine | ((services: EngineServices) => Engine);

/** The engine itself. The registry calls it once for each capability, when the app is made. */
export const engineFrom = (source: EngineSource, services: EngineServices): Engine =>
  typeof source === "function" ? source(services) : source;
