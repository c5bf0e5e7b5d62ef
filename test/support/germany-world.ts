import type { Job } from "../../src/jobs/schema.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { definitions } from "../../src/products/datasets/definitions.ts";
import { DatasetFolder } from "../../src/products/datasets/folder.ts";
import { importFiles } from "../../src/products/datasets/importer.ts";
import { readMapping } from "../../src/products/datasets/mapping.ts";
import { germanyEnrichmentEngine } from "../../src/products/germany/enrichment.ts";
import type { Served } from "./company-sites.ts";
import { fileWith } from "./datasets.ts";
import { type Firm, World } from "./harness.ts";

/** Rows of a small fictitious market: fields by column, including the key. */
export type Rows = readonly Readonly<Record<string, string>>[];

/** Formats the rows as CSV, with every column that any row has. */
export function csvOf(rows: Rows): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (text = "") => `"${text.replaceAll('"', '""')}"`;
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))]
    .map((cells) => cells.map(cell).join(","))
    .join("\n");
}

/** Publishes tables of the German market as one version. */
export async function importGermany(world: World, tables: Readonly<Record<string, Rows>>, dryRun = false) {
  const definition = definitions.find(({ name }) => name === "germany");
  if (!definition) throw new Error("there is no dataset germany");
  return importFiles({
    ...{ runtime: systemRuntime, store: world.store, definition, actor: "operator", dryRun, acceptRefused: true },
    folder: new DatasetFolder(`${world.store.file}.datasets`),
    sources: Object.entries(tables).map(([name, rows]) => ({
      file: fileWith(`${name}.csv`, csvOf(rows)),
      sha256: "",
      mapping: readMapping("publisher: Test register\nreliability: C"),
    })),
    progress: () => undefined,
  });
}

/** Opens an app with the product's capabilities, whose enrichments read the served sites. */
export async function openGermany(served?: Served): Promise<World> {
  const world = await World.open(undefined, {
    capabilities,
    useCases: [],
    stepEngines: {
      "germany-enrichment": (services) =>
        germanyEnrichmentEngine({ ...services, ...(served && { outbound: served.outbound }) }),
    },
  });
  await world.openGates("germany-market-intelligence");
  return world;
}

export interface Callers {
  /** A firm with the enterprise tier. */
  readonly full: Firm;
  /** A firm with the entitlement only. */
  readonly standard: Firm;
  /** A firm with neither. */
  readonly none: Firm;
  readonly keys: Readonly<Record<"full" | "standard" | "none", string>>;
}

export async function callersOf(world: World): Promise<Callers> {
  const full = await world.firm({ entitlements: ["market-intelligence:read", "enterprise"] });
  const standard = await world.firm({ entitlements: ["market-intelligence:read"] });
  const none = await world.firm();
  const scopes = ["market-intelligence:read", "capabilities:run", "runs:read", "jobs:read"] as const;
  const keyOf = async (firm: Firm) => (await world.key(firm, [...scopes])).secret;
  return {
    ...{ full, standard, none },
    keys: { full: await keyOf(full), standard: await keyOf(standard), none: none.key },
  };
}

interface Part {
  readonly land?: string | null;
  readonly size?: string;
  readonly rows: number;
}

/** The fields of the routes' responses that tests check. */
export interface Body extends Job {
  readonly [field: string]: unknown;
  readonly items: readonly { readonly candidate_id: string }[];
  readonly total: number;
  readonly next_cursor: string | null;
  readonly caveats: readonly string[];
  readonly withheld: readonly string[];
  readonly notes: readonly string[];
  readonly geography: readonly Part[];
  readonly capacity: readonly Part[];
  readonly composition: readonly Part[];
  readonly rows: number;
  readonly countries: readonly { readonly country: string; readonly level: number }[];
  readonly summary: string;
  readonly metrics: readonly {
    readonly indicator: string;
    readonly title: string;
    readonly value: number;
    readonly period: string;
  }[];
  readonly sources: readonly { readonly title: string }[];
}

/** Returns the first detail of a validation error: the path and the message. */
export const refusalIn = (text: string) =>
  (JSON.parse(text) as { error: { details?: { path: string; message: string }[] } }).error.details?.[0];

/** Sends a GET request; returns the status, the text and the parsed body. */
export async function get(world: World, path: string, as?: string) {
  const response = await world.ask(`/v1/market-intelligence/${path}`, as === undefined ? {} : { as });
  return { status: response.status, text: await response.clone().text(), body: (await response.json()) as Body };
}

/** A universe with names to search for, two rows about the same firm, and profiles with words that must stay hidden. */
export const market = {
  universe: [
    {
      candidate_id: "c1",
      name: "Zauberhut Müller Versicherungsmakler GmbH & Co. KG",
      register_number: "D-AAAA-BBBBB-11",
      sector: "broker",
      tier: "A",
      city: "Köln",
      land: "Nordrhein-Westfalen",
      persons: "12",
      website: "https://zauberhut.example/",
      network: "Geheimbund",
      technology_profile: "Wundersuite",
      commercial_scenario: "Rabattplan",
    },
    {
      candidate_id: "c2",
      name: "ZAUBERHUT MUELLER VERSICHERUNGSMAKLER",
      sector: "broker",
      tier: "B",
      city: "Koeln",
      land: "NW",
      persons: "3",
    },
    {
      candidate_id: "c3",
      name: "Bauer & Söhne e.K.",
      register_number: "d aaaa bbbbb 11",
      sector: "tied_agent",
      tier: "C",
      city: "München",
      land: "DE-BY",
    },
  ],
  profiles: [
    {
      target_key: "p1",
      candidate_id: "c1",
      name: "Zauberhut Müller Versicherungsmakler GmbH & Co. KG",
      register_number: "D-AAAA-BBBBB-11",
      website: "https://zauberhut.example/",
      network: "Geheimbund",
      technology_profile: "Wundersuite",
      commercial_scenario: "Rabattplan",
      city: "Köln",
      sector: "broker",
      lines: "motor",
      reliability: "B",
    },
    { target_key: "p2", name: "Bauer & Söhne e.K.", city: "München", sector: "tied_agent" },
  ],
} satisfies Record<string, Rows>;

/** Words that only the enterprise tier may see. */
export const secrets = /zauberhut|AAAA|geheimbund|wundersuite|rabattplan|Söhne/i;
