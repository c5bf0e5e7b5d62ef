/** The capabilities that have a model engine beside their embedded one; `model_capabilities` may name these. */
export const servedByModels: readonly string[] = [
  "afa-assurance",
  "company-intelligence",
  "exa-filter",
  "insurance-assistant",
  "market-validator",
];
