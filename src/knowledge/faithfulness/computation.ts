import type { Computation } from "../../contracts/computing.ts";
import type { Material } from "./evaluate-claim.ts";
import type { Faithfulness } from "./scorer.ts";

/** Characters from which a check may take longer than a few dozen milliseconds. */
const long = 20_000;

/** The check of an answer against its sources, as a computation for the pool of threads. */
export const faithfulness: Computation<Material, Faithfulness> = {
  name: "faithfulness",
  budget: { ms: 10_000, memory_mib: 512 },
  isHeavy: ({ question, answer, sources }) =>
    sources.reduce((sum, { length }) => sum + length, question.length + answer.length) > long,
  async load() {
    const { checkFaithfulness } = await import("./scorer.ts");
    return (material, work) => checkFaithfulness(material, work.check);
  },
};
