import type { Requirement } from "./requirements.ts";

/** Requirements of audiences and validations. */
export const validatorRules: readonly Requirement[] = [
  {
    says: "Market-validator: one run over 10 personas, 500 credits; trial: exactly 10 personas, no raw-persona export.",
    tests: [
      "interviews ten people at M for 500 credits, and leads to its study",
      "as a trial asks exactly ten, costs nothing, and shows no persona anywhere",
    ],
  },
  {
    says: "run_validation returns simulation_id at once; reserves the full run allowance then settles actual usage.",
    tests: [
      "make an audience, order a validation of it, and tell its progress and verdict",
      "begin nothing that the firm can't pay in full",
    ],
  },
  {
    says: "Validator group: scopes validator:read, validator:run; tenant-scoped.",
    tests: [
      "ask for their scopes, reading and running apart",
      "show a firm, and a key its workspace, nothing of another's",
    ],
  },
  {
    says: "Validation: running, completed; one that cannot finish is completed with verdict null, its credits released.",
    tests: [
      "a study whose run is cancelled while it waits is completed without a verdict",
      "whose audience is deleted before its turn fails, and releases everything",
    ],
  },
  {
    says: "Resumable between batches: a kill asks and charges nothing twice.",
    tests: ["a power cut after any commit of a study's life loses nothing, asks nothing twice and charges once"],
  },
];
