import type { Entity, EntityKeys } from "../../../db/datasets.ts";
import { germanyForms } from "../germany/forms.ts";
import type { Mapping } from "./mapping.ts";

/** What a row of a dataset is. */
export type RowKind = "figures" | "entities";

/** What the rows of a table about things must be like. */
export interface EntityForm {
  readonly mapping: Mapping;
  /**
   * The row as it is kept, and what it is found by; or why it is refused. Throws `FileRefused` for a column that the table
   * does not have.
   */
  take(entity: Entity): { readonly entity: Entity; readonly keys: EntityKeys } | { readonly refused: string };
}

/** A dataset that can be imported. */
export interface DatasetDefinition {
  readonly name: string;
  readonly about: string;
  readonly kind: RowKind;
  /** What is said about files that come without a mapping, where the dataset has a form of its own. */
  readonly mapping: Mapping;
  /** The tables that it consists of, by their names; without them it takes all. */
  readonly forms?: Readonly<Record<string, EntityForm>>;
}

/** The form in which registers of intermediaries are handed over: a row a group, with its counts. */
const distribution: Mapping = {
  period: { column: "reference_date" },
  place: { column: "region_nuts3" },
  dimensions: ["dataset"],
  group: ["type", "legal_form", "expertise_group"],
  values: [
    { column: "count", indicator: "intermediaries", title: "Intermediaries", unit: "number" },
    { column: "contracts", indicator: "contracts", title: "Contracts mediated", unit: "number" },
    { column: "premium_czk", indicator: "premium", title: "Premium of the contracts mediated", unit: "CZK" },
  ],
  reliability_column: "label",
  url_column: "source_url",
};

/** By the names that `assay import` and `assay datasets` take. */
export const definitions: readonly DatasetDefinition[] = [
  { name: "eu-data", about: "public statistics of European countries", kind: "figures", mapping: {} },
  { name: "distribution", about: "figures on insurance distribution", kind: "figures", mapping: distribution },
  {
    ...{
      name: "germany",
      about: "the universe and the profiles of the German market",
      kind: "entities",
      mapping: { rows: "entities" },
    },
    forms: germanyForms,
  },
];
