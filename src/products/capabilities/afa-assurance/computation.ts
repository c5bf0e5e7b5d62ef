import type { Computation } from "../../../contracts/computing.ts";
import type { AfaAssuranceInput, AfaAssuranceOutput } from "./schema.ts";

/** A breach found by a language model, to be merged with those found by the packs. */
export interface Added {
  readonly rule_id: string;
  readonly excerpt: string;
}

/** Length in characters above which a check may take longer than a few dozen milliseconds. */
const long = 10_000;

/** The check of an answer against the rule packs, as a computation for the thread pool. */
export const advice: Computation<
  { readonly input: AfaAssuranceInput; readonly added: readonly Added[] },
  AfaAssuranceOutput
> = {
  name: "advice",
  budget: { ms: 10_000, memory_mib: 512 },
  isHeavy: ({ input: { question, answer } }) => question.length + answer.length > long,
  async load() {
    const { checkAdvice } = await import("./check-advice.ts");
    return ({ input, added }) => checkAdvice(input, added);
  },
};
