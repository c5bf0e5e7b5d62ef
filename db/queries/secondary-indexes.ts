import { type RawBuilder, sql } from "kysely";
import { day as dayLength } from "../../src/platform/clock.ts";
import type { CompiledStatement } from "../compiled-statement.ts";
import { ownerColumn } from "../packed-columns.ts";
import { type Prepared, prepared, preparedText, preparedUnscoped } from "../prepared.ts";
import type { Db, Store } from "../store.ts";
import { type SystemDb, unscoped } from "../tenancy.ts";
import { enterKeyDays } from "./key-days.ts";
import { enterRunDays } from "./run-days.ts";

/** The table that an index is filled from. Its rows are only ever appended, in the order of `seq`. */
export type IndexSource = "transfers" | "runs" | "receipts";

interface Filled {
  readonly from: IndexSource;
  /** Inserts the rows after a sequence number. */
  readonly enter: (after: RawBuilder<number>) => RawBuilder<unknown>;
}

/** Returns the owner of a row as these tables store it. */
const shortOwner = (column: string) => sql.raw(ownerColumn(column));

/** Returns an index of runs by the given columns. A run is included if it has all of them. */
function index(name: string, [owner, ...others]: readonly [string, ...string[]]): Filled {
  const columns = [owner, ...others];
  const stored = sql.join([shortOwner(owner), ...others.map((column) => sql.ref(column))]);
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const owned = sql.join(
    columns.map((column) => sql`${sql.ref(column)} is not null`),
    sql` and `,
  );
  return {
    from: "runs",
    enter: (after) =>
      sql`insert into ${sql.table(name)} (${list}) select ${stored} from runs where seq > ${after} and ${owned}`,
  };
}

/** Records the first and last sequence numbers of each workspace's runs per day. */
const enterDays: Filled["enter"] = (after) =>
  sql`insert into workspace_days (workspace_id, day, first_seq, last_seq)
    select workspace_id, created_at / ${dayLength}, min(seq), max(seq) from runs where seq > ${after} group by 1, 2
    on conflict (workspace_id, day) do update set last_seq = excluded.last_seq`;

/** Returns how much a transfer changes one of the two figures of its firm's balance. */
const change = (figure: "available" | "reserved") => {
  // In the short form, and in the form that earlier releases wrote.
  const is = (side: string) => sql`(${sql.ref(side)} = ${`/${figure}`} or ${sql.ref(side)} = ${sql.ref(figure)})`;
  return sql`case when ${is("credit")} then amount when ${is("debit")} then -amount else 0 end`;
};

/** Adds a firm's transfers with the balance after each: the previous balance plus the changes so far. */
const enterTransfers: Filled["enter"] = (after) =>
  sql`insert into firm_transfers (firm_id, seq, available_after, reserved_after)
    with owned as materialized (
      select firm_id, ${shortOwner("firm_id")} as owner,
        'firm:' || firm_id || '/available' as available, 'firm:' || firm_id || '/reserved' as reserved
      from (select distinct firm_id from transfers where seq > ${after})
    ), held as materialized (
      select owned.*, coalesce(available_after, 0) as available_before, coalesce(reserved_after, 0) as reserved_before
      from owned left join firm_transfers f on f.firm_id = owner
        and f.seq = (select max(seq) from firm_transfers where firm_id = owner)
    )
    select owner, seq, available_before + sum(${change("available")}) over own,
      reserved_before + sum(${change("reserved")}) over own
    from transfers cross join held using (firm_id) where seq > ${after}
    window own as (partition by firm_id order by seq)`;

/** A transfer belongs to its run's workspace; one without a run, to the firm. */
const enterWorkspaceTransfers: Filled["enter"] = (after) =>
  sql`insert into workspace_transfers (owner_id, seq)
    select coalesce(${shortOwner("runs.workspace_id")}, ${shortOwner("transfers.firm_id")}), transfers.seq
    from transfers left join runs on runs.id = transfers.run_id
    where transfers.seq > ${after} and transfers.firm_id is not null`;

/**
 * Secondary indexes by owner and daily counts, filled in batches. Updated with each row, such a table would touch a
 * different page for nearly every run, and pages are what a commit costs; in a batch, one page serves many rows. A
 * table is complete up to its watermark; readers first fill in the rest.
 */
const tables = {
  firm_transfers: { from: "transfers", enter: enterTransfers },
  workspace_transfers: { from: "transfers", enter: enterWorkspaceTransfers },
  workspace_runs: index("workspace_runs", ["workspace_id", "seq"]),
  capability_runs: index("capability_runs", ["workspace_id", "capability", "seq"]),
  use_case_runs: index("use_case_runs", ["workspace_id", "use_case", "seq"]),
  workspace_days: { from: "runs", enter: enterDays },
  // A run ends with its receipt.
  run_days: { from: "receipts", enter: enterRunDays },
  key_days: { from: "receipts", enter: enterKeyDays },
} as const satisfies Record<string, Filled>;

export type SecondaryIndex = keyof typeof tables;

const names = Object.keys(tables) as SecondaryIndex[];

const watermark = prepared<{ name: string }, { seq: number }>((db, value) =>
  db.selectFrom("watermarks").select("seq").where("name", "=", value("name")),
);

const lastOf = (table: IndexSource) =>
  preparedUnscoped<object, { seq: number }>((db) => db.selectFrom(table).select("seq").orderBy("seq", "desc").limit(1));
const last = { transfers: lastOf("transfers"), runs: lastOf("runs"), receipts: lastOf("receipts") };

/** Returns the statements that fill an index from its watermark on, and move the watermark. */
function fillOf(name: SecondaryIndex): readonly Prepared<object, unknown, SystemDb>[] {
  const { from, enter } = tables[name];
  const after = sql<number>`coalesce((select seq from watermarks where name = ${name}), 0)`;
  return [
    preparedText(enter(after)),
    preparedText(sql`insert into watermarks (name, seq)
      values (${name}, coalesce((select max(seq) from ${sql.table(from)}), 0))
      on conflict (name) do update set seq = excluded.seq`),
  ];
}

const fills = Object.fromEntries(names.map((name) => [name, fillOf(name)])) as Record<
  SecondaryIndex,
  ReturnType<typeof fillOf>
>;

/** An index as the writing connection fills it. */
export interface IndexFill {
  readonly from: IndexSource;
  readonly statements: readonly CompiledStatement[];
}

/** Compiles all indexes, for the writing connection. */
export const compileFills = (db: SystemDb): readonly IndexFill[] =>
  names.map((name) => ({ from: tables[name].from, statements: fills[name].map((one) => one.compile(db)) }));

/** Fills an index from its watermark on. Called by `ensureCaughtUp`; the writing connection also fills on its own. */
export async function backfill(tx: Db, name: SecondaryIndex): Promise<void> {
  for (const statement of fills[name]) await statement.run(unscoped(tx), {});
}

/** Catches an index up before it is read. Writes only if rows are missing. */
export async function ensureCaughtUp({ read, write }: Store, name: SecondaryIndex): Promise<void> {
  const filled = (await watermark.first(read, { name }))?.seq ?? 0;
  const written = (await last[tables[name].from].first(unscoped(read), {}))?.seq ?? 0;
  if (filled < written) await write((tx) => backfill(tx, name));
}
