import { Type as T } from "@sinclair/typebox";
import { rfc3339 } from "../../platform/clock.ts";
import { invalid } from "../../platform/errors.ts";
import { closed, nullable } from "../../platform/schema.ts";
import { suggestions } from "../../platform/suggest.ts";
import { isVisible, type Registry } from "../../registry/registry.ts";
import { findRuns, RunQuery, type RunSearch, runList } from "../../runs/find.ts";
import { type Caller, reading, type Tool, tool } from "./tool.ts";
import { CapabilitySlug, UseCaseSlug } from "./tools-docs.ts";

/** Services used by the list of runs. */
export interface RunListServices extends RunSearch {
  readonly registry: Registry;
}

const usualLimit = 10;
const longestList = 50;
const { status, from, to, cursor } = RunQuery.properties;
const ListInput = closed({
  status: { ...status, description: "Only in this status." },
  capability: T.Optional({ ...CapabilitySlug, description: "Only this capability, by slug." }),
  use_case: T.Optional({ ...UseCaseSlug, description: "Only this use case, by slug." }),
  from: { ...from, description: "First start day (UTC)." },
  to: { ...to, description: "Last start day (UTC)." },
  limit: T.Optional(T.Integer({ minimum: 1, maximum: longestList, default: usualLimit, description: "Page size." })),
  cursor: { ...cursor, description: "The previous next_cursor." },
});

const ListedRun = T.Object({
  run_id: T.String(),
  capability: nullable(T.String()),
  use_case: nullable(T.String()),
  status: T.String(),
  charged_credits: T.Integer(),
  maximum_credits: T.Integer(),
  created_at: T.String(),
});

/** Returns the slugs that the caller can see, to compare arguments with. */
function slugsOf(registry: Registry, { entitlements }: Caller) {
  const seen = [...registry.capabilities.values()].filter((manifest) => isVisible(manifest, entitlements));
  return { capability: seen.map(({ slug }) => slug), use_case: [...registry.useCases.keys()] };
}

const otherKind = { capability: "use_case", use_case: "capability" } as const;

/** Throws `validation_error` for an unknown slug, unless it has runs from before it was removed. */
async function checkSlug(
  services: RunListServices,
  caller: Caller,
  kind: keyof typeof otherKind,
  slug: string | undefined,
): Promise<void> {
  const slugs = slugsOf(services.registry, caller);
  const other = otherKind[kind];
  if (slug === undefined || slugs[kind].includes(slug)) return;
  if (slugs[other].includes(slug)) throw invalid(`/body/${kind}`, `is the slug of a ${other}: send it as ${other}`);
  if ((await findRuns(services, caller.principal, { [kind]: slug, limit: 1 })).length > 0) return;
  const meant = suggestions(slug, slugs[kind]);
  throw invalid(`/body/${kind}`, `is unknown.${meant.length > 0 ? ` Did you mean ${meant.join(", ")}?` : ""}`);
}

/** The tool that lists the caller's runs, page by page. */
export const listRuns = (services: RunListServices): Tool =>
  tool({
    name: "list_runs",
    title: "List runs",
    description: "List your workspace's runs, newest first. Read one with get_run.",
    scopes: ["runs:read"],
    hints: reading,
    input: ListInput,
    output: T.Object({ runs: T.Array(ListedRun), next_cursor: nullable(T.String()) }),
    async run({ limit = usualLimit, ...asked }, caller) {
      const rows = await findRuns(services, caller.principal, { ...asked, limit });
      if (rows.length === 0) {
        await checkSlug(services, caller, "capability", asked.capability);
        await checkSlug(services, caller, "use_case", asked.use_case);
      }
      const { items: runs, next_cursor } = services.cursors.page(runList, {
        rows,
        limit,
        show: ({ id, capability, use_case, status, charged_credits, maximum_credits, created_at }) => ({
          ...{ run_id: id, capability, use_case, status, charged_credits, maximum_credits },
          created_at: rfc3339(created_at),
        }),
        position: ({ seq }) => seq,
      });
      const lines = runs.map(
        (run) =>
          `- ${run.run_id}: ${run.use_case ?? run.capability}, ${run.status}, ${run.charged_credits} of at most ${run.maximum_credits} credits, ${run.created_at}`,
      );
      if (next_cursor !== null) lines.push(`There are more: call again with cursor ${next_cursor}`);
      return { value: { runs, next_cursor }, text: lines.join("\n") || "No runs." };
    },
  });
