import type { Database } from "bun:sqlite";
import { ownerColumn } from "../packed-columns.ts";

/** A difference between a table of counts or lists and the runs. */
export interface Miscounted {
  /** Which part of the table differs, such as a day and what was run; empty for the whole table. */
  readonly part: string;
  readonly kept: string;
  readonly counted: string;
}

const upTo = (table: string): string => `coalesce((select seq from watermarks where name = '${table}'), 0)`;

/**
 * Returns a query for the rows whose `figures` differ between a table of counts and `counted`. `keys` identify a row.
 */
function countsDiffer(table: string, keys: readonly string[], figures: readonly string[], counted: string): string {
  const sums = figures.map((figure) => `sum(${figure}) as ${figure}`).join(", ");
  const text = (side: string) => figures.map((figure) => `coalesce(${side}.${figure}, 0)`).join(" || ' ' || ");
  return `with counted as (${counted}),
      kept as (select ${keys.join(", ")}, ${sums} from ${table} group by ${keys.join(", ")})
    select ${keys.join(" || ' ' || ")} as part,
      ${text("kept")} as kept, ${text("counted")} as counted
    from kept full join counted using (${keys.join(", ")})
    where ${text("kept")} <> ${text("counted")}`;
}

/** The days on which runs ended. The table also sums durations, which usage statements do not show. */
const runDays = countsDiffer(
  "run_days",
  ["day", "workspace_id", "firm_id", "subject", "status"],
  ["runs", "credits"],
  `select strftime('%Y-%m-%d', coalesce(finished_at, created_at) / 1000, 'unixepoch') as day, workspace_id, firm_id,
     coalesce(capability, use_case, '') as subject, status, count(*) as runs, sum(charged_credits) as credits
   from receipts join runs on runs.seq = receipts.run_seq
   where receipts.seq <= ${upTo("run_days")} group by 1, 2, 3, 4, 5`,
);

const keyDays = countsDiffer(
  "key_days",
  ["day", "workspace_id", "firm_id", "key_id"],
  ["runs", "succeeded", "credits"],
  `select strftime('%Y-%m-%d', coalesce(finished_at, created_at) / 1000, 'unixepoch') as day, workspace_id, firm_id,
     coalesce(api_key_id, '') as key_id, count(*) as runs, sum(status = 'succeeded') as succeeded,
     sum(charged_credits) as credits
   from receipts join runs on runs.seq = receipts.run_seq
   where receipts.seq <= ${upTo("key_days")} group by 1, 2, 3, 4`,
);

/** The first and last sequence numbers of each workspace's runs on each day. */
const workspaceDays = countsDiffer(
  "workspace_days",
  ["day", "workspace_id"],
  ["first_seq", "last_seq"],
  `select created_at / 86400000 as day, workspace_id, min(seq) as first_seq, max(seq) as last_seq
   from runs where seq <= ${upTo("workspace_days")} group by 1, 2`,
);

/** Trials used; a refused run refunds its own. A monthly count may be lower, since the demo's history is not counted. */
const uses = `with limited as (select * from uses where name like 'trial:%' or name like 'runs:%'), counted as (
    select firm_id, 'trial:' || coalesce(capability, use_case) as name, 'ever' as period, count(*) as runs
    from runs where mode = 'trial' and status <> 'refused' group by 1, 2
    union all
    select firm_id, 'runs:' || coalesce(capability, use_case), strftime('%Y-%m', created_at / 1000, 'unixepoch'),
      count(*)
    from runs group by 1, 2, 3
  )
  select name || ' ' || period || ' ' || firm_id as part, coalesce(used, 0) as kept,
    coalesce(runs, 0) as counted
  from limited full join counted using (firm_id, name, period)
  where case when name like 'trial:%' then coalesce(used, 0) <> coalesce(runs, 0)
    else coalesce(used, 0) > coalesce(runs, 0) end`;

/**
 * Returns a check of a list by owner: it has one entry per row up to the watermark. `rows` joins the entries as
 * `listed`.
 */
const listDiffers = (table: string, rows: string): string =>
  `with found as (
      select (select count(*) from ${table}) as entries, count(*) as wanted, count(listed.seq) as listed from ${rows}
    )
    select '' as part, entries || ' entries, ' || listed || ' of them right' as kept,
      wanted || ' entries' as counted
    from found where entries <> wanted or listed <> wanted`;

/** Checks the runs by workspace and, if `named`, by capability or use case. */
function runList(table: string, named?: "capability" | "use_case"): string {
  const also = named ? `and listed.${named} = runs.${named}` : "";
  return listDiffers(
    table,
    `runs left join ${table} as listed
       on listed.workspace_id = ${ownerColumn("runs.workspace_id")} and listed.seq = runs.seq ${also}
     where runs.seq <= ${upTo(table)} ${named ? `and runs.${named} is not null` : ""}`,
  );
}

/** A transfer belongs to its run's workspace; one without a run, to the firm. */
const transferList = listDiffers(
  "workspace_transfers",
  `transfers left join runs on runs.id = transfers.run_id
   left join workspace_transfers as listed on listed.seq = transfers.seq
     and listed.owner_id = coalesce(${ownerColumn("runs.workspace_id")}, ${ownerColumn("transfers.firm_id")})
   where transfers.seq <= ${upTo("workspace_transfers")}`,
);

const checks: Readonly<Record<string, string>> = {
  run_days: runDays,
  key_days: keyDays,
  workspace_days: workspaceDays,
  uses,
  workspace_runs: runList("workspace_runs"),
  capability_runs: runList("capability_runs", "capability"),
  use_case_runs: runList("use_case_runs", "use_case"),
  workspace_transfers: transferList,
};

export interface UsageReader {
  /** Yields each table of counts or lists with its first `limit` differences from the runs and transfers. */
  keptTables(limit: number): IterableIterator<{ readonly table: string; readonly differing: readonly Miscounted[] }>;
}

/** Creates the usage part of the reader in `verification.ts`. */
export function usageReader(database: Database): UsageReader {
  return {
    *keptTables(limit) {
      for (const [table, text] of Object.entries(checks))
        yield { table, differing: database.query<Miscounted, [number]>(`${text} limit ?`).all(limit) };
    },
  };
}
