/** The tables of the market validator. See `tables.ts`. */

export interface ValidatorTables {
  audiences: AudienceTable;
  validations: ValidationTable;
  validation_personas: ValidationPersonaTable;
}

/** An audience that a firm has described. Its personas are drawn again for each validation. */
export interface AudienceTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  name: string;
  description: string;
  /** A code of `src/products/validator/data/markets.json`. */
  market: string;
  size: number;
  source: "described" | "imported";
  created_at: number;
}

/** A study. One paid for by a run has that run's id; an imported one has its own id. */
export interface ValidationTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  source: "run" | "imported";
  mode: "live" | "trial";
  /** The audience may be deleted during the study, so its name, description, market and size are copied. */
  audience_id: string | null;
  audience_name: string | null;
  audience_text: string | null;
  /**
   * The market of the audience's people; also `null` in studies of earlier releases. The study asks people of `market`.
   */
  audience_market: string | null;
  hypothesis: string;
  market: string;
  decision_size: "S" | "M" | "L" | "XL";
  /** Number of personas to be asked. */
  size: number;
  language: "en" | "cs" | "sk" | "de";
  seed: string;
  status: "running" | "completed";
  /** Number of personas that have answered. */
  asked: number;
  verdict: "GO" | "NO-GO" | "CONDITIONAL" | null;
  confidence: number | null;
  summary: string | null;
  /** A report, as defined in `src/products/validator/schema.ts`. */
  report_json: string | null;
  error_code: string | null;
  error_message: string | null;
  /** What a usage report charged for an imported study, and when. A run's study is charged by its run. */
  charged_credits: number | null;
  charged_at: number | null;
  created_at: number;
  finished_at: number | null;
}

/** A persona of a study, with its answer once it was asked. */
export interface ValidationPersonaTable {
  validation_id: string;
  number: number;
  persona_json: string;
  answer_json: string | null;
}
