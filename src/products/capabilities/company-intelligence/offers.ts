import { type PackedWeights, unpackWeights } from "../../../knowledge/learning/hashed.ts";
import { type LinearModel, logitOf, sigmoid, sparseLogitOf } from "../../../knowledge/learning/linear.ts";
import type { Mention } from "./mentions.ts";
import { type Candidate, featuresOf, type Summary } from "./offer-features.ts";
import { headsOffer } from "./words.ts";

/**
 * The probability that a text names an offer of the company: first from the text and its places alone, then compared
 * with the others of its list and page. Both are logistic regressions, trained on labelled home pages.
 */

/** The learned weights as shipped. */
export interface PackedOffers {
  readonly alone: PackedWeights & { readonly bias: number };
  readonly beside: LinearModel;
}

export interface OfferModel {
  readonly alone: LinearModel;
  readonly beside: LinearModel;
}

/** Unpacks the model from its shipped form. */
export const unpackOffers = ({ alone, beside }: PackedOffers): OfferModel => ({
  alone: { bias: alone.bias, weights: unpackWeights(alone) },
  beside,
});

const logit = (probability: number): number => {
  const bounded = Math.min(Math.max(probability, 1e-4), 1 - 1e-4);
  return Math.log(bounded / (1 - bounded));
};

/** Rank of the candidate whose probability shows whether a page has many offers. */
const many = 10;

interface ListSum {
  readonly count: number;
  readonly sum: number;
  /** The highest probability and the next. */
  readonly first: number;
  readonly second: number;
}

function sumsOf(candidates: readonly Candidate[], alone: readonly number[]): Map<string, ListSum> {
  const sums = new Map<string, ListSum>();
  for (const [at, { mentions }] of candidates.entries()) {
    const one = alone[at] ?? 0;
    for (const list of new Set(mentions.map((mention) => mention.list))) {
      const { count, sum, first, second } = sums.get(list) ?? { count: 0, sum: 0, first: 0, second: 0 };
      const next = one > first ? { first: one, second: first } : { first, second: Math.max(second, one) };
      sums.set(list, { count: count + 1, sum: sum + one, ...next });
    }
  }
  return sums;
}

/** Returns the list of a candidate whose other members are most probable: their mean, number and maximum. */
function bestMates({ mentions }: Candidate, own: number, sums: ReadonlyMap<string, ListSum>) {
  let best: { mean: number; count: number; most: number } | undefined;
  for (const list of new Set(mentions.map((mention) => mention.list))) {
    const { count = 0, sum = 0, first = 0, second = 0 } = sums.get(list) ?? {};
    if (count < 2) continue;
    const mean = (sum - own) / (count - 1);
    if (!best || mean > best.mean) best = { mean, count: count - 1, most: own === first ? second : first };
  }
  return best;
}

/** Places that show on their own that something is offered there. */
const telling: readonly ((mention: Mention) => boolean)[] = [
  ({ kind, under, within }) => /link|menu|card/.test(kind) && (headsOffer(within) || headsOffer(under)),
  ({ kind, under }) => /^h\d$/.test(kind) && headsOffer(under),
  ({ kind, under }) => /^(item|line)$/.test(kind) && headsOffer(under),
];

/** Returns each candidate's features relative to the others, from all probabilities alone. Also used in training. */
export function besideFeatures(candidates: readonly Candidate[], alone: readonly number[]): number[][] {
  const sums = sumsOf(candidates, alone);
  const order = candidates.map((_, at) => at).sort((a, b) => (alone[b] ?? 0) - (alone[a] ?? 0));
  const mean = alone.reduce((sum, one) => sum + one, 0) / Math.max(1, alone.length);
  const most = alone[order[0] ?? 0] ?? 0;
  const last = alone[order[Math.min(many, order.length) - 1] ?? 0] ?? 0;
  const seen = new Set<string>();
  const features: number[][] = [];
  for (const [rank, at] of order.entries()) {
    const candidate = candidates[at];
    if (!candidate) continue;
    const own = alone[at] ?? 0;
    const mates = bestMates(candidate, own, sums);
    const repeated = candidate.words.filter((word) => seen.has(word)).length / candidate.words.length;
    for (const word of candidate.words) seen.add(word);
    const number = Math.log1p(mates?.count ?? 0);
    features[at] = [
      logit(own),
      mean * 4,
      most,
      last,
      (mates?.mean ?? 0) * 2,
      number / 2,
      mates?.most ?? 0,
      (mates?.mean ?? 0) * number,
      mates ? 1 : 0,
      Math.min(rank, 60) / 20,
      repeated,
      ...telling.map((tells) => (candidate.mentions.some(tells) ? 1 : 0)),
    ];
  }
  return features;
}

/** Minimum probability of an offer stated in structured data: seven in ten are, whatever their words. */
const stated = 0.7;

/** Returns the probabilities of a site's candidates, in their order. */
export function offerProbabilities(model: OfferModel, candidates: readonly Candidate[], summary: Summary): number[] {
  const alone = candidates.map((candidate) => sigmoid(sparseLogitOf(model.alone, featuresOf(candidate, summary))));
  return judgedBeside(model, candidates, alone);
}

/** Returns the same from the probabilities of each alone. Also used in training. */
export const judgedBeside = (model: OfferModel, candidates: readonly Candidate[], alone: readonly number[]): number[] =>
  besideFeatures(candidates, alone).map((features, at) => {
    const isStated = candidates[at]?.mentions.some(({ kind }) => kind === "structured");
    return Math.max(sigmoid(logitOf(model.beside, features)), isStated ? stated : 0);
  });
