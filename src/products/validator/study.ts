import type { ValidationTable } from "../../../db/schema/validator-tables.ts";
import { sha256Hex } from "../../platform/ids.ts";
import { canonical } from "../../platform/json.ts";
import type { Interruptible } from "../slices.ts";
import { type Described, describedIn, describedPeople } from "./described.ts";
import { type Drawn, drawPersonas } from "./draw.ts";
import { type Hypothesis, languageOf, readHypothesis } from "./hypothesis.ts";
import type { Matter } from "./interview.ts";
import { anyMarket, type Market, marketNamed } from "./markets.ts";
import type { Persona } from "./persona.ts";
import { textsIn, wordsFor } from "./texts.ts";
import type { Status, Trait } from "./traits.ts";
import { factsOf, usualPrice } from "./utility.ts";

/** The columns that define a study, whichever engine carries it out. */
export type Asking = Pick<
  ValidationTable,
  "hypothesis" | "market" | "audience_text" | "audience_market" | "decision_size" | "size" | "seed" | "language"
>;

/** A study as carried out. Everything derives from its row. */
export interface Study {
  readonly read: Hypothesis;
  readonly market: Market;
  /** Traits of the target group: first those of the audience's description, then those of the hypothesis. */
  readonly targets: readonly Trait[];
  /** The audience's market, if people of another market are asked. */
  readonly other_market: string | null;
  /** Phrases of the audience's description that no persona was chosen by. */
  readonly not_used: readonly string[];
  /** The same for the hypothesis's words for its target group, and whether that group is firms. */
  readonly undescribed: Pick<Described, "not_used" | "areFirms">;
  readonly matter: Matter;
}

/**
 * Returns the seed of a study. The same question to the same people has the same seed, and therefore the same answer.
 */
export const seedOf = (asked: Omit<Asking, "seed" | "language" | "audience_market">): string => {
  const { hypothesis, market, audience_text, decision_size, size } = asked;
  return sha256Hex(canonical({ hypothesis, market, audience_text, decision_size, size })).slice(0, 16);
};

/** Returns what the description of an audience says about its people. */
export const audienceIn = (text: string, market: Market): Described => describedPeople(text, market, languageOf(text));

/**
 * Returns the audience's market if it is another one. An audience for the EU, also the default, includes every country.
 */
const otherMarketOf = (audience_market: string | null, { code }: Market): string | null =>
  audience_market === code || audience_market === anyMarket ? null : audience_market;

const nobody: Study["undescribed"] = { not_used: [], areFirms: false };

/** Builds a study from its row. Throws if the market is unknown, which is an internal error. */
export function studyOf({
  hypothesis,
  market: code,
  audience_text,
  audience_market,
  decision_size,
  seed,
}: Asking): Study {
  const market = marketNamed(code);
  if (!market) throw new Error(`there are no figures for the market ${code}`);
  const read = readHypothesis(hypothesis);
  const facts = factsOf(read);
  const described = audience_text === null ? null : audienceIn(audience_text, market);
  const targets = [...(described?.traits ?? []), ...read.targets];
  return {
    read,
    market,
    targets: [...new Map(targets.map((trait) => [trait.name, trait])).values()],
    other_market: otherMarketOf(audience_market, market),
    not_used: described?.not_used ?? [],
    undescribed: read.who === null ? nobody : describedIn(read.who, read.language, market),
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

/** Returns a study with its people. Yields in between, since reading long texts takes a while. */
export function* studyWithPeople(row: Asking): Interruptible<{ readonly study: Study; readonly drawn: Drawn }> {
  const study = studyOf(row);
  yield;
  return { study, drawn: yield* drawnFor(study, row) };
}

/** Returns the statuses that the drawn people may have as their roles. */
export const statusesOf = (traits: readonly Trait[], left_out: readonly Trait[]): Status[] =>
  traits.flatMap((trait) => (left_out.includes(trait) ? [] : trait.statuses));

/** Returns the personas of a study, with their texts. */
export function personasOfDrawn({ read, targets }: Study, { people, left_out }: Drawn): Persona[] {
  const statuses = statusesOf(targets, left_out);
  return people.map((person) => ({ ...person, ...wordsFor(person, read.language, statuses) }));
}
