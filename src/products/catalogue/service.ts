import { allRunDays, classMilliseconds } from "../../../db/queries/run-days.ts";
import { ensureCaughtUp } from "../../../db/queries/secondary-indexes.ts";
import type { RunDayTable } from "../../../db/schema/tables.ts";
import type { Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { type Clock, day, minute, rfc3339 } from "../../platform/clock.ts";
import { chain, type MaybePromise } from "../../platform/maybe-promise.ts";
import { matchesText } from "../../platform/text.ts";
import { type Capability, type CapabilityManifest, scopesOfTools } from "../../registry/contract.ts";
import { servesCountry } from "../../registry/countries.ts";
import { capabilityBlocker, isVisible, type Registry } from "../../registry/registry.ts";
import type { Prerendered } from "../../web/prerendered.ts";
import { prerender } from "../../web/prerendered.ts";
import type { CapabilityDetail, CapabilityFilter, CapabilityList, CapabilityStatistics } from "./schema.ts";

/** Minimum number of tenants for statistics; with fewer, a figure could be traced to one of them. */
export const privacyThreshold = 5;

const distinct = <V>(values: readonly V[]): V[] => [...new Set(values)];

/** Returns a manifest as the API shows it. */
export function capabilityRecord(manifest: CapabilityManifest, gates: ReadonlySet<string>): Capability {
  const {
    engine: _,
    entitlements: _e,
    tool_scopes: _s,
    run_tool: _r,
    private: _p,
    owner: _o,
    deadline_ms: _d,
    ...contract
  } = manifest;
  return { ...contract, runnable: capabilityBlocker(manifest, gates) === null };
}

/** Returns the same with what a caller needs to use it, and usage statistics. */
export const capabilityDetail = (
  manifest: CapabilityManifest,
  gates: ReadonlySet<string>,
  statistics: CapabilityStatistics | null,
): CapabilityDetail => ({
  ...capabilityRecord(manifest, gates),
  required_scopes: { mcp: scopesOfTools(manifest), rest: ["capabilities:run"] },
  required_entitlements: [...manifest.entitlements],
  statistics,
});

/** Returns the median duration in seconds, from counted duration classes. */
export function medianSeconds(rows: readonly RunDayTable[]): number | null {
  const ordered = [...rows].sort((a, b) => a.duration_class - b.duration_class);
  const total = ordered.reduce((sum, row) => sum + row.runs, 0);
  let seen = 0;
  for (const row of ordered) {
    seen += row.runs;
    if (seen * 2 >= total) return Math.round(classMilliseconds(row.duration_class)) / 1000;
  }
  return null;
}

/** Returns the share of succeeded runs among those carried out; refusals say nothing about the capability. */
export function successRate(rows: readonly RunDayTable[]): number | null {
  const carriedOut = rows.filter((row) => row.status !== "refused");
  const total = carriedOut.reduce((sum, row) => sum + row.runs, 0);
  const succeeded = carriedOut.filter((row) => row.status === "succeeded").reduce((sum, row) => sum + row.runs, 0);
  return total === 0 ? null : Math.round((succeeded / total) * 10_000) / 10_000;
}

function statisticsOf(rows: readonly RunDayTable[]): CapabilityStatistics | null {
  const tenants = new Set(rows.map((row) => row.firm_id)).size;
  if (tenants < privacyThreshold) return null;
  return {
    runs_30d: rows.reduce((sum, row) => sum + row.runs, 0),
    success_rate: successRate(rows),
    median_seconds: medianSeconds(rows.filter((row) => row.status === "succeeded")),
    tenants,
  };
}

/** Returns the possible values of a list's filters, for a caller who has to choose one. */
export const filtersOf = (items: readonly Capability[]): CapabilityList["filters"] => ({
  outcomes: distinct(items.map((item) => item.outcome)),
  countries: distinct(items.flatMap((item) => item.countries)),
  providers: distinct(items.map((item) => item.provider)),
  statuses: distinct(items.map((item) => item.status)),
  access: distinct(items.map((item) => item.access)),
  pricing_models: distinct(items.map((item) => item.pricing.model)),
});

const same = (wanted: string | undefined, value: string): boolean =>
  wanted === undefined || wanted.toLowerCase() === value.toLowerCase();

const matches = (item: Capability, f: CapabilityFilter): boolean =>
  matchesText(f.q, [item.slug, item.name, item.outcome, item.description]) &&
  matchesText(f.outcome, [item.outcome, item.name]) &&
  servesCountry(f.country, item.countries) &&
  same(f.provider, item.provider) &&
  same(f.status, item.status) &&
  same(f.access, item.access) &&
  same(f.pricing_model, item.pricing.model);

/** The cached public list and what it depends on. The set of open gates is a new object whenever they change. */
interface Whole {
  readonly gates: ReadonlySet<string>;
  readonly ready: readonly boolean[];
  readonly body: Prerendered;
}

/** Creates the catalogue for its routes and MCP. Called once by `src/app.ts`. */
export function createCatalogue(registry: Registry, store: Store, clock: Clock) {
  const { read } = store;
  const open = [...registry.capabilities.values()].filter((manifest) => !manifest.private);
  let whole: Whole | undefined;
  let statistics: { at: number; bySubject: Map<string, RunDayTable[]> } | undefined;

  const listOf = (items: readonly Capability[]): CapabilityList => ({ items: [...items], filters: filtersOf(items) });

  /** Returns everything public, serialised once per change of a gate or an engine's readiness. */
  function everything(gates: ReadonlySet<string>): Prerendered {
    const known = whole;
    if (known?.gates === gates && open.every(({ engine }, at) => (engine.ready() === null) === known.ready[at]))
      return known.body;
    const ready = open.map(({ engine }) => engine.ready() === null);
    const body = prerender(listOf(open.map((manifest) => capabilityRecord(manifest, gates))));
    whole = { gates, ready, body };
    return body;
  }

  return {
    /** Returns the public list. `filters` contains the values present in the items shown. */
    list: (filter: CapabilityFilter): MaybePromise<Prerendered> =>
      chain(registry.gates(), (gates) => {
        if (Object.keys(filter).length === 0) return everything(gates);
        const items = open.map((manifest) => capabilityRecord(manifest, gates));
        return prerender(listOf(items.filter((item) => matches(item, filter))));
      }),

    /** Returns the catalogue as a firm sees it, including what is private to it. */
    async listFor(held: readonly string[], filter: CapabilityFilter = {}): Promise<Capability[]> {
      const gates = await registry.gates();
      const items = [...registry.capabilities.values()]
        .filter((m) => isVisible(m, held))
        .map((m) => capabilityRecord(m, gates));
      return items.filter((item) => matches(item, filter));
    },

    /** Returns statistics over 30 days and all tenants, subject to the threshold; refreshed at most once a minute. */
    async statistics(slug: string): Promise<CapabilityStatistics | null> {
      const now = clock.now();
      if (!statistics || now - statistics.at > minute) {
        await ensureCaughtUp(store, "run_days");
        const rows = await allRunDays(unscoped(read), rfc3339(now - 30 * day).slice(0, 10));
        statistics = { at: now, bySubject: Map.groupBy(rows, (row) => row.subject) };
      }
      return statisticsOf(statistics.bySubject.get(slug) ?? []);
    },
  };
}

export type Catalogue = ReturnType<typeof createCatalogue>;
