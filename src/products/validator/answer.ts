import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";

/** Possible objections to an offer; `reasons` are those in its favour. Their texts are in `data/texts.*.json`. */
export const objections = [
  "price",
  "price_unknown",
  "need",
  "trust",
  "channel",
  "covered",
  "effort",
  "novelty",
  "unclear",
] as const;
export type Objection = (typeof objections)[number];
export const reasons = ["need", "price", "proof", "channel", "curiosity", "caution", "none"] as const;

/** A point on the Juster scale: 0 is no chance, 10 is certain. The mean of several framings may be fractional. */
const Juster = T.Number({ minimum: 0, maximum: 10 });
const Eur = T.Number({ minimum: 0 });

/** One persona's answer. Stored with the study. */
export const Answer = closed({
  juster: Juster,
  /** One answer per framing of the question, the plain one first. */
  framings: T.Array(Juster, { minItems: 1 }),
  reason: enumeration(...reasons),
  /** At most two, strongest first. */
  objections: T.Array(enumeration(...objections)),
  /** The answer in words. */
  words: T.String(),
  /** Answers at each step of the price ladder; absent at size S. */
  ladder: T.Optional(T.Array(Juster)),
  /** Prices in EUR a year that seem too cheap, cheap, expensive and too expensive. */
  prices: T.Optional(T.Tuple([Eur, Eur, Eur, Eur])),
  /** Answers under other prices and channels; size XL only. */
  alternatives: T.Optional(T.Record(T.String(), Juster)),
  /** The answer after the strongest objection was pressed; size XL only. */
  pressed: T.Optional(Juster),
  /** The spread between repetitions, if a language model was asked. */
  spread: T.Optional(nullable(T.Number())),
});
export type Answer = Static<typeof Answer>;
