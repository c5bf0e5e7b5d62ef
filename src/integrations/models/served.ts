/**
 * What a language model may serve, and `model_capabilities` may name: capabilities that have a model engine beside their
 * embedded one, and the solution architect, whose documents it introduces.
 */
export const servedByModels: readonly string[] = [
  "afa-assurance",
  "company-intelligence",
  "exa-filter",
  "insurance-assistant",
  "market-validator",
  "solution-architect",
];
