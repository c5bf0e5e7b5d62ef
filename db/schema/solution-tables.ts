/** The tables of the solution architect. See `tables.ts`. */

export interface SolutionTables {
  solutions: SolutionTable;
  solution_texts: SolutionTextTable;
}

/** A solution: a firm's goals, its selected products, and the saved composition. */
export interface SolutionTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  state: "described" | "designed" | "saved";
  /** The goals as given. */
  intake_json: string;
  /** Products selected for needs instead of the best-fitting ones. */
  choices_json: string;
  /** The composition as last saved; `null` if it never was. */
  saved_json: string | null;
  /** Hash of `saved_json`. A token gives access only to what was saved with it. */
  saved_sha256: string | null;
  /** Whose consent it was saved with, as given, and when. */
  consent_email: string | null;
  consented_at: number | null;
  revision: number;
  /** Snapshot of `machines/solution.ts`. */
  snapshot_json: string;
  created_at: number;
  updated_at: number;
}

/** A text requested from a language model for a solution's document. */
export interface SolutionTextTable {
  solution_id: string;
  /** Hash of the rule-based document that it was written for. */
  of_sha256: string;
  /** The model's name, as the operator configured it. */
  model: string;
  firm_id: string;
  /** The text by section; `null` if there is none, and `failure` gives the reason. */
  text_json: string | null;
  failure: "busy" | "quota" | "refused" | "unavailable" | null;
  /** Number of requests to the model. */
  asks: number;
  asked_at: number;
}
