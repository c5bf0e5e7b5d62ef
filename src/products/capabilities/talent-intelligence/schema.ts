import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, notBlank, nullable } from "../../../platform/schema.ts";
import { impersonal } from "./personal-data.ts";

const Language = enumeration("en", "cs", "sk", "de");

/** A role and what is wanted of it, never a person: text with personal contact data is refused. */
export const TalentInput = closed(
  {
    role_title: T.String({ minLength: 2, maxLength: 160, format: impersonal, ...notBlank }),
    analysis_goal: T.String({ minLength: 10, maxLength: 2000, format: impersonal, ...notBlank }),
  },
  {
    examples: [
      {
        role_title: "Insurance adviser",
        analysis_goal: "Advise families in Czechia on cover for home and life, and keep to the rules of advice.",
      },
    ],
  },
);
export type TalentInput = Static<typeof TalentInput>;

/**
 * A role in the terms of the competency model: what a run keeps of title and goal. The only text of the caller in it
 * are the model's phrases that a goal must not have.
 */
export const RoleSummary = closed({
  language: Language,
  role_family: nullable(T.String({ description: "A family of the model." })),
  is_outside: T.Boolean({ description: "Whether the title is of a role that the model leaves out on purpose." }),
  dimensions: T.Array(T.String(), { description: "Those that the goal mentions." }),
  countries: T.Array(T.String(), { description: "Whose law applies." }),
  red_flags: T.Array(closed({ kind: T.String(), excerpt: T.String() })),
});
export type RoleSummary = Static<typeof RoleSummary>;

/** What in an answer deserves the mark. */
const Anchors = closed({ "1": T.String(), "3": T.String(), "5": T.String() });

const Dimension = closed({
  key: T.String(),
  title: T.String(),
  weight: T.Integer({ minimum: 1, maximum: 100, description: "Its share of the role, in percent." }),
  mentioned: T.Boolean({ description: "Whether the goal mentions it." }),
  behaviours: T.Array(T.String()),
  evidence: T.Array(closed({ type: T.String(), title: T.String(), reliability: enumeration("A", "B", "C", "D") })),
  questions: T.Array(closed({ question: T.String(), anchors: Anchors })),
  red_flag: T.String({ description: "A sign that speaks against the dimension." }),
});

const Requirement = closed({
  country: T.String({ description: "ISO 3166-1 alpha-2, or `EU`." }),
  text: T.String(),
  citation: T.String(),
  status: enumeration("read", "unverified"),
});

const RedFlag = closed({
  kind: T.String(),
  excerpt: T.String({ description: "The goal's own words." }),
  warning: T.String(),
  lawful_wording: T.String(),
});

/** A role profile, and how people may judge applicants by it. In the language of the goal. */
export const TalentOutput = closed({
  language: Language,
  role_family: nullable(closed({ key: T.String(), title: T.String() })),
  question: nullable(T.String({ description: "What to describe further, if the title fits no family." })),
  role_goal_clarity: T.Integer({
    minimum: 0,
    maximum: 100,
    description: "How much title and goal say about the role.",
  }),
  evidence_coverage: T.Integer({
    minimum: 0,
    maximum: 100,
    description: "The weight of the dimensions that the goal mentions, in percent.",
  }),
  dimensions: T.Array(Dimension),
  work_sample: nullable(T.String()),
  legal_requirements: T.Array(Requirement),
  red_flags: T.Array(RedFlag),
  summary: T.String(),
  limitations: T.Array(T.String()),
});
export type TalentOutput = Static<typeof TalentOutput>;
