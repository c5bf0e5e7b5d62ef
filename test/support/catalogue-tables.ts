// The specification's tables "Capabilities in the catalogue", "Output schemas", "Tools per capability" and "Use case".

/** A field's JSON Schema keywords as given in the tables; `required` is the tables' asterisk. */
type Field = Readonly<Record<string, unknown>> & { readonly required?: true };
/** Fields by name. */
export type Fields = Readonly<Record<string, Field>>;

const text = (minLength: number | undefined, maxLength: number): Field =>
  minLength === undefined ? { type: "string", maxLength } : { type: "string", minLength, maxLength };
const oneOf = (...values: string[]): Field => ({ type: "string", enum: values });
const needed = (field: Field): Field => ({ ...field, required: true });
const country: Field = { type: "string", minLength: 2, maxLength: 2, pattern: "^[A-Za-z]{2}$" };
const countries = (minItems: number, maxItems: number): Field => ({
  type: "array",
  minItems,
  maxItems,
  items: country,
});
const uuid: Field = { type: "string", format: "uuid" };
const companyUrl: Field = { type: "string", format: "uri", maxLength: 2048 };
const advice = { question: needed(text(3, 5000)), answer: needed(text(1, 20_000)) };

/** A row of "Capabilities in the catalogue", with its rows of "Output schemas" and "Tools per capability". */
export interface CapabilityRow {
  readonly status: string;
  readonly exposure: string;
  readonly access: string;
  readonly countries: readonly string[];
  readonly model: string;
  readonly live_credits: number;
  readonly trial: readonly [runs: number, ...restrictions: string[]];
  readonly scopes: readonly string[];
  readonly input: Fields;
  /** Field names; a trailing question mark means that the field is optional. */
  readonly output: readonly string[];
  readonly tools: readonly string[];
}

const free = { access: "read", model: "included", live_credits: 0 };

/** Capabilities by slug, in catalogue order. */
export const capabilityTable: Record<string, CapabilityRow> = {
  "insurance-assistant": {
    ...free,
    status: "live",
    exposure: "public",
    countries: ["EU"],
    model: "per_query",
    trial: [3],
    scopes: ["account:read", "insurance:ask"],
    input: {
      question: needed(text(3, 1500)),
      country: needed(country),
      product_line: text(undefined, 80),
      language: text(undefined, 20),
    },
    output: ["answer", "sources", "trust_state", "confidence?"],
    tools: ["ask_insurance"],
  },
  "market-validator": {
    status: "live",
    exposure: "public",
    access: "write",
    countries: ["EU"],
    model: "per_run",
    live_credits: 500,
    trial: [1, "exactly 10 personas", "no raw-persona export"],
    scopes: ["account:read", "validator:run"],
    input: { hypothesis: needed(text(10, 2000)), market: needed(text(2, 120)), audience_id: uuid },
    // Not in the specification: `notes` reports when the personas interviewed differ from the intended audience.
    output: ["status", "verdict?", "confidence?", "result_reference", "notes?"],
    tools: [
      "list_audiences",
      "get_audience_details",
      "list_validations",
      "get_result",
      "create_audience",
      "run_validation",
    ],
  },
  "afa-assurance": {
    ...free,
    status: "pilot",
    exposure: "public",
    countries: ["CZ"],
    trial: [1],
    scopes: ["account:read", "afa:validate"],
    input: { ...advice, check: needed(oneOf("legislation", "ethics", "full")) },
    output: ["status", "findings", "sources?"],
    tools: ["validate_answer"],
  },
  "exa-filter": {
    ...free,
    status: "pilot",
    exposure: "public",
    countries: ["CZ", "SK"],
    trial: [1],
    scopes: ["account:read", "exa:validate"],
    input: {
      ...advice,
      insurer: text(undefined, 120),
      sources: { type: "array", maxItems: 50, items: text(undefined, 2000) },
      country: oneOf("CZ", "SK"),
      insurance_type: text(undefined, 60),
    },
    // The specification makes `sources` optional; this catalogue always returns them, and the claims too.
    output: ["trust_state", "faithfulness_score?", "confidence_score?", "verdict_text?", "sources", "claims?"],
    tools: ["check_answer"],
  },
  "eu-market-data": {
    ...free,
    status: "live",
    exposure: "public",
    countries: ["EU"],
    trial: [3, "aggregate only"],
    scopes: ["account:read", "eu-data:aggregate"],
    input: { question: needed(text(3, 1000)), countries: needed(countries(1, 10)) },
    // Not in the specification: a comparison includes a chart.
    output: ["summary", "aggregates", "sources?", "document?"],
    tools: ["query_eu_market", "eu_coverage", "eu_market_overview", "eu_compare_markets"],
  },
  "company-intelligence": {
    ...free,
    status: "live",
    exposure: "public",
    countries: ["GLOBAL"],
    trial: [1, "public HTTP/HTTPS URL only"],
    scopes: ["account:read", "company:analyze"],
    input: { company_url: needed(companyUrl) },
    // Not in the specification: the origin of each field.
    output: [
      "company_name",
      "target_audience",
      "products_services",
      "market",
      "confidence?",
      "evidence?",
      "pages?",
      "notes?",
    ],
    tools: ["analyze_company_url"],
  },
  "distribution-intelligence": {
    ...free,
    status: "pilot",
    exposure: "gated",
    countries: ["CZ"],
    model: "contract",
    trial: [0],
    scopes: ["verified_workspace", "distribution:read"],
    input: { question: needed(text(3, 1000)), dataset: needed(text(1, 80)) },
    output: ["summary", "aggregates", "result_reference?"],
    tools: ["query_distribution"],
  },
  "germany-market-intelligence": {
    ...free,
    status: "pilot",
    exposure: "gated",
    countries: ["DE"],
    model: "contract",
    trial: [0],
    scopes: ["market-intelligence:read"],
    input: {},
    output: ["summary", "data", "sources?"],
    tools: ["germany_market_overview"],
  },
};

/** A row of the table "Use case". */
export interface UseCaseRow {
  readonly name: string;
  readonly status: string;
  readonly maximum: number;
  readonly steps: readonly (readonly [key: string, capability: string, maximum: number])[];
  readonly input: Fields;
}

const single = (name: string, status: string, slug: string, maximum = 0): UseCaseRow => ({
  name,
  status,
  maximum,
  steps: [[slug, slug, maximum]],
  input: capabilityTable[slug]?.input ?? {},
});

/** Use cases by slug; the slugs are our choice, the rest comes from the table. */
export const useCaseTable: Record<string, UseCaseRow> = {
  "sourced-insurance-answers": single("Sourced Insurance Answers", "available", "insurance-assistant"),
  "validate-before-shipping": single("Validate Before Shipping", "available", "market-validator", 500),
  "advice-assurance-check": single("Advice Assurance Check", "pilot", "afa-assurance"),
  "advisor-talent-fit": {
    ...single("Advisor Talent Fit", "available", "talent-intelligence"),
    input: { role_title: needed(text(2, 160)), analysis_goal: needed(text(10, 2000)) },
  },
  "eu-market-snapshot": single("EU Market Snapshot", "available", "eu-market-data"),
  "company-market-brief": single("Company Market Brief", "available", "company-intelligence"),
  "european-market-entry-pack": {
    name: "European Market-Entry Pack",
    status: "validation_required",
    maximum: 28_000,
    steps: [
      ["company", "company-intelligence", 1000],
      ["markets", "eu-market-data", 4000],
      ["structure", "structure", 3000],
      ["validator", "market-validator", 10_000],
      ["targets", "targets", 7000],
      ["report", "report", 3000],
    ],
    input: {
      company_url: needed(companyUrl),
      product_category: needed(text(2, 160)),
      target_adviser_icp: needed(text(10, 2000)),
      candidate_markets: needed(countries(2, 5)),
      value_proposition: needed(text(10, 3000)),
    },
  },
};

/** The inputs of the Validator's tools, by tool name. Its numbers are counts, so they are integers here. */
export const validatorTable: Record<string, Fields> = {
  list_audiences: {},
  get_audience_details: { audience_id: needed(uuid) },
  create_audience: {
    name: needed({ type: "string" }),
    description: needed({ type: "string" }),
    market: { type: "string" },
    size: { type: "integer", minimum: 5, maximum: 50, default: 10 },
  },
  run_validation: {
    hypothesis: needed(text(10, 2000)),
    audience_id: needed(uuid),
    market: { type: "string" },
    decision_size: { ...oneOf("S", "M", "L", "XL"), default: "M" },
  },
  get_result: { simulation_id: needed({ type: "string" }) },
  list_validations: { limit: { type: "integer", minimum: 1, maximum: 50, default: 10 } },
};
