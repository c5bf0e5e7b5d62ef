/**
 * The capabilities that a language model may serve, which `model_capabilities` may name: those with a model engine as
 * well as their embedded one, and the solution architect, whose documents it introduces.
 */
export const servedByModels: readonly string[] = [
  "afa-assurance",
  "company-intelligence",
  "exa-filter",
  "insurance-assistant",
  "market-validator",
  "solution-architect",
];
