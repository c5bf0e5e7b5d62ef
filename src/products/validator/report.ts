import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { objections } from "./answer.ts";
import { decisionSizes } from "./sizes.ts";
import { channels, parts, statuses } from "./vocabulary.ts";

/** A share from 0 to 1. */
const Share = T.Number({ minimum: 0, maximum: 1 });
const Count = T.Integer({ minimum: 0 });
const Eur = T.Number({ minimum: 0 });

export const Verdict = enumeration("GO", "NO-GO", "CONDITIONAL");
export const DecisionSizeSchema = enumeration(...decisionSizes);

const Interval = closed({ low: Share, high: Share, level: Share });

/** An input of a study and its source. */
const Input = closed({
  name: T.String(),
  vintage: T.String(),
  status: enumeration(...statuses, "design"),
  source: T.String(),
});

/** Accompanies every verdict. */
export const ReliabilityCard = closed({
  engine: closed({ name: T.String(), version: T.String(), model: nullable(T.String()) }),
  coefficients: T.String({ description: "Version of the choice model's coefficients." }),
  seed: T.String(),
  inputs: T.Array(Input),
  interval: Interval,
  note: T.String(),
});

export const Report = closed(
  {
    intent: T.Number({ minimum: 0, maximum: 1, description: "Calibrated share that would buy." }),
    raw_intent: Share,
    interval: Interval,
    threshold: Share,
    personas: Count,
    distribution: T.Array(Count, { minItems: 11, maxItems: 11, description: "Answers by the 11 points of the scale." }),
    condition: nullable(closed({ change: T.String(), text: T.String(), intent: nullable(Share) })),
    segments: T.Array(closed({ name: T.String(), label: T.String(), personas: Count, intent: Share })),
    objections: T.Array(closed({ name: enumeration(...objections), label: T.String(), share: Share }), {
      description:
        "By the share of all personas that raise it first or second, whether or not they would buy. A condition names the objection most often raised first by those unlikely to buy.",
    }),
    price: nullable(
      closed({
        stated: nullable(Eur),
        ladder: T.Array(closed({ price: Eur, intent: Share })),
        best: nullable(Eur),
        van_westendorp: nullable(
          closed({
            marginal_cheapness: Eur,
            marginal_expensiveness: Eur,
            optimal: Eur,
            indifference: Eur,
          }),
        ),
      }),
    ),
    sensitivity: nullable(closed({ low: Share, high: Share, same_verdict: Share })),
    alternatives: T.Array(
      closed({
        name: T.String(),
        label: T.Optional(T.String({ description: "The name in words; absent in studies before release 0.4." })),
        intent: Share,
      }),
    ),
    red_team: nullable(closed({ intent: Share })),
    hypothesis: closed({
      language: T.String(),
      who: nullable(T.String()),
      problem: nullable(T.String()),
      offer: nullable(T.String()),
      price: nullable(
        closed({
          amount: T.Number(),
          currency: nullable(T.String()),
          period: nullable(enumeration("day", "week", "month", "year", "once")),
        }),
      ),
      channel: nullable(enumeration(...channels)),
      proof: nullable(T.String()),
      missing: T.Array(enumeration(...parts)),
      unsure: T.Optional(
        T.Array(enumeration(...parts), {
          description:
            "Parts inferred only from their position in the text, and a price per item whose quantity is not stated.",
        }),
      ),
    }),
    market: closed({
      code: T.String(),
      share: T.Number({ minimum: 0, maximum: 1, description: "Share of its adults that the personas represent." }),
      described: T.Array(T.String(), { description: "What was understood about the target group." }),
      left_out: T.Array(T.String(), {
        description: "Traits that were left out, because hardly anyone has them in combination with the rest.",
      }),
    }),
    notes: T.Optional(
      T.Array(T.String(), {
        description:
          "How the personas differ from the target group, and how the price was understood; absent in studies before release 0.4.",
      }),
    ),
    card: ReliabilityCard,
  },
  { title: "ValidationReport" },
);
export type Report = Static<typeof Report>;
export type Verdict = Static<typeof Verdict>;
