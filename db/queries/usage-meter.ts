import { day } from "../../src/platform/clock.ts";
import { ownerBytes } from "../packed-columns.ts";
import { prepared } from "../prepared.ts";
import type { ToolDayTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";

/** Adds to the calls of a tool that a key or connection made on a day. `key_id` is the id of either. */
export const countToolCall = prepared<ToolDayTable>((db, value) =>
  db
    .insertInto("tool_days")
    .values({
      firm_id: value("firm_id"),
      key_id: value("key_id"),
      day: value("day"),
      tool: value("tool"),
      calls: value("calls"),
      errors: value("errors"),
    })
    .onConflict((c) =>
      c.columns(["firm_id", "key_id", "day", "tool"]).doUpdateSet((eb) => ({
        calls: eb("tool_days.calls", "+", eb.ref("excluded.calls")),
        errors: eb("tool_days.errors", "+", eb.ref("excluded.errors")),
      })),
    ),
);

/**
 * The calls made by a person's keys and connections since a day: one row per key or connection and tool, in that order.
 */
export const toolCallsSince = (db: Db, firm_id: string, user_id: string, day: string) =>
  db
    .selectFrom("tool_days as t")
    .leftJoin("api_keys as k", (join) => join.onRef("k.id", "=", "t.key_id").onRef("k.firm_id", "=", "t.firm_id"))
    .leftJoin("connections as c", (join) => join.onRef("c.id", "=", "t.key_id").onRef("c.firm_id", "=", "t.firm_id"))
    .select((eb) => [
      "t.key_id",
      eb.fn.coalesce("k.name", "c.name").as("name"),
      "t.tool",
      eb.fn.sum<number>("t.calls").as("calls"),
      eb.fn.sum<number>("t.errors").as("errors"),
    ])
    .where("t.firm_id", "=", firm_id)
    .where((eb) => eb(eb.fn.coalesce("k.user_id", "c.user_id"), "=", user_id))
    .where("t.day", ">=", day)
    .groupBy(["t.key_id", "k.name", "c.name", "t.tool"])
    .orderBy("t.key_id")
    .orderBy("t.tool")
    .execute();

/** Selects runs over MCP by workspace, person and earliest start. */
export interface McpRuns {
  readonly workspace_ids: readonly string[];
  readonly user_id: string;
  readonly since: number;
}

/**
 * Credits charged for a person's runs over MCP, by what was run. `workspace_runs` and `workspace_days` must be caught
 * up.
 */
export const chargedOverMcp = (db: Db, { workspace_ids, user_id, since }: McpRuns) =>
  db
    .selectFrom("workspace_runs as w")
    .innerJoin("runs as r", "r.seq", "w.seq")
    .select((eb) => ["r.capability", "r.use_case", eb.fn.sum<number>("r.charged_credits").as("credits")])
    .where("w.workspace_id", "in", workspace_ids.map(ownerBytes))
    .where("r.workspace_id", "in", [...workspace_ids])
    .where("w.seq", ">=", (eb) =>
      eb
        .selectFrom("workspace_days")
        .select((days) => days.fn.min("first_seq").as("first"))
        .where("workspace_id", "in", [...workspace_ids])
        .where("day", ">=", Math.floor(since / day)),
    )
    .where("r.user_id", "=", user_id)
    .where("r.surface", "=", "mcp")
    .where("r.created_at", ">=", since)
    .where("r.charged_credits", ">", 0)
    .groupBy(["r.capability", "r.use_case"])
    .execute();
