import { seededRandom } from "../../platform/random.ts";
import type { Interruptible } from "../slices.ts";
import type { Answer, Objection } from "./answer.ts";
import coefficients from "./data/coefficients.json";
import { answerTo, errorOf, type Matter } from "./interview.ts";
import type { Persona } from "./persona.ts";
import { type Facts, type Weights, weights } from "./utility.ts";
import { type Channel, channels } from "./vocabulary.ts";

/** A persona with its answer. */
export interface Asked {
  readonly persona: Persona;
  readonly answer: Answer;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the calibrated share that buys: people state more than they do (Murphy et al. 2005). */
export const calibrated = (answers: readonly number[]): number => (mean(answers) / 10) * coefficients.hypothetical_bias;

export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
}

/**
 * Returns the bootstrap interval of the calibrated intent: percentiles of resampled means, widened by the square root
 * of n / (n - 1) to correct for small samples. It covers only the sampling of personas.
 */
export function* bootstrapInterval(answers: readonly number[], seed: string): Interruptible<Interval> {
  const { draws, level } = coefficients.bootstrap;
  const random = seededRandom(`${seed}:bootstrap`);
  const centre = mean(answers);
  const widen = Math.sqrt(answers.length / Math.max(1, answers.length - 1));
  const means: number[] = [];
  while (means.length < draws) {
    let sum = 0;
    for (let i = 0; i < answers.length; i++) sum += answers[Math.floor(random() * answers.length)] ?? 0;
    means.push(centre + (sum / answers.length - centre) * widen);
    if (means.length % 100 === 0) yield;
  }
  means.sort((a, b) => a - b);
  const at = (share: number) => {
    const value = means[Math.min(draws - 1, Math.round(share * (draws - 1)))] ?? centre;
    return Math.min(1, Math.max(0, (value / 10) * coefficients.hypothetical_bias));
  };
  return { low: at((1 - level) / 2), high: at((1 + level) / 2), level };
}

/** Minimum number of personas for a statement about a group. */
const smallestCell = 5;

const groups: Readonly<Record<string, (persona: Persona) => boolean>> = {
  age_young: ({ age }) => age < 35,
  age_middle: ({ age }) => age >= 35 && age < 55,
  age_old: ({ age }) => age >= 55,
  family: ({ household }) => household === "family" || household === "single_parent",
  no_family: ({ household }) => household !== "family" && household !== "single_parent",
  urban: ({ urban }) => urban,
  rural: ({ urban }) => !urban,
  income_low: ({ income_decile }) => income_decile <= 3,
  income_middle: ({ income_decile }) => income_decile > 3 && income_decile <= 7,
  income_high: ({ income_decile }) => income_decile > 7,
  online: ({ buys_online }) => buys_online,
  offline: ({ buys_online }) => !buys_online,
};

export interface Segment {
  readonly name: string;
  readonly personas: number;
  readonly intent: number;
}

/** Returns the groups of at least `smallestCell` personas, highest intent first. */
export const segmentsOf = (asked: readonly Asked[]): Segment[] =>
  Object.entries(groups)
    .map(([name, belongs]) => {
      const answers = asked.filter(({ persona }) => belongs(persona)).map(({ answer }) => answer.juster);
      return { name, personas: answers.length, intent: calibrated(answers) };
    })
    .filter(({ personas }) => personas >= smallestCell)
    .sort((a, b) => b.intent - a.intent);

/** Returns the objections by the share of personas that raise them. */
export function objectionShares(asked: readonly Asked[]): { name: Objection; share: number }[] {
  const counted = new Map<Objection, number>();
  for (const { answer } of asked) for (const name of answer.objections) counted.set(name, (counted.get(name) ?? 0) + 1);
  return [...counted]
    .map(([name, count]) => ({ name, share: count / asked.length }))
    .sort((a, b) => b.share - a.share || a.name.localeCompare(b.name));
}

const refuses = 3;

/**
 * Returns the most common first objection of those who would hardly buy, with its share of all personas; `null` if
 * there is none.
 */
export function criticalObjection(asked: readonly Asked[]): { name: Objection; share: number } | null {
  const unwilling = asked.filter(({ answer }) => answer.juster <= refuses && answer.objections.length > 0);
  const first = unwilling.map(({ answer }) => ({ ...answer, objections: answer.objections.slice(0, 1) }));
  const [worst] = objectionShares(first.map((answer, i) => ({ persona: unwilling[i]?.persona, answer })) as Asked[]);
  return worst ? { name: worst.name, share: (worst.share * first.length) / asked.length } : null;
}

/** One change to the offer, and the calibrated intent that the choice model predicts for it. */
export interface Change {
  readonly change: "price" | "proof" | "problem" | "channel" | "segment";
  readonly intent: number;
  readonly detail: string | null;
}

/** A persona with its response error and the choice model's answer to the study's own offer. */
interface Modelled extends Asked {
  readonly error: number;
  readonly modelled: number;
}

const modelledOf = (asked: readonly Asked[], { size, seed, facts }: Matter): Modelled[] =>
  asked.map((one) => {
    const error = errorOf(seed, one.persona.number);
    return { ...one, error, modelled: answerTo(one.persona, facts, size, error) };
  });

/** Returns the predicted intent of the same people for another offer, relative to their actual answers. */
const shifted = (asked: readonly Modelled[], { size }: Matter, changed: Facts): number =>
  calibrated(
    asked.map(({ persona, answer, error, modelled }) => {
      const by = answerTo(persona, changed, size, error) - modelled;
      return Math.min(10, Math.max(0, answer.juster + by));
    }),
  );

const clearProblem = 0.75;

/** Returns the change that raises the intent most; `null` if none does. */
export function* bestChange(asked: readonly Asked[], matter: Matter): Interruptible<Change | null> {
  const { facts, anchor } = matter;
  const changes: Change[] = [];
  const modelled = modelledOf(asked, matter);
  const consider = (change: Change["change"], changed: Facts, detail: string | null = null) =>
    changes.push({ change, intent: shifted(modelled, matter, changed), detail });
  if (facts.price !== 0) consider("price", { ...facts, price: anchor * 0.75 });
  yield;
  if (facts.proof === 0) consider("proof", { ...facts, proof: 1 });
  yield;
  if (facts.need < clearProblem) consider("problem", { ...facts, need: clearProblem });
  for (const channel of channels.filter((other): other is Channel => other !== facts.channel)) {
    yield;
    consider("channel", { ...facts, channel }, channel);
  }
  const [keenest] = segmentsOf(asked);
  if (keenest && keenest.personas < asked.length)
    changes.push({ change: "segment", intent: keenest.intent, detail: keenest.name });
  const now = calibrated(asked.map(({ answer }) => answer.juster));
  const [best] = changes.filter(({ intent }) => intent > now).sort((a, b) => b.intent - a.intent);
  return best ?? null;
}

/** Returns the intents under randomly perturbed coefficients, unsorted. */
export function* perturbedIntents(asked: readonly Asked[], matter: Matter): Interruptible<number[]> {
  const { facts, size, seed } = matter;
  const modelled = modelledOf(asked, matter);
  const { draws, spread } = coefficients.sensitivity;
  const random = seededRandom(`${seed}:sensitivity`);
  const names = Object.keys(weights) as (keyof Weights)[];
  const intents: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const varied = Object.fromEntries(names.map((name) => [name, weights[name] * (1 + spread * (2 * random() - 1))]));
    const w: Weights = { ...weights, ...varied };
    intents.push(calibrated(modelled.map(({ persona, error }) => answerTo(persona, facts, size, error, w))));
    yield;
  }
  return intents;
}

export interface PriceCurve {
  readonly ladder: readonly { readonly price: number; readonly intent: number }[];
  /** The step with the highest revenue. */
  readonly best: number | null;
}

/** Returns the share that buys at each step of the ladder (Gabor and Granger); `null` unless everyone was asked. */
export function priceCurve(asked: readonly Asked[], anchor: number): PriceCurve | null {
  if (!asked.every(({ answer }) => answer.ladder)) return null;
  const ladder = coefficients.ladder.map((step, i) => ({
    price: Math.round(anchor * step * 100) / 100,
    intent: calibrated(asked.map(({ answer }) => answer.ladder?.[i] ?? 0)),
  }));
  const [best] = [...ladder].sort((a, b) => b.price * b.intent - a.price * a.intent);
  return { ladder, best: best && best.price * best.intent > 0 ? best.price : null };
}

/** Returns the first of the ascending prices at which two curves cross; `null` if they do not. */
function crossing(prices: readonly number[], falling: (price: number) => number, rising: (price: number) => number) {
  return prices.find((price) => rising(price) >= falling(price)) ?? null;
}

/** Returns van Westendorp's four prices, in EUR a year; `null` unless everyone was asked. */
export function vanWestendorp(asked: readonly Asked[]) {
  const told = asked.flatMap(({ answer }) => (answer.prices ? [answer.prices] : []));
  if (told.length < asked.length || told.length === 0) return null;
  const prices = told.flat().sort((a, b) => a - b);
  const share = (test: (of: (typeof told)[number]) => boolean) => told.filter(test).length / told.length;
  const tooCheap = (price: number) => share(([at]) => price <= at);
  const cheap = (price: number) => share(([, at]) => price <= at);
  const expensive = (price: number) => share(([, , at]) => price >= at);
  const tooExpensive = (price: number) => share(([, , , at]) => price >= at);
  const points = {
    marginal_cheapness: crossing(prices, tooCheap, (price) => 1 - cheap(price)),
    marginal_expensiveness: crossing(prices, (price) => 1 - expensive(price), tooExpensive),
    optimal: crossing(prices, tooCheap, tooExpensive),
    indifference: crossing(prices, cheap, expensive),
  };
  const { marginal_cheapness, marginal_expensiveness, optimal, indifference } = points;
  if (marginal_cheapness === null || marginal_expensiveness === null || optimal === null || indifference === null)
    return null;
  return { marginal_cheapness, marginal_expensiveness, optimal, indifference };
}

/** Counts the answers at each of the scale's eleven points. */
export function distributionOf(asked: readonly Asked[]): number[] {
  const counts = new Array<number>(11).fill(0);
  for (const { answer } of asked) {
    const at = Math.round(answer.juster);
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
