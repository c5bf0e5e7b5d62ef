import { seededRandom } from "../../platform/random.ts";
import { filled } from "../../platform/text.ts";
import type { Answer, Objection } from "./answer.ts";
import coefficients from "./data/coefficients.json";
import { inverseNormal } from "./draw.ts";
import type { Profile } from "./persona.ts";
import { type DecisionSize, type Depth, depths } from "./sizes.ts";
import type { Texts } from "./texts.ts";
import { type Facts, logistic, type PartWorths, partWorths, utilityOf, type Weights, weights } from "./utility.ts";
import { type Channel, channels } from "./vocabulary.ts";

/** What every persona of a study is asked about. */
export interface Matter {
  readonly facts: Facts;
  readonly size: DecisionSize;
  readonly seed: string;
  /** Base of the price ladder's steps, in EUR a year. */
  readonly anchor: number;
  readonly texts: Texts;
}

type Framing = Depth["framings"][number];

/** Returns what a framing adds to the utility: losses weigh on the cautious, budgets on the thrifty. */
function framed(person: Profile, framing: Framing): number {
  const { thrift, caution, trust } = person.attitudes;
  const size = coefficients.framings[framing];
  if (framing === "loss") return size * Math.max(0, 1 + 0.5 * caution);
  if (framing === "budget") return size * Math.exp(0.25 * thrift);
  return size * Math.max(0, 1 - 0.5 * trust);
}

/**
 * Returns the person's response error. It is the same for every question, so that a better offer never scores worse.
 */
export const errorOf = (seed: string, number: number): number =>
  coefficients.response_error *
  inverseNormal(Math.min(0.999, Math.max(0.001, seededRandom(`${seed}:answer:${number}`)())));

/** Returns a whole number on the Juster scale. */
export const juster = (utility: number, error: number): number => Math.round(10 * logistic(utility + error));

/** Minimum strength, in logits, at which a part-worth is voiced as an objection. */
const worthSaying = 0.35;

function objectionsOf(person: Profile, facts: Facts, p: PartWorths): Objection[] {
  const against: readonly (readonly [Objection, number])[] = [
    [facts.price === null ? "price_unknown" : "price", -p.price - 0.9],
    ["need", 2 - p.need],
    ["trust", facts.proof === 0 ? 0.5 - p.confidence : -p.confidence - 0.5],
    ["channel", -p.channel],
    ["covered", -p.covered],
    ["effort", -p.effort],
    ["novelty", person.attitudes.curiosity < 0 ? -p.curiosity : 0],
    ["unclear", facts.clear === 0 ? 1.2 : 0],
  ];
  return against
    .filter(([, strength]) => strength >= worthSaying)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 2)
    .map(([name]) => name);
}

function reasonOf(facts: Facts, p: PartWorths): Answer["reason"] {
  const inFavour: readonly (readonly [Answer["reason"], number])[] = [
    ["need", p.need - 1.6],
    ["price", facts.price === null ? 0 : p.price + 1.1],
    ["proof", p.proof],
    ["channel", p.channel],
    ["curiosity", p.curiosity],
    ["caution", p.caution],
  ];
  const [best] = [...inFavour].sort((a, b) => b[1] - a[1]);
  return best && best[1] > 0.2 ? best[0] : "none";
}

/**
 * Returns the four van Westendorp prices, in EUR a year: around the person's fair price, drawn towards the stated
 * price.
 */
function pricesOf(person: Profile, anchor: number, error: number): [number, number, number, number] {
  const { thrift, taste } = person.attitudes;
  const own =
    person.income_eur * coefficients.unpriced_share_of_income * Math.exp(-0.35 * thrift + 0.25 * taste + 0.2 * error);
  const fair = Math.sqrt(Math.max(1, own) * Math.max(1, anchor));
  return [0.4, 0.75, 1.3, 2].map((part) => Math.round(fair * part * 100) / 100) as [number, number, number, number];
}

/** Returns the offer under other prices and channels, by the name used in reports. */
export function variantsOf(facts: Facts, anchor: number): ReadonlyMap<string, Facts> {
  const others: readonly Channel[] = channels.filter((channel) => channel !== facts.channel);
  return new Map<string, Facts>([
    ["price:0.8", { ...facts, price: anchor * 0.8 }],
    ["price:1.2", { ...facts, price: anchor * 1.2 }],
    ...others.map((channel) => [`channel:${channel}`, { ...facts, channel }] as const),
  ]);
}

const pressure = 0.6;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the answers at a utility: the plain one, then one for each framing of the size. */
const framedAnswers = (person: Profile, utility: number, size: DecisionSize, error: number): number[] => [
  juster(utility, error),
  ...depths[size].framings.map((name) => juster(utility + framed(person, name), error)),
];

/** Returns the mean answer over the framings of a size, for facts and weights that may differ from the study's own. */
export const answerTo = (
  person: Profile,
  facts: Facts,
  size: DecisionSize,
  error: number,
  w: Weights = weights,
): number => mean(framedAnswers(person, utilityOf(partWorths(person, facts, w)), size, error));

/**
 * Interviews one persona with the explicit choice model. The answer depends only on the study's seed and the persona's
 * number.
 */
export function interview(person: Profile, matter: Matter): Answer {
  const { facts, size, seed, anchor, texts } = matter;
  const depth = depths[size];
  const error = errorOf(seed, person.number);
  const p = partWorths(person, facts);
  const utility = utilityOf(p);
  const framings = framedAnswers(person, utility, size, error);
  const objections = objectionsOf(person, facts, p);
  const reason = reasonOf(facts, p);
  // Use the offer's own framings; otherwise another price would seem better only because its question is plainer.
  const at = (changed: Facts) => answerTo(person, changed, size, error);
  const alternatives = () =>
    Object.fromEntries([...variantsOf(facts, anchor)].map(([name, changed]) => [name, at(changed)]));
  const [first] = objections;
  const words = filled(texts.answer, {
    juster: Math.round(mean(framings)),
    reason: texts.reasons[reason],
    objection: first ? texts.objections[first] : texts.no_objection,
  });
  return {
    juster: mean(framings),
    framings,
    reason,
    objections,
    words,
    ...(depth.ladder && { ladder: coefficients.ladder.map((step) => at({ ...facts, price: anchor * step })) }),
    ...(depth.ladder && facts.price !== null && facts.price > 0 && { prices: pricesOf(person, anchor, error) }),
    ...(depth.alternatives && {
      alternatives: alternatives(),
      pressed: mean(framedAnswers(person, utility - (first ? pressure : 0), size, error)),
    }),
  };
}
