import { type Static, Type as T } from "@sinclair/typebox";
import { closed, described, enumeration, notBlank, nullable } from "../../../platform/schema.ts";

/** `full` runs the rules of legislation and of ethics. */
export const AfaAssuranceInput = closed({
  question: T.String({ minLength: 3, maxLength: 5000, ...notBlank, description: "What the client asked." }),
  answer: T.String({ minLength: 1, maxLength: 20_000, ...notBlank, description: "The advice to check." }),
  check: described(enumeration("legislation", "ethics", "full"), "full: legislation and ethics."),
});
export type AfaAssuranceInput = Static<typeof AfaAssuranceInput>;

/** A finding. `start` and `end` are its offsets in the answer in UTF-16 code units, or null if it has no place. */
export const Finding = closed({
  rule_id: T.String(),
  citation: T.String(),
  severity: enumeration("low", "medium", "high", "critical"),
  /** Whether the text that the rule cites was read for it. */
  verification: enumeration("verified", "partly", "unverified"),
  /** `pattern`: a wording of the rule. `resemblance`: similarity to known breaches. `model`: the language model's. */
  matched_by: enumeration("pattern", "resemblance", "model"),
  excerpt: nullable(T.String()),
  start: nullable(T.Integer({ minimum: 0 })),
  end: nullable(T.Integer({ minimum: 0 })),
  explanation: T.String(),
  suggestion: nullable(T.String()),
});
export type Finding = Static<typeof Finding>;

/** `fail` if a wording of a critical rule was found, `attention` for any other finding, `pass` for none. */
export const AfaAssuranceOutput = closed({
  status: enumeration("pass", "attention", "fail"),
  findings: T.Array(Finding),
  sources: T.Optional(T.Array(closed({ citation: T.String(), url: nullable(T.String({ format: "uri" })) }))),
});
export type AfaAssuranceOutput = Static<typeof AfaAssuranceOutput>;
