import { prepared } from "../prepared.ts";
import type { ToolDayTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";

/** Adds to what a key or a connection called of a tool on a day. `key_id` is the id of either. */
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
      credits: value("credits"),
    })
    .onConflict((c) =>
      c.columns(["firm_id", "key_id", "day", "tool"]).doUpdateSet((eb) => ({
        calls: eb("tool_days.calls", "+", eb.ref("excluded.calls")),
        errors: eb("tool_days.errors", "+", eb.ref("excluded.errors")),
        credits: eb("tool_days.credits", "+", eb.ref("excluded.credits")),
      })),
    ),
);

/** What a person's keys and connections called since a day: a row for each of them and tool, in the order of both. */
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
      eb.fn.sum<number>("t.credits").as("credits"),
    ])
    .where("t.firm_id", "=", firm_id)
    .where((eb) => eb(eb.fn.coalesce("k.user_id", "c.user_id"), "=", user_id))
    .where("t.day", ">=", day)
    .groupBy(["t.key_id", "k.name", "c.name", "t.tool"])
    .orderBy("t.key_id")
    .orderBy("t.tool")
    .execute();
