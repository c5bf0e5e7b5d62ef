import type { Entity, EntityKeys } from "../../../db/datasets.ts";
import { germanyForms } from "../germany/forms.ts";
import type { Mapping } from "./mapping.ts";

/** The kind of a dataset's rows. */
export type RowKind = "figures" | "entities";

/** The required form of rows in a table of entities. */
export interface EntityForm {
  readonly mapping: Mapping;
  /**
   * Returns the row to store and its search keys, or why it is refused. Throws `FileRefused` for a column that the
   * table lacks.
   */
  take(entity: Entity): { readonly entity: Entity; readonly keys: EntityKeys } | { readonly refused: string };
}

/** A dataset that can be imported. */
export interface DatasetDefinition {
  readonly name: string;
  readonly about: string;
  readonly kind: RowKind;
  /** The default mapping of files that come without one. */
  readonly mapping: Mapping;
  /** The dataset's tables by name; without `forms`, any table is accepted. */
  readonly forms?: Readonly<Record<string, EntityForm>>;
}

/** The format in which registers of intermediaries are delivered: one row per group, with its counts. */
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

/** By the names that `assay import` and `assay datasets` accept. */
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
