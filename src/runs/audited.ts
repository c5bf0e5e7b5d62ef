import type { Reader } from "../../db/sqlite/verification.ts";
import type { AcceptedRun, StatedEntry } from "../../db/sqlite/verification-audit.ts";
import { rfc3339, second } from "../platform/clock.ts";
import { breath, breathe, createFindings, type Findings } from "../platform/findings.ts";

type Problem = (line: string) => void;

/** What a run's audit entries state about it. */
interface Stated {
  readonly status: string;
  readonly reason: string | null;
  readonly reserved: number;
  readonly charged: number;
  readonly released: number;
}

/** A run that, according to its entries, was accepted and has not ended. */
interface OpenRun {
  readonly row: AcceptedRun;
  last: Stated;
  started_at: number | null;
}

const isOver = ({ status }: Stated): boolean => status === "succeeded" || status === "failed" || status === "refused";
const hasBegun = ({ status }: Stated): boolean => status !== "queued" && status !== "refused";
const stated = ({ data_json }: StatedEntry): Stated => JSON.parse(data_json) as Stated;

/**
 * Checks whether a row's caller matches the entry's actor. A `connection:<id>` may have been deleted, and has no key.
 */
function isBy(actor: string, { user_id, api_key_id, key_user_id }: AcceptedRun): boolean {
  const [kind, id] = actor.split(":");
  if (kind === "key") return api_key_id === id && (key_user_id ?? user_id) === user_id;
  return api_key_id === null && (kind !== "user" || user_id === id);
}

/** In releases up to 0.4, the demo dated two of its runs a second before their entries. */
const acceptedAt = (at: number, created_at: number): boolean => at === created_at || at === created_at + second;

/** Yields the differences between a run's row and its acceptance entry. */
function* acceptanceProblems(row: AcceptedRun, { at, firm_id, actor }: StatedEntry): Generator<string> {
  if (firm_id !== row.firm_id) yield `run ${row.id} belongs to another firm in the audit log`;
  if (!acceptedAt(at, row.created_at))
    yield `run ${row.id} was created at ${rfc3339(row.created_at)}, the audit log says ${rfc3339(at)}`;
  if (!isBy(actor, row))
    yield `run ${row.id} was accepted for ${actor} according to the audit log, but not according to its row`;
}

/** Yields the differences between a run's final state and its last entry. */
function* stateProblems({ row, last, started_at }: OpenRun): Generator<string> {
  const figures = [
    ["status", row.status, last.status],
    ["reason", row.reason_code, last.reason],
    ["reserved", row.reserved_credits, last.reserved],
    ["charged", row.charged_credits, last.charged],
    ["released", row.released_credits, last.released],
  ] as const;
  for (const [name, told, known] of figures)
    if (told !== known) yield `run ${row.id}: ${name} is ${told}, the audit log says ${known}`;
  if (started_at !== null && row.started_at !== started_at)
    yield `run ${row.id} did not start when the audit log says, at ${rfc3339(started_at)}`;
}

/** Maximum number of runs to read ahead, to find one that was accepted in a different order. */
const readAhead = 8;

/** Tracks each run through its entries, and drops it once it has ended and has been checked. */
function createFollowed(rows: IterableIterator<AcceptedRun>, problem: Problem, count: () => void) {
  const open = new Map<string, OpenRun>();
  /** Rows read before their acceptance entry, and acceptance entries read before their row. Normally both are empty. */
  const early = new Map<string, AcceptedRun>();
  const awaited = new Map<string, StatedEntry>();

  function read(): AcceptedRun | undefined {
    const { value, done } = rows.next() as IteratorResult<AcceptedRun, undefined>;
    if (done) return undefined;
    count();
    const entry = awaited.get(value.id);
    awaited.delete(value.id);
    if (entry) for (const line of acceptanceProblems(value, entry)) problem(line);
    else early.set(value.id, value);
    return value;
  }

  function accepted(entry: StatedEntry): AcceptedRun | undefined {
    for (let i = 0; i < readAhead && !early.has(entry.subject) && read(); i++);
    const row = early.get(entry.subject);
    early.delete(entry.subject);
    if (!row) awaited.set(entry.subject, entry);
    return row;
  }

  function close(run: OpenRun): void {
    open.delete(run.row.id);
    for (const line of stateProblems(run)) problem(line);
  }

  return {
    accept(entry: StatedEntry): void {
      const row = accepted(entry);
      if (!row) return;
      for (const line of acceptanceProblems(row, entry)) problem(line);
      open.set(row.id, { row, last: stated(entry), started_at: null });
      this.move(entry);
    },
    move(entry: StatedEntry): void {
      const run = open.get(entry.subject);
      if (!run) return;
      run.last = stated(entry);
      if (hasBegun(run.last)) run.started_at ??= entry.at;
      if (!isOver(run.last)) return;
      if (run.row.finished_at !== entry.at)
        problem(`run ${run.row.id} did not end when the audit log says, at ${rfc3339(entry.at)}`);
      close(run);
    },
    end(): void {
      while (read());
      for (const run of open.values()) close(run);
      for (const id of early.keys()) problem(`run ${id} has no acceptance in the audit log`);
      for (const { seq, subject } of awaited.values())
        problem(`audit entry ${seq} accepts run ${subject}, which does not exist or was accepted before`);
    },
  };
}

/**
 * Checks each run against its audit entries: who started it and when, how and when it ended, what was charged, and that
 * neither exists without the other. Called by `assay verify`.
 */
export async function verifyRuns(reader: Reader, progress?: (done: string) => void): Promise<Findings> {
  const findings = createFindings("runs", progress);
  await reader.atOneInstant(async () => {
    const runs = createFollowed(reader.acceptedRuns(), findings.problem, findings.count);
    let seen = 0;
    for (const entry of reader.auditEntries("run.")) {
      if (entry.action === "run.accept") runs.accept(entry);
      else runs.move(entry);
      if (++seen % breath === 0) await breathe();
    }
    runs.end();
  });
  return findings.result();
}
