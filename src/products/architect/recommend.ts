import { type Candidate, candidatesOf, type Known, matrixOf } from "./blueprint.ts";
import type { Match, Option, Price, Product, Recommendations } from "./schema.ts";
import { say, taxonomy } from "./taxonomy.ts";

/** The options, their prices, and how they compare. */

/** A product chosen for a need. */
export interface Pick {
  readonly need: string;
  readonly product: Product;
}

/** A need without a product, and why. */
export interface Left {
  readonly need: string;
  readonly title: string;
  readonly reason: string;
}

/**
 * Weights of a product for one need, summing to 100. A product that delivers the need outranks one that contributes.
 */
const productWeights = { fit: 55, readiness: 20, price: 15, country: 10 } as const;
/** Weights of a whole option, summing to 100. */
const optionWeights = { coverage: 40, fit: 25, readiness: 20, budget: 15 } as const;

const rounded = (value: number): number => Math.round(value * 100) / 100;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns how well a candidate serves its need, out of 100. `dearest`: the highest price among its competitors. */
function pointsOf({ fit, product, isLocal }: Candidate, dearest: number): number {
  const cheapness = dearest === 0 ? 1 : 1 - product.maximum_credits / dearest;
  return (
    productWeights.fit * (fit === "full" ? 1 : 0.3) +
    productWeights.readiness * (product.runnable ? 1 : 0) +
    productWeights.price * cheapness +
    productWeights.country * (isLocal ? 1 : 0.8)
  );
}

/** Returns the maximum cost of one run of each product at current prices, compared with the budget. */
export function priceOf({ intake, reading }: Known, picks: readonly Pick[]): Price {
  const products = [...new Map(picks.map(({ product }) => [product.slug, product])).values()];
  const maximum_credits = sum(products.map((product) => product.maximum_credits));
  const budget = intake.budget_credits ?? null;
  const within = budget === null ? null : maximum_credits <= budget;
  const values = { credits: maximum_credits, budget: budget ?? 0, shortfall: maximum_credits - (budget ?? 0) };
  const note = within === null ? "budget_none" : within ? "budget_met" : "budget_exceeded";
  return {
    currency: "credits",
    maximum_credits,
    lines: products.map(({ slug: product, name, maximum_credits }) => ({ product, name, maximum_credits })),
    budget_credits: budget,
    within_budget: within,
    note: say(reading.language, note, values),
  };
}

type Order = (a: Candidate, b: Candidate) => number;
type Strategy = (candidates: readonly Candidate[]) => Order;

function byPoints(candidates: readonly Candidate[]): Order {
  const dearest = Math.max(0, ...candidates.map(({ product }) => product.maximum_credits));
  return (a, b) => pointsOf(b, dearest) - pointsOf(a, dearest);
}

/** Ways to choose, each ordering the candidates of one need. Ties are broken by points, then by catalogue order. */
const strategies: Readonly<Record<string, Strategy>> = {
  fit: byPoints,
  cheap: (all) => (a, b) => a.product.maximum_credits - b.product.maximum_credits || byPoints(all)(a, b),
  lean(all) {
    const served = (slug: string) => all.filter(({ product }) => product.slug === slug).length;
    return (a, b) => served(b.product.slug) - served(a.product.slug) || byPoints(all)(a, b);
  },
};

function picksBy(known: Known, candidates: readonly Candidate[], strategy: Strategy): Pick[] {
  const order = strategy(candidates);
  return known.reading.needs.flatMap(({ id }) => {
    const [best] = candidates.filter(({ need }) => need.id === id).toSorted(order);
    return best ? [{ need: id, product: best.product }] : [];
  });
}

/** Returns the picks of a design: the best fits, overridden by the caller's choices, which have been validated. */
export function picksOf(known: Known, matrix: readonly Match[]): Pick[] {
  const best = picksBy(known, candidatesOf(known, matrix), byPoints);
  const chosen = new Map(known.choices.map(({ need, product }) => [need, product]));
  return known.reading.needs.flatMap(({ id }) => {
    const slug = chosen.get(id);
    if (slug === null) return [];
    if (slug === undefined) return best.filter(({ need }) => need === id);
    return known.products.filter((product) => product.slug === slug).map((product) => ({ need: id, product }));
  });
}

/** Returns the unserved needs with the reason: not recognised, nothing on sale, refused, or left out by choice. */
export function leftOf({ reading, choices }: Known, picks: readonly Pick[]): Left[] {
  const served = new Set(picks.map(({ need }) => need));
  return reading.needs
    .filter(({ id }) => !served.has(id))
    .map(({ id, title, known }) => {
      const isSold = Object.keys(taxonomy.needs[id]?.products ?? {}).length > 0;
      const isOut = choices.some(({ need, product }) => need === id && product === null);
      const why = isOut ? "left_out" : isSold ? "refused" : known ? "none" : "not_recognised";
      return { need: id, title, reason: say(reading.language, `unserved_${why}`) };
    });
}

function optionOf(known: Known, candidates: readonly Candidate[], id: string, picks: readonly Pick[]): Option {
  const price = priceOf(known, picks);
  const fits = picks.map(({ need, product }) => {
    const candidate = candidates.find((one) => one.need.id === need && one.product.slug === product.slug);
    return candidate?.fit === "full" ? 1 : 0.3;
  });
  const mean = (values: readonly number[]) => (values.length === 0 ? 0 : sum(values) / values.length);
  const { budget_credits: budget, maximum_credits: cost } = price;
  const values: Readonly<Record<keyof typeof optionWeights, number>> = {
    coverage: picks.length / known.reading.needs.length,
    fit: mean(fits),
    readiness: mean(picks.map(({ product }) => (product.runnable ? 1 : 0))),
    budget: budget === null || cost <= budget ? 1 : budget / cost,
  };
  const parts = Object.entries(optionWeights).map(([name, weight]) => {
    const value = rounded(values[name as keyof typeof optionWeights]);
    return { name, weight, value, points: rounded(weight * value) };
  });
  return {
    id,
    title: say(known.reading.language, `option_${id}`),
    score: rounded(sum(parts.map(({ points }) => points))),
    parts,
    chosen: picks.map(({ need, product }) => ({ need, product: product.slug })),
    price,
    unserved: leftOf(known, picks).map(({ need }) => need),
  };
}

/** Returns the options, best first, with the parts of their scores, and the alternatives for each need. */
export function recommend(known: Known): Recommendations {
  const matrix = matrixOf(known);
  const candidates = candidatesOf(known, matrix);
  // The caller's choices form the design, not an option; options are for comparison with it.
  const free = { ...known, choices: [] };
  const made = Object.entries(strategies).map(([id, strategy]) =>
    optionOf(free, candidates, id, picksBy(free, candidates, strategy)),
  );
  const distinct = [...new Map(made.toReversed().map((option) => [JSON.stringify(option.chosen), option])).values()];
  const options = distinct.toReversed().toSorted((a, b) => b.score - a.score);
  const used = new Set(options[0]?.chosen.map(({ need, product }) => `${need}\n${product}`));
  const cheapest = made.toSorted((a, b) => a.price.maximum_credits - b.price.maximum_credits)[0];
  return {
    solution_id: known.solution_id,
    options,
    alternatives: candidates
      .filter(({ need, product }) => !used.has(`${need.id}\n${product.slug}`))
      .map(({ need, product, fit }) => ({
        need: need.id,
        product: product.slug,
        verdict: fit,
        maximum_credits: product.maximum_credits,
      })),
    budget: {
      credits: known.intake.budget_credits ?? null,
      met: cheapest?.price.within_budget ?? null,
      note: cheapest?.price.note ?? "",
    },
  };
}
