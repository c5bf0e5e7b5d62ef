import type { Requirement } from "./requirements.ts";

/** Requirements of audiences and validations. */
export const validatorRules: readonly Requirement[] = [
  {
    says: "Market-validator: one run over 10 personas, 500 credits; trial: exactly 10 personas, no raw-persona export.",
    tests: [
      "interviews ten people at M for 500 credits, and links to its study",
      "as a trial asks exactly ten people, costs nothing, and shows no persona anywhere",
    ],
  },
  {
    says: "run_validation returns simulation_id at once; reserves the full run allowance then settles actual usage.",
    tests: [
      "create an audience, order a validation of it, and report its progress and verdict",
      "start nothing that the firm can't pay in full",
    ],
  },
  {
    says: "Validator group: scopes validator:read, validator:run; tenant-scoped.",
    tests: [
      "require separate scopes for reading and running",
      "show a firm nothing of another firm, and a key nothing of another workspace",
    ],
  },
  {
    says: "Validation: running, completed; one that cannot finish is completed with verdict null, its credits released.",
    tests: [
      "a study whose run is cancelled while queued is completed without a verdict",
      "whose audience is deleted while it is queued fails, and releases everything",
    ],
  },
  {
    says: "Resumable between batches: a kill asks and charges nothing twice.",
    tests: ["a power cut after any commit of a study loses nothing, asks nothing twice and charges once"],
  },
];
