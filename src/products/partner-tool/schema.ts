import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";
import { Reason, RunStatus } from "../../runs/schema.ts";

/** The tool used in the guide on connectors. */
const example = { examples: ["triage_claim"] };

export const PartnerToolCallRequest = closed(
  {
    tool: T.String({
      ...{ minLength: 1, maxLength: 100, ...example },
      description: "One of the firm's own tools, by its name, as `/v1/partner-tool/access` lists them.",
    }),
    arguments: T.Object({}, { additionalProperties: true, description: "Validated against the tool's input schema." }),
  },
  { title: "PartnerToolCallRequest" },
);

/** A call is a run of the tool's capability; this is its current state. */
export const PartnerToolCall = closed(
  {
    tool: T.String(example),
    run_id: T.String({ format: "uuid" }),
    status: RunStatus,
    result: T.Unknown({
      description: "Matches the capability's output schema once the run has succeeded; null otherwise.",
    }),
    error: nullable(Reason),
    charged_credits: T.Integer({ minimum: 0 }),
    run_url: T.String(),
  },
  { title: "PartnerToolCall" },
);
export type PartnerToolCall = Static<typeof PartnerToolCall>;

/** Access grants by name. */
export const PartnerToolAccess = T.Record(T.String(), T.String(), { title: "PartnerToolAccess" });
export type PartnerToolAccess = Static<typeof PartnerToolAccess>;
