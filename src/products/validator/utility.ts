import coefficients from "./data/coefficients.json";
import type { Hypothesis } from "./hypothesis.ts";
import type { Market } from "./markets.ts";
import type { Profile } from "./persona.ts";
import { timesAYear } from "./price-reading.ts";
import type { Channel } from "./vocabulary.ts";

/** The coefficients of the utility, which the sensitivity analysis varies. */
export type Weights = Readonly<Record<keyof typeof coefficients.utility, number>>;
export const weights: Weights = coefficients.utility;

/** A hypothesis in figures: what a choice depends on besides the person. */
export interface Facts {
  /** Urgency of the problem, from 0 to 1. */
  readonly need: number;
  /** 1 if the offer is stated, 0 otherwise. */
  readonly clear: number;
  readonly proof: number;
  /** Number of words of trust and of effort, at most three each. */
  readonly trust: number;
  readonly effort: number;
  /** EUR a year; `null` if not stated, in which case a usual burden is assumed. */
  readonly price: number | null;
  readonly channel: Channel | null;
}

const most = 3;
const clamp = (value: number, low = 0, high = 1): number => Math.min(high, Math.max(low, value));

/** Returns a stated price in EUR a year; `null` if there is none or its currency has no rate. */
export function yearlyPrice({ price }: Pick<Hypothesis, "price">): number | null {
  if (!price) return null;
  const rates: Readonly<Record<string, number>> = coefficients.euro_rates;
  // Only cents and free offers have no currency; the cents are euro cents.
  const rate = rates[price.currency ?? "EUR"];
  return rate === undefined ? null : price.amount * timesAYear[price.period ?? "once"] * rate;
}

/** Returns the figures of a parsed hypothesis. */
export function factsOf(read: Hypothesis): Facts {
  const { unstated, stated, severe_word, severe_at_most } = coefficients.need;
  const severe = Math.min(read.severe, severe_at_most) * severe_word;
  return {
    need: clamp(read.problem === null ? unstated : stated + severe),
    clear: read.offer === null ? 0 : 1,
    proof: read.proof === null ? 0 : 1,
    trust: Math.min(read.trust, most),
    effort: Math.min(read.effort, most),
    price: yearlyPrice(read),
    channel: read.channel,
  };
}

/** Returns the price assumed if none is stated, in EUR a year. */
export const usualPrice = (market: Market): number =>
  Math.round(market.median_income_eur.value * coefficients.unpriced_share_of_income);

/** Returns how well a channel suits a person: 1, 0 or -1. */
export function channelFit({ age, uses_internet, buys_online }: Profile, channel: Channel | null): number {
  if (channel === "app") return buys_online && age < 65 ? 1 : uses_internet ? 0 : -1;
  if (channel === "online") return buys_online ? 1 : uses_internet ? 0 : -1;
  if (channel === "adviser") return age >= 35 ? 1 : 0;
  if (channel === "bank" || channel === "shop") return age >= 50 || !buys_online ? 1 : 0;
  if (channel === "employer") return age < 65 ? 1 : -1;
  if (channel === "phone") return age >= 50 ? 0 : -1;
  return 0;
}

/** The components of a person's utility, on the logit scale. */
export interface PartWorths {
  readonly base: number;
  readonly need: number;
  readonly clear: number;
  readonly proof: number;
  readonly trust: number;
  readonly effort: number;
  readonly price: number;
  readonly channel: number;
  readonly covered: number;
  readonly caution: number;
  readonly confidence: number;
  readonly curiosity: number;
  readonly taste: number;
}

/**
 * Returns a person's part-worths. More need or a lower price never reduces their sum: need has a positive factor and
 * price a negative one, whatever the person's attitudes.
 */
export function partWorths(person: Profile, facts: Facts, w: Weights = weights): PartWorths {
  const { thrift, caution, trust, curiosity, taste } = person.attitudes;
  const income = Math.max(1, person.income_eur);
  const share = facts.price === null ? coefficients.unpriced_share_of_income : facts.price / income;
  const fit = channelFit(person, facts.channel);
  return {
    base: w.base,
    need: w.need * clamp(facts.need + coefficients.need.caution * caution),
    clear: w.offer_clear * facts.clear,
    proof: w.proof * facts.proof,
    trust: w.trust_word * facts.trust,
    effort: w.effort_word * facts.effort,
    price: w.price * Math.exp(w.thrift * thrift) * Math.log1p(share / coefficients.price_unit_share),
    channel: fit > 0 ? w.channel_fit : fit < 0 ? w.channel_misfit : 0,
    covered: person.insured ? w.covered : 0,
    caution: w.caution * caution,
    confidence: w.trust * trust,
    curiosity: w.curiosity * curiosity,
    taste: w.taste * taste,
  };
}

/** Returns the sum of the part-worths. */
export const utilityOf = (p: PartWorths): number =>
  p.base +
  p.need +
  p.clear +
  p.proof +
  p.trust +
  p.effort +
  p.price +
  p.channel +
  p.covered +
  p.caution +
  p.confidence +
  p.curiosity +
  p.taste;

/** Returns the probability of a utility (McFadden's logit). */
export const logistic = (utility: number): number => 1 / (1 + Math.exp(-utility));
