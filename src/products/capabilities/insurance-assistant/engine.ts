import type { Engine, EngineContext } from "../../../contracts/engine.ts";
import { type Evidence, evidenceFor, type Sources } from "./evidence.ts";
import { judged, withoutAdvice, withoutEvidence } from "./judge.ts";
import type { InsuranceAssistantInput, InsuranceAssistantOutput } from "./schema.ts";

/** A question that the index of before has no answer to waits that long for the one that is being built. */
const patience = 3_000;

/** Looks again where the documents have changed: what was imported a moment ago is not yet in the index. */
async function freshEvidence(
  sources: Sources,
  input: InsuranceAssistantInput,
  context: EngineContext,
): Promise<Evidence> {
  const { corpus, runtime } = sources;
  const { version } = await corpus.state();
  const evidence = await evidenceFor(sources, input, context);
  if (evidence.isEvidence) return evidence;
  // A build that fails is reported in the log; the answer is then that of the index before.
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
 * The embedded assistant: retrieval over the imported documents, the sentences that answer best, each with its source.
 * Deterministic for one state of the corpus. It throws what the corpus throws.
 */
export const insuranceAssistantEngine = (
  sources: Sources,
): Engine<InsuranceAssistantInput, InsuranceAssistantOutput> => ({
  identity: { name: "insurance-assistant", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input, context) => ({ result: await ask(sources, input, context) }),
});
