import type { Corpus } from "../../evidence/corpus.ts";
import type { Engine } from "../../workflow/engine.ts";
import { compose } from "./compose.ts";
import { evidenceFor, isEvidence } from "./evidence.ts";
import { judged, withoutAdvice, withoutEvidence } from "./judge.ts";
import type { InsuranceAssistantInput, InsuranceAssistantOutput } from "./schema.ts";

async function ask(corpus: Corpus, input: InsuranceAssistantInput, at: Date): Promise<InsuranceAssistantOutput> {
  const evidence = await evidenceFor(corpus, input, at);
  if (evidence.intent.advice) return withoutAdvice(evidence);
  if (!isEvidence(evidence)) return withoutEvidence(input, evidence);
  return judged(input.question, evidence, compose(evidence.support.sentences));
}

/**
 * The embedded assistant: retrieval over the imported documents, the sentences that answer best, each with its source.
 * Deterministic for one state of the corpus. It throws what the corpus throws.
 */
export const insuranceAssistantEngine = (
  corpus: Corpus,
): Engine<InsuranceAssistantInput, InsuranceAssistantOutput> => ({
  identity: { name: "insurance-assistant", version: "1.0.0", model: null },
  limits: { total: 4, perFirm: 2 },
  ready: () => null,
  run: async (input, { now }) => ({ result: await ask(corpus, input, now()) }),
});
