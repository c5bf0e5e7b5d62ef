import { countToolCall, toolCallsSince } from "../../../db/queries/usage-meter.ts";
import type { Db } from "../../../db/store.ts";
import type { Principal } from "../../identity/principal.ts";
import { rfc3339 } from "../../platform/clock.ts";
import type { MaybePromise } from "../../platform/maybe-promise.ts";
import type { DeveloperUsage } from "./schema.ts";

/** An MCP call that has been answered. */
export interface ToolCall {
  readonly firm_id: string;
  /** The key's id, or the connection's. */
  readonly key_id: string;
  readonly tool: string;
  /** It was answered with an error. */
  readonly failed: boolean;
  /** What it cost, in whole credits. */
  readonly credits: number;
  /** Milliseconds UTC. */
  readonly at: number;
}

/** Meters a call that was made with a key or a connection. The MCP endpoint calls it in the call's own transaction, if there is one. */
export const recordToolCall = (
  tx: Db,
  { firm_id, key_id, tool, failed, credits, at }: ToolCall,
): MaybePromise<number> =>
  countToolCall.run(tx, {
    firm_id,
    key_id,
    tool,
    day: rfc3339(at).slice(0, 10),
    calls: 1,
    errors: failed ? 1 : 0,
    credits,
  });

type Row = Awaited<ReturnType<typeof toolCallsSince>>[number];
const total = (rows: readonly Row[], figure: "calls" | "errors" | "credits"): number =>
  rows.reduce((sum, row) => sum + row[figure], 0);

/**
 * What the person's keys and connections called over MCP in this calendar month (UTC). Those that did not call, and tools
 * that were not called, are left out.
 */
export async function developerUsage(db: Db, { firm_id, user_id }: Principal, now: number): Promise<DeveloperUsage> {
  const from = `${rfc3339(now).slice(0, 7)}-01`;
  const rows = await toolCallsSince(db, firm_id, user_id, from);
  const byTool = [...Map.groupBy(rows, (row) => row.tool)].sort(([a], [b]) => a.localeCompare(b));
  return {
    period: { from: rfc3339(Date.parse(from)), to: rfc3339(now) },
    calls_total: total(rows, "calls"),
    by_key: [...Map.groupBy(rows, (row) => row.key_id)].map(([key_id, of]) => ({
      key_id,
      name: of[0]?.name ?? "",
      calls: total(of, "calls"),
      errors: total(of, "errors"),
    })),
    by_tool: byTool.map(([tool, of]) => ({
      tool,
      calls: total(of, "calls"),
      errors: total(of, "errors"),
      credits: total(of, "credits"),
    })),
  };
}
