/** An imported file as one table of a dataset. Its rows are in a separate file; see `sqlite/dataset-file.ts`. */
export interface DatasetTableTable {
  id: string;
  dataset: string;
  name: string;
  /** `TableFacts` of `db/datasets.ts`. */
  facts_json: string;
  /** How the importer read the file: format, encoding, number formats. */
  reading_json: string;
  /** The imported file's name, without its folder. */
  file: string;
  sha256: string;
  rows: number;
  refused: number;
  /** Number of figures or entities. */
  records: number;
  created_at: number;
}

/** The contents of a dataset from one moment on; the highest number is current. Rows are only ever added. */
export interface DatasetVersionTable {
  dataset: string;
  number: number;
  /** Ids of its tables, as JSON. */
  tables_json: string;
  cause: "import" | "rollback";
  created_at: number;
}

/** The tables of imported datasets, as Kysely sees them. */
export interface DatasetTables {
  dataset_tables: DatasetTableTable;
  dataset_versions: DatasetVersionTable;
}
