import { type Static, Type as T } from "@sinclair/typebox";
import { type PlacedRun, runsOf } from "../../db/queries/runs.ts";
import { ensureCaughtUp, type SecondaryIndex } from "../../db/queries/secondary-indexes.ts";
import type { Store } from "../../db/store.ts";
import { type Identity, type Principal, unusable } from "../identity/principal.ts";
import { day } from "../platform/clock.ts";
import { invalid } from "../platform/errors.ts";
import { type Cursors, cursorMember } from "../web/cursor.ts";
import { RunStatus } from "./schema.ts";

/** The filters for listing runs, the same over REST and MCP. */
export const RunQuery = T.Object({
  status: T.Optional(RunStatus),
  capability: T.Optional(T.String({ maxLength: 100 })),
  use_case: T.Optional(T.String({ maxLength: 100 })),
  workspace_id: T.Optional(T.String({ format: "uuid" })),
  from: T.Optional(T.String({ format: "date" })),
  to: T.Optional(T.String({ format: "date" })),
  limit: T.Integer({ minimum: 1, maximum: 100, default: 50 }),
  ...cursorMember,
});
export type RunQuery = Static<typeof RunQuery>;

/** The list's name in its cursors. REST and MCP share it, so a cursor works with both. */
export const runList = "runs";

/** Returns the indexes that a query's runs are found by. */
function indexesFor({ capability, use_case, from, to }: RunQuery): SecondaryIndex[] {
  const by = capability !== undefined ? "capability_runs" : use_case !== undefined ? "use_case_runs" : "workspace_runs";
  return from === undefined && to === undefined ? [by] : [by, "workspace_days"];
}

/** Converts a date to days since 1970-01-01. */
const dayNumber = (date: string | undefined) => (date === undefined ? undefined : Date.parse(date) / day);

/** The services that finding runs needs. */
export interface RunSearch {
  readonly store: Store;
  readonly identity: Identity;
  readonly cursors: Cursors;
}

/**
 * Returns the caller's runs, newest first, with one beyond the limit if there are more. Throws `not_found` for a
 * workspace that is not the caller's, and `validation_error` for another list's cursor or for days in the wrong order.
 */
export async function findRuns(
  { store, identity, cursors }: RunSearch,
  caller: Principal,
  query: RunQuery,
): Promise<PlacedRun[]> {
  const { status, capability, use_case, workspace_id, from, to, limit, cursor } = query;
  if (from !== undefined && to !== undefined && from > to) throw invalid("/query/from", "must not be after to");
  const own = await identity.workspaces(caller);
  if (workspace_id !== undefined && !own.includes(workspace_id)) throw unusable("/query/workspace_id");
  const before = cursors.readSequence(runList, cursor);
  for (const index of indexesFor(query)) await ensureCaughtUp(store, index);
  return runsOf(store.read, {
    ...{ status, capability, use_case, before },
    workspace_ids: workspace_id === undefined ? own : [workspace_id],
    first_day: dayNumber(from),
    last_day: dayNumber(to),
    limit: limit + 1,
  });
}
