/** The table of the solution architect: see `tables.ts`. */

export interface SolutionTables {
  solutions: SolutionTable;
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
