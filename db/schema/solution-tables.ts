/** The tables of the solution architect: see `tables.ts`. */

export interface SolutionTables {
  solutions: SolutionTable;
  solution_texts: SolutionTextTable;
}

/** A solution: what a firm wants, what it chose, and what was saved of it. */
export interface SolutionTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  state: "described" | "designed" | "saved";
  /** As it was given. */
  intake_json: string;
  /** Products chosen for needs, instead of those that fit best. */
  choices_json: string;
  /** The composition as it was when it was saved last; null: it never was. */
  saved_json: string | null;
  /** Of `saved_json`: a token opens what was saved with it and nothing else. */
  saved_sha256: string | null;
  /** Whose consent it was saved with, as given, and when. */
  consent_email: string | null;
  consented_at: number | null;
  revision: number;
  /** Of `machines/solution.ts`. */
  snapshot_json: string;
  created_at: number;
  updated_at: number;
}

/** What a language model was asked to write for a solution's document. */
export interface SolutionTextTable {
  solution_id: string;
  /** Of the document by the rules alone, which it was written for. */
  of_sha256: string;
  /** The model's name, as the operator configured it. */
  model: string;
  firm_id: string;
  /** By section; null: there is none, and `failure` says why. */
  text_json: string | null;
  failure: "busy" | "quota" | "refused" | "unavailable" | null;
  /** How often the model was asked for it. */
  asks: number;
  asked_at: number;
}
