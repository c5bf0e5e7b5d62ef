import type { Computation } from "../../contracts/computing.ts";
import type { Assessment } from "./assess.ts";
import type { Material } from "./evaluate-claim.ts";

/** Number of characters above which a check may take longer than a few dozen milliseconds. */
const long = 20_000;

/** Assesses the words of an answer against its sources, as a computation for the worker pool. */
export const faithfulness: Computation<Material, Assessment> = {
  name: "faithfulness",
  budget: { ms: 10_000, memory_mib: 512 },
  isHeavy: ({ question, answer, sources }) =>
    sources.reduce((sum, { length }) => sum + length, question.length + answer.length) > long,
  async load() {
    const { assess } = await import("./assess.ts");
    return (material, work) => assess(material, work.check);
  },
};
