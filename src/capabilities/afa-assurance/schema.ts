import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";

/** `full` runs the rules of legislation and of ethics. */
export const AfaAssuranceInput = closed({
  question: T.String({ minLength: 3, maxLength: 5000 }),
  answer: T.String({ minLength: 1, maxLength: 20_000, description: "The advice to check." }),
  check: enumeration("legislation", "ethics", "full"),
});
export type AfaAssuranceInput = Static<typeof AfaAssuranceInput>;

/** `start` and `end` are the excerpt's place in the answer, counted in UTF-16 code units; null where something lacks. */
export const Finding = closed({
  rule_id: T.String(),
  citation: T.String(),
  severity: enumeration("low", "medium", "high", "critical"),
  excerpt: nullable(T.String()),
  start: nullable(T.Integer({ minimum: 0 })),
  end: nullable(T.Integer({ minimum: 0 })),
  explanation: T.String(),
  suggestion: nullable(T.String()),
});

/** `fail` and `attention` follow from the severities of the findings; `pass` has none that matter. */
export const AfaAssuranceOutput = closed({
  status: enumeration("pass", "attention", "fail"),
  findings: T.Array(Finding),
  sources: T.Optional(T.Array(closed({ citation: T.String(), url: nullable(T.String({ format: "uri" })) }))),
});
export type AfaAssuranceOutput = Static<typeof AfaAssuranceOutput>;
