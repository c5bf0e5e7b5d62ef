import { sql } from "kysely";
import { day as dayLength } from "../../src/platform/clock.ts";
import { ownerColumn } from "../packed-columns.ts";
import { type Entering, entering, type Prepared, prepared } from "../prepared.ts";
import type { Db, Store } from "../store.ts";
import { unscoped } from "../tenancy.ts";
import type { Transition } from "../transition.ts";
import { countByKey } from "./key-days.ts";
import { countEnded } from "./run-days.ts";

/** What an index is filled from: rows that are only ever appended, in the order of their `seq`. */
interface Source {
  readonly last: Prepared<object, { seq: number }>;
  /** Enters the rows after `from`, up to `upto`. */
  readonly enter: Entering;
}

const lastOf = (table: "transfers" | "runs" | "receipts"): Source["last"] =>
  prepared<object, { seq: number }>((db) =>
    unscoped(db).selectFrom(table).select("seq").orderBy("seq", "desc").limit(1),
  );

/** The owner of a row as these tables hold it. */
const shortOwner = (column: string) => sql.raw(ownerColumn(column));

/** Runs by what they are looked for by: the same columns of a run, where it has them all. */
function index(name: string, [owner, ...others]: readonly [string, ...string[]]): Source {
  const columns = [owner, ...others];
  const stored = sql.join([shortOwner(owner), ...others.map((column) => sql.ref(column))]);
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const owned = sql.join(
    columns.map((column) => sql`${sql.ref(column)} is not null`),
    sql` and `,
  );
  return {
    last: lastOf("runs"),
    enter: entering(
      (from, upto) =>
        sql`insert into ${sql.table(name)} (${list})
          select ${stored} from runs where seq > ${from} and seq <= ${upto} and ${owned}`,
    ),
  };
}

/** Between which places the runs of each workspace and day are. */
const enterDays = entering(
  (from, upto) =>
    sql`insert into workspace_days (workspace_id, day, first_seq, last_seq)
      select workspace_id, created_at / ${dayLength}, min(seq), max(seq) from runs
      where seq > ${from} and seq <= ${upto} group by 1, 2
      on conflict (workspace_id, day) do update set last_seq = excluded.last_seq`,
);

/** What a transfer changes of its firm's balance, of which there are two figures. */
const change = (figure: "available" | "reserved") => {
  // As it is written, and as releases before wrote it.
  const account = sql`(${`/${figure}`}, 'firm:' || firm_id || ${`/${figure}`})`;
  return sql`case when credit in ${account} then amount when debit in ${account} then -amount else 0 end`;
};

/** A firm's transfers with the balance after each: the one before them, and what they changed so far. */
const enterTransfers = entering(
  (from, upto) =>
    sql`insert into firm_transfers (firm_id, seq, available_after, reserved_after)
      select ${shortOwner("firm_id")}, seq,
        coalesce((select available_after from firm_transfers f where f.firm_id = ${shortOwner("t.firm_id")} order by f.seq desc limit 1), 0)
          + sum(${change("available")}) over (partition by firm_id order by seq),
        coalesce((select reserved_after from firm_transfers f where f.firm_id = ${shortOwner("t.firm_id")} order by f.seq desc limit 1), 0)
          + sum(${change("reserved")}) over (partition by firm_id order by seq)
      from transfers t where seq > ${from} and seq <= ${upto}`,
);
/** A transfer is its run's workspace's; one without a run is the firm's alone. */
const enterWorkspaceTransfers = entering(
  (from, upto) =>
    sql`insert into workspace_transfers (owner_id, seq)
      select coalesce(${shortOwner("runs.workspace_id")}, ${shortOwner("transfers.firm_id")}), transfers.seq
      from transfers left join runs on runs.id = transfers.run_id
      where transfers.seq > ${from} and transfers.seq <= ${upto} and transfers.firm_id is not null`,
);

/**
 * Indexes by owner and counts by day, filled in batches. Kept with each row, such a table touches a page of its own for
 * nearly every run, and pages are what a commit costs; in batches one page serves many. Up to its watermark a table is
 * complete; readers fill what is missing first.
 */
const tables = {
  firm_transfers: { last: lastOf("transfers"), enter: enterTransfers },
  workspace_transfers: { last: lastOf("transfers"), enter: enterWorkspaceTransfers },
  workspace_runs: index("workspace_runs", ["workspace_id", "seq"]),
  capability_runs: index("capability_runs", ["workspace_id", "capability", "seq"]),
  use_case_runs: index("use_case_runs", ["workspace_id", "use_case", "seq"]),
  workspace_days: { last: lastOf("runs"), enter: enterDays },
  // A run ends with its receipt.
  run_days: { last: lastOf("receipts"), enter: countEnded },
  key_days: { last: lastOf("receipts"), enter: countByKey },
} as const satisfies Record<string, Source>;

export type SecondaryIndex = keyof typeof tables;

const watermark = prepared<{ name: string }, { seq: number }>((db, value) =>
  db.selectFrom("watermarks").select("seq").where("name", "=", value("name")),
);

const setWatermark = prepared<{ name: string; seq: number }>((db, value) =>
  db
    .insertInto("watermarks")
    .values({ name: value("name"), seq: value("seq") })
    .onConflict((c) => c.column("name").doUpdateSet({ seq: value("seq") })),
);

async function span(db: Db, name: SecondaryIndex): Promise<{ from: number; upto: number }> {
  const from = (await watermark.first(db, { name }))?.seq ?? 0;
  return { from, upto: (await tables[name].last.first(db, {}))?.seq ?? 0 };
}

/** Enters what came after the watermark. Called every so many rows, and by `ensureCaughtUp`. */
export async function backfill(tx: Db, name: SecondaryIndex): Promise<void> {
  const { from, upto } = await span(tx, name);
  if (upto === from) return;
  await tables[name].enter(tx, from, upto);
  await setWatermark.run(tx, { name, seq: upto });
}

/** Called by readers: a write only where something is missing. */
export async function ensureCaughtUp(store: Store, name: SecondaryIndex): Promise<void> {
  const { from, upto } = await span(store.read, name);
  if (from < upto) await store.write((tx) => backfill(tx, name));
}

/** After so many rows of a source its indexes are filled, so that a reader finds little left to do. */
const batch = { runs: 1_024, transfers: 4_096 } as const;

/** Counts what a store writes and fills the indexes in batches. Made by each store, for itself. */
export function createIndexing(write: Store["write"]) {
  let runs = 0;
  let transfers = 0;
  let filling: Promise<void> | undefined;

  /** In one transaction: what is written meanwhile waits for one commit instead of for each. */
  const fill = (names: readonly SecondaryIndex[]): Promise<void> =>
    write(async (tx) => {
      for (const name of names) await backfill(tx, name);
    });

  function begin(...names: SecondaryIndex[]): void {
    // A write that fails is tried again by the next reader.
    filling = Promise.all([filling, fill(names).catch(() => undefined)]).then(() => undefined);
  }

  return {
    written(transition: Transition): void {
      if (transition.actors[0]?.write === "run.insert") runs++;
      transfers += transition.transfers.length;
      if (runs >= batch.runs) {
        runs = 0;
        begin("workspace_runs", "capability_runs", "use_case_runs", "workspace_days", "run_days", "key_days");
      }
      if (transfers >= batch.transfers) {
        transfers = 0;
        begin("firm_transfers", "workspace_transfers");
      }
    },
    /** Waits for what is being filled. */
    stop: async (): Promise<void> => filling,
  };
}
