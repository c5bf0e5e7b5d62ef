import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { definePattern } from "../../platform/validate.ts";
import { Surface } from "../../registry/contract.ts";

/** Request and response schemas of the solution architect. */

const mailAddress = definePattern("^[^@\\s]+@[^@\\s]+$", "must be an e-mail address");

const line = (maxLength = 200, description?: string) =>
  T.String({ maxLength, ...(description !== undefined && { description }) });
const lines = (description: string) => T.Array(line(500), { maxItems: 20, description });
const strings = () => T.Array(T.String());
const credits = () => T.Integer({ minimum: 0 });

const described = {
  company: line(200, "The company that the solution is for."),
  country: line(60, "Its name or two-letter code, such as CZ; returned and stored as the code."),
  industry: line(200, "The company's industry."),
  goals: T.Array(line(1000), {
    minItems: 1,
    maxItems: 10,
    description: "The intended outcomes, one sentence each.",
  }),
  constraints: lines("What the solution must never, or must always, do."),
  channels: lines("Where people will use it."),
  data_sources: lines("The data that it works from."),
  budget_credits: T.Optional(
    T.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: "The budget for one run of each product, in whole credits.",
    }),
  ),
};
export const Intake = closed(
  {
    ...described,
    consent: T.Boolean({ description: "Whether it may be resumed by a link. Without it there is no resume_token." }),
  },
  { title: "IntakeRequest" },
);
/** An intake as shown to the holder of a token. */
export const KeptIntake = closed(described);
export type Intake = Static<typeof Intake>;

/** Replaces the best-fitting product for a need; `null` leaves the need out. */
export const Choice = closed({ need: line(80), product: nullable(line(120)) });
export type Choice = Static<typeof Choice>;

const solution_id = T.String({ format: "uuid" });
export const SolutionRequest = closed({ solution_id }, { title: "SolutionRequest" });
export const DesignRequest = closed(
  { solution_id, choices: T.Array(Choice, { maxItems: 50 }) },
  { title: "DesignRequest" },
);
export const ExpandRequest = closed({ solution_id, section: line(80) }, { title: "ExpandRequest" });
export const UnlockRequest = closed(
  {
    solution_id,
    email: T.String({
      minLength: 3,
      maxLength: 254,
      pattern: mailAddress,
      description: "E-mail address of the person who consents.",
    }),
    consent: T.Boolean(),
  },
  { title: "UnlockRequest" },
);
export const TokenPath = T.Object({ token: T.String({ minLength: 1, maxLength: 4096 }) });
export const TemplateName = enumeration("messaging-channel", "web-comparator");
export type TemplateName = Static<typeof TemplateName>;

export const Need = closed({
  id: T.String(),
  title: T.String(),
  goals: T.Array(T.String(), { description: "The goals that express it." }),
  words: T.Array(T.String(), { description: "The words of the goals that were recognised, folded." }),
  known: T.Boolean({ description: "False for a goal that was not recognised." }),
});
export type Need = Static<typeof Need>;

export const Missing = closed({ field: T.String(), question: T.String() });
export const Constraint = closed({ text: T.String(), kind: nullable(T.String()) });
export const Contradiction = closed({ between: T.Array(T.String()), message: T.String() });

export const IntakeResult = closed(
  {
    solution_id,
    resume_token: nullable(T.String()),
    language: enumeration("en", "cs", "sk", "de"),
    completeness: T.Number({ minimum: 0, maximum: 1 }),
    missing: T.Array(Missing),
    needs: T.Array(Need),
    constraints: T.Array(Constraint),
    contradictions: T.Array(Contradiction),
  },
  { title: "Intake" },
);
export type IntakeResult = Static<typeof IntakeResult>;

/** A product on sale, from the registry. */
export const Product = closed({
  slug: T.String(),
  kind: enumeration("capability", "use_case"),
  name: T.String(),
  outcome: T.String(),
  description: T.String(),
  countries: strings(),
  surfaces: T.Array(Surface),
  inputs: T.Array(closed({ name: T.String(), required: T.Boolean(), description: nullable(T.String()) })),
  permissions: T.Array(T.String(), { description: "Scopes that the credential of a run carries." }),
  entitlements: strings(),
  approvals: T.Array(closed({ step: T.String(), title: T.String() })),
  capabilities: T.Array(T.String(), { description: "The capabilities that carry it out." }),
  maximum_credits: credits(),
  limitations: strings(),
  evidence_freshness: T.String(),
  runnable: T.Boolean(),
  blocker: nullable(closed({ code: T.String(), message: T.String() })),
  documentation_url: T.String(),
});
export type Product = Static<typeof Product>;
export const Inventory = closed({ products: T.Array(Product), currency: T.Literal("credits") }, { title: "Inventory" });

export const Match = closed({
  need: T.String(),
  product: T.String(),
  verdict: enumeration("match", "partial", "refused"),
  reasons: T.Array(closed({ code: T.String(), text: T.String() })),
});
export type Match = Static<typeof Match>;
export const Unserved = closed({ need: T.String(), title: T.String(), reason: T.String() });
export const Blueprint = closed(
  {
    solution_id,
    needs: T.Array(Need),
    products: T.Array(closed({ slug: T.String(), name: T.String(), maximum_credits: credits() })),
    matrix: T.Array(Match),
    unserved: T.Array(Unserved),
    contradictions: T.Array(Contradiction),
  },
  { title: "Blueprint" },
);
export type Blueprint = Static<typeof Blueprint>;

export const Price = closed({
  currency: T.Literal("credits"),
  maximum_credits: credits(),
  lines: T.Array(closed({ product: T.String(), name: T.String(), maximum_credits: credits() })),
  budget_credits: nullable(T.Integer()),
  within_budget: nullable(T.Boolean()),
  note: T.String(),
});
export type Price = Static<typeof Price>;

export const GraphNode = closed({
  id: T.String(),
  kind: enumeration("channel", "source", "product", "step", "approval", "result"),
  title: T.String(),
  product: nullable(T.String()),
  permissions: strings(),
  maximum_credits: nullable(credits()),
});
export const GraphEdge = closed({ from: T.String(), to: T.String(), data: T.String() });
export const Design = closed(
  {
    solution_id,
    nodes: T.Array(GraphNode),
    edges: T.Array(GraphEdge),
    chosen: T.Array(closed({ need: T.String(), product: T.String() })),
    permissions: strings(),
    approvals: T.Array(closed({ product: T.String(), step: T.String(), title: T.String() })),
    price: Price,
    unserved: T.Array(Unserved),
    contradictions: T.Array(Contradiction),
  },
  { title: "Design" },
);
export type Design = Static<typeof Design>;

export const Score = closed({
  name: T.String(),
  weight: T.Number(),
  value: T.Number({ minimum: 0, maximum: 1 }),
  points: T.Number(),
});
export const Option = closed({
  id: T.String(),
  title: T.String(),
  score: T.Number({ minimum: 0, maximum: 100 }),
  parts: T.Array(Score),
  chosen: T.Array(closed({ need: T.String(), product: T.String() })),
  price: Price,
  unserved: T.Array(T.String()),
});
export type Option = Static<typeof Option>;
export const Recommendations = closed(
  {
    solution_id,
    options: T.Array(Option),
    alternatives: T.Array(
      closed({ need: T.String(), product: T.String(), verdict: T.String(), maximum_credits: credits() }),
    ),
    budget: closed({ credits: nullable(T.Integer()), met: nullable(T.Boolean()), note: T.String() }),
  },
  { title: "Recommendations" },
);
export type Recommendations = Static<typeof Recommendations>;

export const Section = closed({ id: T.String(), title: T.String(), markdown: T.String() });
export type Section = Static<typeof Section>;
export const Composition = closed(
  {
    solution_id,
    language: T.String(),
    title: T.String(),
    sections: T.Array(Section),
    markdown: T.String(),
    checks: T.Array(closed({ name: T.String(), passed: T.Boolean() })),
    price: Price,
    engine: T.Optional(
      closed(
        { name: T.String(), version: T.String(), model: nullable(T.String()) },
        {
          description:
            "What wrote it: `model` is the language model that introduces the sections, or null. Absent in documents saved before 0.4.",
        },
      ),
    ),
    limitations: T.Optional(
      T.Array(T.String(), { description: "Limitations of how it was written, in its language." }),
    ),
    sha256: T.String({
      description: "Hash of everything above: the same needs, products and prices give the same hash.",
    }),
  },
  { title: "Composition" },
);
export type Composition = Static<typeof Composition>;
export const Expanded = closed({ solution_id, section: Section, details: T.String() }, { title: "ExpandedSection" });

export const Unlocked = closed(
  { solution_id, token: T.String(), expires_at: T.String({ format: "date-time" }), saved_sha256: T.String() },
  { title: "UnlockedSolution" },
);
export const Resumed = closed(
  {
    solution_id,
    state: enumeration("described", "designed", "saved"),
    intake: KeptIntake,
    choices: T.Array(Choice),
    saved: nullable(Composition),
    expires_at: T.String({ format: "date-time" }),
  },
  { title: "ResumedSolution" },
);
