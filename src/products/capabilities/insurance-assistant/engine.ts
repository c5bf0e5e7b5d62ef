import type { Engine, EngineContext } from "../../../contracts/engine.ts";
import { type Evidence, evidenceFor, type Sources } from "./evidence.ts";
import { judged, withoutAdvice, withoutEvidence } from "./judge.ts";
import type { InsuranceAssistantInput, InsuranceAssistantOutput } from "./schema.ts";

/** Maximum time in milliseconds that a question without an answer waits for an index that is being built. */
const patience = 3_000;

/** Searches again if the documents have changed: a recent import may not be in the index yet. */
async function freshEvidence(
  sources: Sources,
  input: InsuranceAssistantInput,
  context: EngineContext,
): Promise<Evidence> {
  const { corpus, runtime } = sources;
  const { version } = await corpus.state();
  const evidence = await evidenceFor(sources, input, context);
  if (evidence.isEvidence) return evidence;
  // A failed build is reported in the log, and the answer is then that of the previous index.
  if ((await corpus.state()).status === "building")
    await Promise.race([corpus.refresh().catch(() => {}), runtime.sleep(patience)]);
  return (await corpus.state()).version === version ? evidence : evidenceFor(sources, input, context);
}

async function ask(
  sources: Sources,
  input: InsuranceAssistantInput,
  context: EngineContext,
): Promise<InsuranceAssistantOutput> {
  const evidence = await freshEvidence(sources, input, context);
  if (evidence.isAdvice) return withoutAdvice(evidence);
  if (!evidence.isEvidence) return withoutEvidence(input, evidence);
  return judged(sources, context, { question: input.question, evidence, composition: evidence.composition });
}

/**
 * The embedded assistant: retrieval over the imported documents, and the sentences that answer best, each with its
 * source. Deterministic for one state of the corpus. Throws what the corpus throws.
 */
export const insuranceAssistantEngine = (
  sources: Sources,
): Engine<InsuranceAssistantInput, InsuranceAssistantOutput> => ({
  identity: { name: "insurance-assistant", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input, context) => ({ result: await ask(sources, input, context) }),
});
