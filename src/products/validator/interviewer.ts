import type { EngineIdentity } from "../../contracts/engine.ts";
import type { Models } from "../../integrations/models/models.ts";
import type { Answer } from "./answer.ts";
import { interview } from "./interview.ts";
import { modelInterviewer } from "./model-interviewer.ts";
import type { Persona } from "./persona.ts";
import type { Report } from "./report.ts";
import type { Study } from "./study.ts";

/** Who interviews the personas of studies: the explicit choice model, or a language model. */
export interface Interviewer {
  readonly identity: EngineIdentity;
  /** What its answers rest on besides the study's own inputs: for the reliability card. */
  readonly inputs: Report["card"]["inputs"];
  /** Null when an interview would be held now; otherwise why not, for an operator. */
  ready(): string | null;
  /** One persona's answer. Throws `EngineError`, retryable where it may succeed later. */
  ask(persona: Persona, study: Study, hypothesis: string, signal: AbortSignal): Promise<Answer>;
}

/** The embedded one: it computes. */
export const embeddedInterviewer: Interviewer = {
  identity: { name: "market-validator", version: "1.0.0", model: null },
  inputs: [],
  ready: () => null,
  ask: async (persona, { matter }) => interview(persona, matter),
};

/** Who interviews in an installation with these models: never both, and no silent change from one to the other. */
export function interviewerFrom(models: Models): Interviewer {
  const model = models.forCapability("market-validator");
  return model ? modelInterviewer(model, models.embedding) : embeddedInterviewer;
}
