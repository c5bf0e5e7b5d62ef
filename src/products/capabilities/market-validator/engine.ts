import type { Engine } from "../../../contracts/engine.ts";
import type { StudyInput } from "../../../contracts/study.ts";
import { present } from "../../../platform/assert.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { interviewerFrom } from "../../validator/interviewer.ts";
import type { MarketValidatorOutput } from "./schema.ts";

/**
 * A run orders a study and waits for it. The study is an actor of its own that the same host advances batch by batch,
 * so an aborted attempt, or a restart, finds it where it was. The personas interviewed are charged.
 */
export function marketValidatorEngine({
  models,
  studies,
}: Pick<EngineServices, "models" | "studies">): Engine<StudyInput, MarketValidatorOutput> {
  const interviewer = interviewerFrom(models);
  const conductor = () => present(studies.conductor ?? undefined, "the conductor of studies");
  return {
    identity: interviewer.identity,
    ready: () => interviewer.ready(),
    admit: (input, caller) => conductor().admit(input, caller),
    async run(input, { stepKey, signal, progress }) {
      const { verdict, confidence, reference, notes, credits } = await conductor().conduct({
        stepKey,
        input,
        signal,
        progress,
      });
      const result = { status: "completed" as const, verdict, confidence, result_reference: reference };
      return { result: notes.length > 0 ? { ...result, notes: [...notes] } : result, credits };
    },
  };
}
