/** The tables of the market validator: see `tables.ts`. */

export interface ValidatorTables {
  audiences: AudienceTable;
  validations: ValidationTable;
  validation_personas: ValidationPersonaTable;
}

/** Whom a firm has described. Its personas are drawn at each validation. */
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

/** A study. One that a run has paid for has that run's id; an imported one has its own. */
export interface ValidationTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  source: "run" | "imported";
  mode: "live" | "trial";
  /** The audience may be deleted while the study goes on: its name, description, market and size were taken over. */
  audience_id: string | null;
  audience_name: string | null;
  audience_text: string | null;
  /** Whose people it describes; null also where an earlier release made the study. Those of `market` are asked. */
  audience_market: string | null;
  hypothesis: string;
  market: string;
  decision_size: "S" | "M" | "L" | "XL";
  /** Personas to be asked. */
  size: number;
  language: "en" | "cs" | "sk" | "de";
  seed: string;
  status: "running" | "completed";
  /** Personas that have answered. */
  asked: number;
  verdict: "GO" | "NO-GO" | "CONDITIONAL" | null;
  confidence: number | null;
  summary: string | null;
  /** What `src/products/validator/schema.ts` calls a report. */
  report_json: string | null;
  error_code: string | null;
  error_message: string | null;
  /** What a report of use has charged for an imported study, and when; a study of a run is charged by that. */
  charged_credits: number | null;
  charged_at: number | null;
  created_at: number;
  finished_at: number | null;
}

/** A persona of a study, with what it answered once it has been asked. */
export interface ValidationPersonaTable {
  validation_id: string;
  number: number;
  persona_json: string;
  answer_json: string | null;
}
