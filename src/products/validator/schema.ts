import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { DecisionSizeSchema, Report, Verdict } from "./report.ts";

/** Response schemas of the validator's routes and tools. */

const Id = T.String({ format: "uuid" });
const Instant = T.String({ format: "date-time" });
const Count = T.Integer({ minimum: 0 });
const Status = enumeration("running", "completed");

/**
 * How a completed study ended, which `completed` alone does not say: with a verdict, with the answers of a study that
 * was imported without one, cancelled, or failed. Null while it is running.
 */
const Outcome = enumeration("verdict", "answers", "cancelled", "failed");
export type Outcome = Static<typeof Outcome>;

export const AudienceSummary = closed({ audience_id: Id, name: T.String(), personas_count: Count });
export const AudienceList = closed({ audiences: T.Array(AudienceSummary) }, { title: "AudienceList" });
export type AudienceList = Static<typeof AudienceList>;

/** How a description was understood. */
const reading = {
  understood: T.Array(T.String(), { description: "What the personas are selected by." }),
  not_used: T.Array(T.String(), {
    description: "The description's other phrases, which no figure of the market covers.",
  }),
};

export const AudienceDetails = closed(
  {
    audience: closed({
      id: Id,
      name: T.String(),
      description: T.String(),
      market: T.String(),
      size: T.Integer({ minimum: 5, maximum: 50 }),
      source: enumeration("described", "imported"),
    }),
    personas: T.Array(closed({ age: Count, role: T.String(), bio: T.String() }), {
      maxItems: 10,
      description: "A preview; each study draws its own personas.",
    }),
    personas_count: Count,
    ...reading,
  },
  { title: "AudienceDetails" },
);
export type AudienceDetails = Static<typeof AudienceDetails>;

export const AudienceCreated = closed({ audience_id: Id, ...reading }, { title: "AudienceCreated" });
export type AudienceCreated = Static<typeof AudienceCreated>;

export const ValidationStarted = closed({ simulation_id: Id, status: Status }, { title: "ValidationStarted" });
export type ValidationStarted = Static<typeof ValidationStarted>;

const Listed = {
  simulation_id: Id,
  status: Status,
  outcome: nullable(Outcome),
  verdict: nullable(Verdict),
  decision_size: DecisionSizeSchema,
  created_at: Instant,
  dashboard_url: T.String(),
};
const ListedStudy = closed({
  ...Listed,
  hypothesis: T.String({ description: "Its first 200 characters; a study shows all of it." }),
});
export const ValidationList = closed({ validations: T.Array(ListedStudy) }, { title: "ValidationList" });
export type ValidationList = Static<typeof ValidationList>;

/**
 * The current state of a study. `report` comes with the verdict; a study that could not finish has an `error` instead,
 * as `outcome` says.
 */
export const ValidationResult = closed(
  {
    ...Listed,
    progress: closed({ completed: Count, total: Count }),
    confidence: nullable(T.Number({ minimum: 0, maximum: 1 })),
    summary: nullable(T.String()),
    mode: enumeration("live", "trial"),
    audience_id: nullable(Id),
    error: nullable(closed({ code: T.String(), message: T.String() })),
    report: nullable(Report),
    charged_credits: T.Integer({ minimum: 0, description: "Zero until it reaches a verdict." }),
  },
  { title: "Validation" },
);
export type ValidationResult = Static<typeof ValidationResult>;

/** A study with its question and its personas. */
export const ValidationStudy = closed(
  {
    ...ValidationResult.properties,
    hypothesis: T.String(),
    people: T.Array(
      closed({
        role: T.String(),
        bio: T.String(),
        answer: T.String(),
        juster: T.Number({
          minimum: 0,
          maximum: 10,
          description: "How likely they are to buy, from 0 to 10; the mean if they were asked more than once.",
        }),
      }),
      { description: "Simulated people; none for a trial." },
    ),
  },
  { title: "ValidationStudy" },
);
export type ValidationStudy = Static<typeof ValidationStudy>;

export const ValidatorUsageRequest = closed(
  { study_id: T.String({ format: "uuid", description: "A validation's simulation_id." }) },
  { title: "ValidatorUsageRequest" },
);
export const ValidatorUsageResponse = closed(
  {
    study_id: Id,
    personas_count: Count,
    credits_charged: Count,
    replayed: T.Boolean({ description: "Whether it had already been charged, by its run or by an earlier report." }),
    charged_at: Instant,
  },
  { title: "ValidatorUsageResponse" },
);
export type ValidatorUsageResponse = Static<typeof ValidatorUsageResponse>;
