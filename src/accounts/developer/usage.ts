import { chargedOverMcp, countToolCall, type McpRuns, toolCallsSince } from "../../../db/queries/usage-meter.ts";
import type { Db } from "../../../db/store.ts";
import type { Principal } from "../../identity/principal.ts";
import { rfc3339 } from "../../platform/clock.ts";
import type { MaybePromise } from "../../platform/maybe-promise.ts";
import { toolOfRun, useCaseTool } from "../../registry/input.ts";
import { isVisible, type Registry } from "../../registry/registry.ts";
import type { DeveloperUsage } from "./schema.ts";

/** An answered MCP call. */
export interface ToolCall {
  readonly firm_id: string;
  /** The key's id, or the connection's. */
  readonly key_id: string;
  readonly tool: string;
  /** Whether it was answered with an error. */
  readonly failed: boolean;
  /** Milliseconds UTC. */
  readonly at: number;
}

/**
 * Counts a call made with a key or a connection. The MCP endpoint calls this in the call's own transaction, if there is
 * one.
 */
export const recordToolCall = (tx: Db, { firm_id, key_id, tool, failed, at }: ToolCall): MaybePromise<number> =>
  countToolCall.run(tx, {
    firm_id,
    key_id,
    tool,
    day: rfc3339(at).slice(0, 10),
    calls: 1,
    errors: failed ? 1 : 0,
  });

type Row = Awaited<ReturnType<typeof toolCallsSince>>[number];
const total = (rows: readonly Row[], figure: "calls" | "errors"): number =>
  rows.reduce((sum, row) => sum + row[figure], 0);

/** Resolves which tool ran something. */
type SoldWork = Pick<Registry, "capabilities">;

/** Returns what the runs started by each tool have been charged so far. */
async function creditsByTool(db: Db, registry: SoldWork, held: readonly string[], runs: McpRuns) {
  const credits = new Map<string, number>();
  for (const { capability, use_case, credits: charged } of await chargedOverMcp(db, runs)) {
    const manifest = registry.capabilities.get(capability ?? "");
    // A removed connector's slug may now be another firm's, whose tools no one else may see.
    const isKnown = manifest !== undefined && isVisible(manifest, held);
    const tool = use_case !== null ? useCaseTool : isKnown ? toolOfRun(manifest) : (capability ?? "");
    credits.set(tool, (credits.get(tool) ?? 0) + charged);
  }
  return credits;
}

/** The person, with the workspaces and the entitlements of their firm. */
interface Person extends Pick<Principal, "firm_id" | "user_id"> {
  readonly workspace_ids: readonly string[];
  readonly entitlements: readonly string[];
}

/**
 * Returns what the person's keys and connections called over MCP in this calendar month (UTC), and what the runs that
 * they started have been charged so far. A run may continue after its call, and a replay starts none. Keys and
 * connections without calls, and tools that were not called, are omitted.
 */
export async function developerUsage(
  db: Db,
  registry: SoldWork,
  { firm_id, user_id, workspace_ids, entitlements }: Person,
  now: number,
): Promise<DeveloperUsage> {
  const from = `${rfc3339(now).slice(0, 7)}-01`;
  const since = Date.parse(from);
  const rows = await toolCallsSince(db, firm_id, user_id, from);
  const credits = await creditsByTool(db, registry, entitlements, { workspace_ids, user_id, since });
  const calls = Map.groupBy(rows, (row) => row.tool);
  const tools = [...new Set([...calls.keys(), ...credits.keys()])].sort((a, b) => a.localeCompare(b));
  return {
    period: { from: rfc3339(since), to: rfc3339(now) },
    calls_total: total(rows, "calls"),
    by_key: [...Map.groupBy(rows, (row) => row.key_id)].map(([key_id, of]) => ({
      key_id,
      name: of[0]?.name ?? "",
      calls: total(of, "calls"),
      errors: total(of, "errors"),
    })),
    by_tool: tools.map((tool) => ({
      tool,
      calls: total(calls.get(tool) ?? [], "calls"),
      errors: total(calls.get(tool) ?? [], "errors"),
      credits: credits.get(tool) ?? 0,
    })),
  };
}
