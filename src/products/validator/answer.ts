import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";

/** What may speak against an offer, and for it. Their words are in `data/texts.*.json`. */
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

/** On the scale of Juster: 0 no chance, 10 certain. The mean of several framings need not be whole. */
const Juster = T.Number({ minimum: 0, maximum: 10 });
const Eur = T.Number({ minimum: 0 });

/** What a persona has answered. Stored with the study. */
export const Answer = closed({
  juster: Juster,
  /** One for each framing of the question; the first is the plain one. */
  framings: T.Array(Juster, { minItems: 1 }),
  reason: enumeration(...reasons),
  /** The strongest first; two at most. */
  objections: T.Array(enumeration(...objections)),
  /** The same in words. */
  words: T.String(),
  /** At each step of the price ladder; absent at size S. */
  ladder: T.Optional(T.Array(Juster)),
  /** Prices in EUR a year that seem too cheap, cheap, expensive, too expensive. */
  prices: T.Optional(T.Tuple([Eur, Eur, Eur, Eur])),
  /** The answer under other prices and channels; size XL. */
  alternatives: T.Optional(T.Record(T.String(), Juster)),
  /** The answer after the strongest objection was pressed; size XL. */
  pressed: T.Optional(Juster),
  /** The spread between repetitions, where a language model was asked. */
  spread: T.Optional(nullable(T.Number())),
});
export type Answer = Static<typeof Answer>;
