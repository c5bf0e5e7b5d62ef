import type { Engine } from "../../../contracts/engine.ts";
import type { StudyInput } from "../../../contracts/study.ts";
import { present } from "../../../platform/assert.ts";
import type { EngineServices } from "../../../registry/services.ts";
import type { MarketValidatorOutput } from "./schema.ts";

/**
 * A run orders a study and waits for it: the study is an actor of its own, moved batch by batch by the same host, so that
 * an attempt that is given up, or a restart, finds it where it was. Charged: the personas that were interviewed.
 */
export function marketValidatorEngine({
  models,
  studies,
}: Pick<EngineServices, "models" | "studies">): Engine<StudyInput, MarketValidatorOutput> {
  const model = models.forCapability("market-validator");
  const conductor = () => present(studies.conductor ?? undefined, "the conductor of studies");
  return {
    identity: { name: "market-validator", version: "1.0.0", model: model?.name ?? null },
    ready() {
      if (!model) return null;
      const noEmbedding = "A model interviews only where embedding_url and embedding_name say what maps its answers.";
      return model.ready() ?? (models.embedding ? models.embedding.ready() : noEmbedding);
    },
    admit: (input, caller) => conductor().admit(input, caller),
    async run(input, { stepKey, signal, progress }) {
      const { verdict, confidence, reference, credits } = await conductor().conduct({
        stepKey,
        input,
        signal,
        progress,
      });
      return { result: { status: "completed", verdict, confidence, result_reference: reference }, credits };
    },
  };
}
