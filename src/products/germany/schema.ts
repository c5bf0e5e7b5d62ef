import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { page } from "../../web/cursor.ts";
import { DatasetSource, Reliability } from "../capabilities/fields.ts";
import { GermanyFigure } from "../capabilities/germany-market-intelligence/schema.ts";
import { enrichableFields } from "./enrichment-fields.ts";
import { candidateFields, profileFields } from "./fields.ts";

const Count = T.Integer({ minimum: 0 });
const Share = T.Number({ minimum: 0, maximum: 1, description: "Share of all rows, to four decimal places." });
const Withheld = T.Array(T.String(), { description: "Fields shown only to the enterprise tier; null here." });
const Caveats = T.Array(T.String());

/** The operator's imported data. */
export const GermanyHoldings = closed({
  state: enumeration("empty", "imported"),
  version: T.Integer({ minimum: 0, description: "Version of the dataset; 0 if nothing was imported." }),
  rows: T.Integer({ minimum: 0, description: "Number of rows of the universe." }),
  profiles: Count,
  tables: T.Array(
    closed({
      name: T.String(),
      title: T.String(),
      publisher: T.String(),
      licence: nullable(T.String()),
      retrieved: T.String(),
      reliability: Reliability,
    }),
  ),
});
export type GermanyHoldings = Static<typeof GermanyHoldings>;

const Counted = T.Array(closed({ name: T.String(), rows: Count }));

/** Public: the amount of data and the public figures. */
export const GermanySummary = closed(
  {
    country: T.String(),
    holdings: GermanyHoldings,
    reliability: Counted,
    summary: T.String(),
    metrics: T.Array(GermanyFigure),
    sources: T.Array(DatasetSource),
    caveats: Caveats,
  },
  { title: "GermanySummary" },
);
export type GermanySummary = Static<typeof GermanySummary>;

/** For entitled accounts: counts by tier, sector and reliability, and what the enterprise tier adds. */
export const GermanyDashboard = closed(
  {
    holdings: GermanyHoldings,
    tiers: Counted,
    sectors: Counted,
    reliability: Counted,
    metrics: T.Array(GermanyFigure),
    profiles: nullable(closed({ networks: Counted, technology_profiles: Counted, commercial_scenarios: Counted })),
    withheld: Withheld,
    caveats: Caveats,
  },
  { title: "GermanyDashboard" },
);
export type GermanyDashboard = Static<typeof GermanyDashboard>;

/** Access grants by name. */
export const GermanyAccess = T.Record(T.String(), T.String(), { title: "GermanyAccess" });
export type GermanyAccess = Static<typeof GermanyAccess>;

/** A field that was not requested is absent; one without a value, or withheld, is null. */
export const GermanyEntity = closed(
  { target_key: T.String(), ...T.Partial(closed(profileFields)).properties, withheld: Withheld },
  { title: "GermanyEntity" },
);
export type GermanyEntity = Static<typeof GermanyEntity>;

const entities = page(GermanyEntity, "GermanyEntities");
export const GermanyEntities = closed(
  { ...entities.properties, total: Count, caveats: Caveats },
  { title: "GermanyEntities" },
);
export type GermanyEntities = Static<typeof GermanyEntities>;

const Duplicate = closed({
  candidate_id: T.String(),
  because: T.Array(T.String({ description: "What both have in common: register_number, name_and_place." })),
});
const candidate = { candidate_id: T.String(), ...candidateFields, withheld: Withheld };

export const GermanyCandidate = closed(
  { ...candidate, possible_duplicates: T.Array(Duplicate), caveats: Caveats },
  { title: "GermanyCandidate" },
);
export type GermanyCandidate = Static<typeof GermanyCandidate>;

const CandidateItem = closed(candidate);
export type CandidateItem = Static<typeof CandidateItem>;
const universe = page(CandidateItem, "GermanyUniverse");
export const GermanyUniverse = closed(
  { ...universe.properties, total: Count, caveats: Caveats },
  { title: "GermanyUniverse" },
);
export type GermanyUniverse = Static<typeof GermanyUniverse>;

export const GermanyCounts = closed(
  { version: Count, rows: Count, tiers: Counted, sectors: Counted, caveats: Caveats },
  { title: "GermanyCounts" },
);
export type GermanyCounts = Static<typeof GermanyCounts>;

const Part = {
  rows: Count,
  share: Share,
  persons: T.Integer({ minimum: 0, description: "The sum of the headcounts that rows state." }),
};

/** Aggregated from the universe at import, so the same version gives the same answer. */
export const GermanyStructure = closed(
  {
    version: Count,
    rows: Count,
    method: T.String(),
    geography: T.Array(closed({ land: nullable(T.String()), name: T.String(), ...Part })),
    capacity: T.Array(closed({ size: T.String(), ...Part })),
    composition: T.Array(closed({ sector: nullable(T.String()), tier: nullable(T.String()), ...Part })),
    reliability: nullable(Reliability),
    caveats: Caveats,
  },
  { title: "GermanyStructure" },
);
export type GermanyStructure = Static<typeof GermanyStructure>;

export const GermanyEnrichmentRequest = closed(
  {
    target_key: T.String({ minLength: 1, maxLength: 80 }),
    fields: T.Array(enumeration(...enrichableFields), {
      minItems: 1,
      maxItems: 20,
      description: "All but legal_form, market and languages need the enterprise tier.",
    }),
  },
  {
    title: "GermanyEnrichmentRequest",
    examples: [{ target_key: "de-p-001", fields: ["legal_form", "market"] }],
  },
);
export type GermanyEnrichmentRequest = Static<typeof GermanyEnrichmentRequest>;

export const ResearchPlaybook = closed(
  {
    country: T.String(),
    name: T.String(),
    read_only: T.Literal(true),
    steps: T.Array(T.String()),
    registers: T.Array(closed({ name: T.String(), url: T.String(), holds: T.String(), reliability: Reliability })),
    evidence: T.Array(closed({ label: Reliability, rule: T.String() })),
    never: T.Array(T.String()),
    notes: T.Array(T.String()),
  },
  { title: "ResearchPlaybook" },
);
export type ResearchPlaybook = Static<typeof ResearchPlaybook>;

export const MarketDepth = closed(
  {
    levels: T.Array(closed({ level: Count, meaning: T.String() })),
    countries: T.Array(
      closed({
        country: T.String(),
        name: T.String(),
        level: T.Integer({ minimum: 0, maximum: 5, description: "The highest level that it has." }),
        has: T.Array(T.Integer({ minimum: 1, maximum: 5 })),
      }),
    ),
    versions: T.Record(T.String(), Count),
    notes: T.Array(T.String()),
  },
  { title: "MarketDepth" },
);
export type MarketDepth = Static<typeof MarketDepth>;
