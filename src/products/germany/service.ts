import type { Datasets, DatasetVersion } from "../../../db/datasets.ts";
import type { Identity, Principal } from "../../identity/principal.ts";
import type { Turns } from "../../knowledge/retrieval/cooperative-yield.ts";
import { failure } from "../../platform/errors.ts";
import { type Prerendered, prerender } from "../../web/prerendered.ts";
import { createGermanyMetrics } from "../capabilities/germany-market-intelligence/metrics.ts";
import { type Interruptible, runCooperatively } from "../slices.ts";
import { depthOf } from "./depth.ts";
import { profileFieldNames } from "./fields.ts";
import { signsOf } from "./forms.ts";
import { caveatsOf, countedBy, germanyDataset, holdingsOf, rowsOf, type TableName, tableOf } from "./holdings.ts";
import type {
  GermanyAccess,
  GermanyCandidate,
  GermanyCounts,
  GermanyDashboard,
  GermanyEntities,
  GermanyEntity,
  GermanyStructure,
  GermanySummary,
  GermanyUniverse,
  MarketDepth,
} from "./schema.ts";
import { cursorOf, findIn, offsetOf } from "./search.ts";
import { structureOf } from "./structure.ts";
import { candidateView, enterprise, entitlement, entityView, isEnterprise, projectionOf } from "./tier.ts";

export interface GermanyOptions {
  readonly datasets: Datasets;
  readonly identity: Pick<Identity, "entitlements">;
  readonly runtime: Turns;
}

interface Page {
  readonly query: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface EntityQuery extends Page {
  readonly fields: string;
}

export interface UniverseQuery extends Page {
  readonly tier: string;
  readonly sector: string;
  readonly city: string;
  readonly offset: number;
}

/** Market data on Germany for its routes, which have checked credential, scope and entitlements. */
export interface Germany {
  /** Returns the public summary, rendered once per version and served as the same bytes. */
  summary(): Promise<Prerendered>;
  dashboard(caller: Principal): Promise<GermanyDashboard>;
  /** Returns what the caller may do. Works with any credential. */
  access(caller: Principal): Promise<GermanyAccess>;
  entities(caller: Principal, query: EntityQuery): Promise<GermanyEntities>;
  /** Throws `not_found`. */
  entity(caller: Principal, key: string): Promise<GermanyEntity>;
  universe(query: UniverseQuery): Promise<GermanyUniverse>;
  counts(): Promise<GermanyCounts>;
  /** Throws `not_found`. */
  candidate(caller: Principal, id: string): Promise<GermanyCandidate>;
  structure(): Promise<GermanyStructure>;
  depth(): Promise<MarketDepth>;
}

/** Maximum number of duplicates of a row; more would indicate a mistake in the import. */
const mostDuplicates = 20;

const dashboardOnly = ["networks", "technology_profiles", "commercial_scenarios"];

/** Counts profiles by the value of a field, from the table's rows. */
function profilesBy(version: DatasetVersion, field: string) {
  const rows = tableOf(version, "profiles")?.entities("", 10_000) ?? [];
  const groups = Map.groupBy(rows, ({ fields }) => String(fields[field] ?? "not stated"));
  return [...groups].map(([name, own]) => ({ name, rows: own.length })).sort((a, b) => b.rows - a.rows);
}

const networksOf = (version: DatasetVersion) => ({
  networks: profilesBy(version, "network"),
  technology_profiles: profilesBy(version, "technology_profile"),
  commercial_scenarios: profilesBy(version, "commercial_scenario"),
});

const grantedIf = (is: boolean): string => (is ? "granted" : "missing");

function accessOf({ scopes }: Principal, held: readonly string[], version: DatasetVersion): GermanyAccess {
  const { rows, profiles } = holdingsOf(version);
  const reads = scopes.has(entitlement) && held.includes(entitlement);
  const isAll = held.includes(enterprise);
  return {
    [entitlement]: grantedIf(reads),
    scope: grantedIf(scopes.has(entitlement)),
    entitlement: grantedIf(held.includes(entitlement)),
    tier: isAll ? enterprise : held.includes(entitlement) ? "standard" : "none",
    universe: grantedIf(reads && isAll),
    named_fields: grantedIf(reads && isAll),
    data: rows + profiles > 0 ? `version ${version.number}` : "empty",
  };
}

function candidateOf(version: DatasetVersion, id: string, all: boolean): GermanyCandidate {
  const table = tableOf(version, "universe");
  const row = table?.entity(id);
  if (!table || !row) throw failure("not_found");
  const sharing = table.sharing(id, signsOf(row.fields), mostDuplicates);
  return {
    ...candidateView(row, all),
    possible_duplicates: [...Map.groupBy(sharing, ({ key }) => key)].map(([candidate_id, signs]) => ({
      candidate_id,
      because: signs.map(({ sign }) => sign.slice(0, sign.indexOf(":"))),
    })),
    caveats: caveatsOf(version),
  };
}

function* universeOf(version: DatasetVersion, asked: UniverseQuery): Interruptible<GermanyUniverse> {
  const { query, limit, cursor, tier, sector, city } = asked;
  const offset = offsetOf(version, cursor, asked.offset);
  const facets = { tier, sector, city };
  const { total, entities } = yield* findIn(version, "universe", { query, facets, offset, limit, named: true });
  return {
    items: entities.map((row) => candidateView(row, true)),
    next_cursor: cursorOf(version, offset + entities.length, total),
    total,
    caveats: caveatsOf(version),
  };
}

function* entitiesOf(
  version: DatasetVersion,
  { query, limit, cursor, fields }: EntityQuery,
  named: boolean,
): Interruptible<GermanyEntities> {
  const names = projectionOf(fields);
  const offset = offsetOf(version, cursor);
  const { total, entities } = yield* findIn(version, "profiles", { query, facets: {}, offset, limit, named });
  return {
    items: entities.map((row) => entityView(row, names, named)),
    next_cursor: cursorOf(version, offset + entities.length, total),
    total,
    caveats: caveatsOf(version),
  };
}

/** Caches a value derived from versions until an import changes one of them. */
function once<Versions extends readonly DatasetVersion[], Made>(make: (...versions: Versions) => Made) {
  let known: { readonly of: Versions; readonly made: Made } | undefined;
  return (...of: Versions): Made => {
    if (!known?.of.every((version, at) => version === of[at])) known = { of, made: make(...of) };
    return known.made;
  };
}

/**
 * Creates the service. Called once by `app.ts`. All methods throw `dataset_unavailable` if an imported file is missing.
 */
export function createGermany({ datasets, identity, runtime }: GermanyOptions): Germany {
  const current = () => datasets.current(germanyDataset);
  const overview = createGermanyMetrics(datasets);
  const structure = once(structureOf);
  const networks = once(networksOf);
  const depth = once(depthOf);
  const by = (version: DatasetVersion, table: TableName, dimension: string) => countedBy(version, table, dimension);
  let rendered: { readonly of: unknown; readonly version: DatasetVersion; readonly body: Prerendered } | undefined;

  return {
    async summary() {
      const [version, of] = [await current(), await overview()];
      if (rendered?.version !== version || rendered.of !== of) {
        const { summary, data, sources = [] } = of;
        const reliability = by(version, "universe", "reliability");
        const { metrics, caveats } = data;
        const said: GermanySummary = {
          country: "DE",
          holdings: holdingsOf(version),
          reliability,
          summary,
          metrics,
          sources,
          caveats,
        };
        rendered = { of, version, body: prerender(said) };
      }
      return rendered.body;
    },
    async dashboard(caller) {
      const [version, { data }, all] = [await current(), await overview(), await isEnterprise(identity, caller)];
      return {
        holdings: holdingsOf(version),
        tiers: by(version, "universe", "tier"),
        sectors: by(version, "universe", "sector"),
        reliability: by(version, "universe", "reliability"),
        metrics: data.metrics,
        profiles: all ? networks(version) : null,
        withheld: all ? [] : dashboardOnly,
        caveats: data.caveats,
      };
    },
    access: async (caller) => accessOf(caller, await identity.entitlements(caller.firm_id), await current()),
    async entities(caller, query) {
      const all = await isEnterprise(identity, caller);
      return runCooperatively(runtime, entitiesOf(await current(), query, all));
    },
    async entity(caller, key) {
      const row = tableOf(await current(), "profiles")?.entity(key);
      if (!row) throw failure("not_found");
      return entityView(row, profileFieldNames, await isEnterprise(identity, caller));
    },
    universe: async (query) => runCooperatively(runtime, universeOf(await current(), query)),
    async counts() {
      const version = await current();
      const [tiers, sectors] = [by(version, "universe", "tier"), by(version, "universe", "sector")];
      const rows = rowsOf(version, "universe");
      return { version: version.number, rows, tiers, sectors, caveats: caveatsOf(version) };
    },
    candidate: async (caller, id) => candidateOf(await current(), id, await isEnterprise(identity, caller)),
    structure: async () => structure(await current()),
    depth: async () =>
      depth(await current(), await datasets.current("distribution"), await datasets.current("eu-data")),
  };
}
