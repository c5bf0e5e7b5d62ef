import type { CapabilityDefinition } from "../../../registry/contract.ts";
import { listing, pricing, trial } from "../listing.ts";
import { marketValidatorEngine } from "./engine.ts";
import { MarketValidatorInput, MarketValidatorOutput } from "./schema.ts";
import { tools } from "./tools.ts";

/** Simulated tests of market hypotheses, listed in `src/products/capabilities/index.ts`. */
export const marketValidator: CapabilityDefinition = {
  ...listing("market-validator"),
  name: "Market Validator",
  outcome: "Test a market hypothesis on simulated personas before shipping",
  description:
    "Tests a hypothesis on personas drawn from documented distributions of the market, and gives GO, NO-GO or CONDITIONAL with a confidence. It is a simulation for ranking ideas.",
  status: "live",
  exposure: "public",
  countries: ["EU"],
  data_class: "derived",
  access: "write",
  permissions: ["account:read", "validator:run"],
  tool_scopes: ["validator:read", "validator:run"],
  run_tool: "run_validation",
  pricing: pricing("per_run", "one run over 10 personas", 500),
  trial: trial(1, ["exactly 10 personas", "no raw-persona export"]),
  input_schema: MarketValidatorInput,
  output_schema: MarketValidatorOutput,
  tools,
  sources: [
    "CIA World Factbook: age, urban share, internet users, Gini",
    "Eurostat: households, online buyers",
    "GDV and Ipsos surveys: insurance held in DE and CZ; modelled elsewhere",
  ],
  limitations: [
    "It is a simulation for ranking ideas, neither a sales forecast nor a survey of real people.",
    "At an intent of 30 %, sampling alone causes an error of about 9 points either way with ten personas, and 4 with fifty (80 % interval). Errors of the model come on top and are not in the interval.",
    "The effect sizes in its choice model are assumptions; only their signs are based on literature. Confidence is never above 0.6.",
    "It knows ten markets (AT, CZ, DE, ES, FR, IT, NL, PL, SK and the EU), and reads hypotheses in English, Czech, Slovak and German by word lists.",
    "Groups for which a market has no figures, such as cyclists, pet owners or firms, are represented by its adults in general; the notes of a result name such groups.",
    "Personas are synthetic and represent groups; none describes a real person.",
    "A verdict depends on how precisely the hypothesis states who, what, price and channel.",
  ],
  evidence_freshness: "As of the distributions that the personas are drawn from; each carries its year.",
  entitlements: [],
  deadline_ms: 300_000,
  engine: marketValidatorEngine,
};
