import type { ValidationTable } from "../../../db/schema/validator-tables.ts";
import { sha256Hex } from "../../platform/ids.ts";
import { canonical } from "../../platform/json.ts";
import type { Interruptible } from "../slices.ts";
import { type Drawn, drawPersonas } from "./draw.ts";
import { describedTargets, type Hypothesis, readHypothesis, type TargetMark } from "./hypothesis.ts";
import type { Matter } from "./interview.ts";
import { type Market, marketNamed } from "./markets.ts";
import type { Persona } from "./persona.ts";
import { textsIn, wordsFor } from "./texts.ts";
import { factsOf, usualPrice } from "./utility.ts";

/** What a study is about, whichever engine carries it out. */
export type Asking = Pick<
  ValidationTable,
  "hypothesis" | "market" | "audience_text" | "decision_size" | "size" | "seed" | "language"
>;

/** A study as it is carried out: everything follows from its row. */
export interface Study {
  readonly read: Hypothesis;
  readonly market: Market;
  readonly targets: readonly TargetMark[];
  readonly matter: Matter;
}

/** The same question on the same people has the same seed, and so the same answer. */
export const seedOf = (asked: Omit<Asking, "seed" | "language">): string => {
  const { hypothesis, market, audience_text, decision_size, size } = asked;
  return sha256Hex(canonical({ hypothesis, market, audience_text, decision_size, size })).slice(0, 16);
};

/** Reads a study from its row. A market that is no longer known is a mistake of ours. */
export function studyOf({ hypothesis, market: code, audience_text, decision_size, seed }: Asking): Study {
  const market = marketNamed(code);
  if (!market) throw new Error(`there are no figures for the market ${code}`);
  const read = readHypothesis(hypothesis);
  const facts = factsOf(read, market);
  const described = audience_text === null ? [] : describedTargets(audience_text);
  return {
    read,
    market,
    targets: [...new Set([...described, ...read.targets])],
    matter: {
      facts,
      size: decision_size,
      seed,
      anchor: facts.price === null || facts.price === 0 ? usualPrice(market) : facts.price,
      texts: textsIn[read.language],
    },
  };
}

/** Draws the people of a study. */
export const drawnFor = ({ market, targets }: Study, { size, seed }: Asking): Interruptible<Drawn> =>
  drawPersonas(market, size, seed, targets);

/** The personas of a study, with their words. */
export const personasOfDrawn = ({ read }: Study, { people }: Drawn): Persona[] =>
  people.map((person) => ({ ...person, ...wordsFor(person, read.language) }));
