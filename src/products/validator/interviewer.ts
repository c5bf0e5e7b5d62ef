import type { EngineIdentity } from "../../contracts/engine.ts";
import type { Models } from "../../integrations/models/models.ts";
import type { Answer } from "./answer.ts";
import { interview } from "./interview.ts";
import { modelInterviewer } from "./model-interviewer.ts";
import type { Persona } from "./persona.ts";
import type { Report } from "./report.ts";
import type { Study } from "./study.ts";

/** Interviews the personas of studies: the explicit choice model or a language model. */
export interface Interviewer {
  readonly identity: EngineIdentity;
  /** Inputs besides the study's own, for the reliability card. */
  readonly inputs: Report["card"]["inputs"];
  /** Returns `null` if interviews are possible now, otherwise the reason, for an operator. */
  ready(): string | null;
  /** Returns one persona's answer. Throws `EngineError`, retryable if it may succeed later. */
  ask(persona: Persona, study: Study, hypothesis: string, signal: AbortSignal): Promise<Answer>;
}

/** The embedded interviewer, which computes its answers. */
export const embeddedInterviewer: Interviewer = {
  identity: { name: "market-validator", version: "1.0.0", model: null },
  inputs: [],
  ready: () => null,
  ask: async (persona, { matter }) => interview(persona, matter),
};

/** Returns the interviewer for an installation's models: never both, and no silent switch between them. */
export function interviewerFrom(models: Models): Interviewer {
  const model = models.forCapability("market-validator");
  return model ? modelInterviewer(model, models.embedding) : embeddedInterviewer;
}
