import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { countEndedRuns, countUnfinishedRuns, type Figure, sumCredits } from "../../../db/queries/figures.ts";
import type { Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { version } from "../../../package.json";
import type { Computing } from "../../contracts/computing.ts";
import type { Worker } from "../../execution/worker.ts";
import { type Family, single } from "../../platform/exposition.ts";

const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Sizes of the database files, free disk space, and whether the database is writable. */
function storage({ file, trouble }: Store): Family[] {
  const { bavail, bsize } = statfsSync(dirname(file));
  return [
    single("assay_database_bytes", "gauge", "Size of the database file.", bytesOf(file)),
    single("assay_database_log_bytes", "gauge", "Size of the write-ahead log.", bytesOf(`${file}-wal`)),
    single("assay_disk_free_bytes", "gauge", "Free space on the database's disk.", bavail * bsize),
    single(
      "assay_database_writable",
      "gauge",
      "1 if the last commit was written, 0 if not.",
      trouble() === undefined ? 1 : 0,
    ),
  ];
}

const states = (figures: readonly Figure[]) =>
  figures.map(({ name, value }) => ({ labels: { state: name }, value: Number(value) }));

/** Runs and credits of all tenants. */
async function ledger({ read }: Store): Promise<Family[]> {
  const db = unscoped(read);
  const [unfinished, ended, credits] = [await countUnfinishedRuns(db), await countEndedRuns(db), await sumCredits(db)];
  return [
    { name: "assay_runs", type: "gauge", help: "Unfinished runs by state.", samples: states(unfinished) },
    { name: "assay_runs_ended_total", type: "counter", help: "Finished runs by state.", samples: states(ended) },
    {
      name: "assay_credits",
      type: "gauge",
      help: "Credits that firms have available and reserved, and that the platform and providers have earned.",
      samples: credits.map(({ name, value }) => ({ labels: { account: name }, value: Number(value) })),
    },
  ];
}

/** The worker's queue, and the capacity of each engine. */
function work(worker: Worker): Family[] {
  const { active, waiting, sleeping } = worker.load();
  const depth = { active, waiting, sleeping };
  const engines = worker.places();
  const places = (of: (engine: (typeof engines)[number]) => number) =>
    engines.map((engine) => ({ labels: { engine: engine.name }, value: of(engine) }));
  return [
    {
      name: "assay_queue_effects",
      type: "gauge",
      help: "Effects in progress, waiting for capacity, and waiting for their time.",
      samples: Object.entries(depth).map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: "assay_engine_places_used",
      type: "gauge",
      help: "Steps in progress at each engine.",
      samples: places((engine) => engine.active),
    },
    {
      name: "assay_engine_places",
      type: "gauge",
      help: "Maximum number of concurrent steps at each engine.",
      samples: places((engine) => engine.total),
    },
  ];
}

/** The pool of worker threads that compute on callers' content. */
function computed(computing: Computing): Family[] {
  const { active, waiting, threads } = computing.load();
  const { killed, tooCostly } = computing.losses();
  const ended = { killed, too_costly: tooCostly };
  return [
    {
      name: "assay_computations",
      type: "gauge",
      help: "Computations running in a worker thread, and waiting for one.",
      samples: Object.entries({ active, waiting }).map(([state, value]) => ({ labels: { state }, value })),
    },
    single("assay_computing_threads", "gauge", "Worker threads, busy or idle.", threads),
    {
      name: "assay_computations_ended_total",
      type: "counter",
      help: "Computations that were stopped: killed because no caller was waiting, too_costly because they exceeded their budget.",
      samples: Object.entries(ended).map(([reason, value]) => ({ labels: { reason }, value })),
    },
  ];
}

/** Process metrics, under the names that every Prometheus client uses. */
function ownProcess(started_at_ms: number): Family[] {
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    single("process_resident_memory_bytes", "gauge", "Resident memory size.", rss),
    single("process_cpu_seconds_total", "counter", "Processor time used, in seconds.", (user + system) / 1e6),
    single("process_start_time_seconds", "gauge", "Start of the process since the Unix epoch.", started_at_ms / 1_000),
    {
      name: "assay_build_info",
      type: "gauge",
      help: "The running version.",
      samples: [{ labels: { version, bun: Bun.version }, value: 1 }],
    },
  ];
}

export interface FigureSources {
  readonly store: Store;
  readonly worker: Worker;
  readonly passwords: { load(): { readonly active: number } };
  readonly computing: Computing;
  readonly started_at_ms: number;
}

/** Returns all metrics that are read on each scrape. Rejects if the database can't be read. */
export const currentFigures = async ({
  store,
  worker,
  passwords,
  computing,
  started_at_ms,
}: FigureSources): Promise<readonly Family[]> => [
  ...work(worker),
  ...computed(computing),
  single("assay_passwords_under_way", "gauge", "Passwords being hashed.", passwords.load().active),
  ...storage(store),
  ...ownProcess(started_at_ms),
  ...(await ledger(store)),
];
