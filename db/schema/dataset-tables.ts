/** A file that was imported, in one table of a dataset. Its rows are in a file of their own: see `sqlite/dataset-file.ts`. */
export interface DatasetTableTable {
  id: string;
  dataset: string;
  name: string;
  /** `TableFacts` of `src/contracts/datasets.ts`. */
  facts_json: string;
  /** What the importer decided about the file: format, encoding, signs of numbers. */
  reading_json: string;
  /** The name of the file that was imported, without its folder. */
  file: string;
  sha256: string;
  rows: number;
  refused: number;
  /** Figures or entities. */
  records: number;
  created_at: number;
}

/** What a dataset consisted of from one moment on; the highest number serves. Rows are only ever added. */
export interface DatasetVersionTable {
  dataset: string;
  number: number;
  /** The ids of its tables, as JSON. */
  tables_json: string;
  cause: "import" | "rollback";
  created_at: number;
}

/** The tables of imported datasets, as Kysely sees them. */
export interface DatasetTables {
  dataset_tables: DatasetTableTable;
  dataset_versions: DatasetVersionTable;
}
