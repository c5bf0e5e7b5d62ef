import type { Engine } from "../../../contracts/engine.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { compose } from "./compose.ts";
import { type Evidence, evidenceFor, isEvidence } from "./evidence.ts";
import { judged, withoutAdvice, withoutEvidence } from "./judge.ts";
import type { InsuranceAssistantInput, InsuranceAssistantOutput } from "./schema.ts";

/** What the engine is made from. */
type Sources = Pick<EngineServices, "corpus" | "runtime">;

/** A question that the index of before has no answer to waits that long for the one that is being built. */
const patience = 3_000;

/** Looks again where the documents have changed: what was imported a moment ago is not yet in the index. */
async function freshEvidence(
  { corpus, runtime }: Sources,
  input: InsuranceAssistantInput,
  at: Date,
): Promise<Evidence> {
  const { version } = await corpus.state();
  const evidence = await evidenceFor(corpus, input, at);
  if (isEvidence(evidence)) return evidence;
  // A build that fails is reported in the log; the answer is then that of the index before.
  if ((await corpus.state()).status === "building")
    await Promise.race([corpus.refresh().catch(() => {}), runtime.sleep(patience)]);
  return (await corpus.state()).version === version ? evidence : evidenceFor(corpus, input, at);
}

async function ask(sources: Sources, input: InsuranceAssistantInput, at: Date): Promise<InsuranceAssistantOutput> {
  const evidence = await freshEvidence(sources, input, at);
  if (evidence.intent.advice) return withoutAdvice(evidence);
  if (!isEvidence(evidence)) return withoutEvidence(input, evidence);
  return judged(sources.runtime, input.question, evidence, compose(evidence.support.sentences));
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
  run: async (input, { now }) => ({ result: await ask(sources, input, now()) }),
});
