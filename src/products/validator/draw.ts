import { seededRandom } from "../../platform/random.ts";
import type { Interruptible } from "../slices.ts";
import type { AgeRange } from "./ages.ts";
import coefficients from "./data/coefficients.json";
import type { Market } from "./markets.ts";
import { householdTypes, type Profile } from "./persona.ts";
import { areOfNobody, type Trait } from "./traits.ts";

/**
 * Draws personas by quota: each marginal of the market is met as closely as the count allows, while the attributes
 * correlate as `coefficients.json` says. Latent scores are drawn with these correlations, and each score's ranks decide
 * who falls into which share. Ten personas are therefore as balanced as ten can be, and the draw depends only on the
 * seed.
 */

/**
 * Returns the inverse of the normal distribution function, by Acklam's rational approximation (relative error below
 * 1.2e-9).
 */
export function inverseNormal(p: number): number {
  const a = [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
  ];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
  const c = [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
  const poly = (of: readonly number[], x: number) => of.reduce((sum, factor) => sum * x + factor, 0);
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    return poly(c, q) / (poly(d, q) * q + 1);
  }
  if (p > 1 - 0.02425) return -inverseNormal(1 - p);
  const q = p - 0.5;
  const r = q * q;
  return (poly(a, r) * q) / (poly(b, r) * r + 1);
}

type Random = () => number;
const normal = (random: Random): number => inverseNormal(Math.min(1 - 1e-12, Math.max(1e-12, random())));

/** Returns a score that correlates with another by `r`. */
const correlated = (other: number, r: number, random: Random): number =>
  r * other + Math.sqrt(1 - r * r) * normal(random);

/** Returns each score's rank, spread over (0, 1). It decides which share of a quota the person falls into. */
function spread(scores: readonly number[], random: Random): number[] {
  const order = scores.map((_, i) => i).sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0));
  const places = new Array<number>(scores.length);
  for (const [rank, i] of order.entries()) places[i] = (rank + random()) / scores.length;
  return places;
}

/** Returns the index of the share that a position in [0, 1) falls into. Shares need not sum to one. */
function shareAt(shares: readonly number[], place: number): number {
  const total = shares.reduce((sum, share) => sum + share, 0);
  let left = place * total;
  for (const [i, share] of shares.entries()) {
    left -= share;
    if (left < 0) return i;
  }
  return shares.length - 1;
}

/** First and last year of each age band. */
export const ageBands = [
  [18, 24],
  [25, 34],
  [35, 44],
  [45, 54],
  [55, 64],
  [65, 74],
  [75, 90],
] as const;

/** Returns the share of each band among a market's adults, in percent. */
export function ageShares({ age_18_64, age_65_plus, age_65_split }: Market): number[] {
  const below = 100 - age_65_plus.value;
  return [
    ...age_18_64.value.map((share) => (share * below) / 100),
    ...age_65_split.value.map((share) => (share * age_65_plus.value) / 100),
  ];
}

/** The range of ages that people are drawn with. */
export const heldAges: AgeRange = { youngest: ageBands[0][0], oldest: ageBands[6][1] };

function ageAt(market: Market, place: number, random: Random): number {
  const [first, last] = ageBands[shareAt(ageShares(market), place)] ?? ageBands[0];
  return first + Math.floor(random() * (last - first + 1));
}

/** Draws the latent scores of one person. */
function scoresOf(random: Random) {
  const r = coefficients.correlations;
  const age = normal(random);
  const education = correlated(age, r.age_education, random);
  const income = correlated(education, r.income_education, random);
  const internet = correlated(age, r.age_internet, random);
  return {
    age,
    education,
    income,
    internet,
    online: correlated(age, r.age_online, random),
    insured: correlated(age, r.age_insured, random),
    urban: normal(random),
    household: normal(random),
    thrift: correlated(income, r.income_thrift, random),
    caution: correlated(age, r.age_caution, random),
    trust: normal(random),
    curiosity: correlated(age, r.age_curiosity, random),
    taste: normal(random),
  };
}
type Scores = ReturnType<typeof scoresOf>;

/** The scores that fill a quota. */
const quotas = ["age", "education", "income", "internet", "urban", "household", "insured"] as const;
type Places = Record<(typeof quotas)[number] | "online", number[]>;

/** Returns each person's position in each quota. */
function* placesOf(people: readonly Scores[], market: Market, random: Random): Interruptible<Places> {
  const places: Places = {
    age: [],
    education: [],
    income: [],
    internet: [],
    urban: [],
    household: [],
    insured: [],
    online: [],
  };
  for (const score of quotas) {
    places[score] = spread(
      people.map((person) => person[score]),
      random,
    );
    yield;
  }
  // Only internet users buy online, so everyone else ranks last.
  const uses = (i: number) => (places.internet[i] ?? 0) >= 1 - market.internet.value / 100;
  places.online = spread(
    people.map((person, i) => person.online - (uses(i) ? 0 : 1_000)),
    random,
  );
  return places;
}

/** Number of people drawn before yielding to other work. */
const atOnce = 200;

/** Draws `count` people of the market, in drawing order. */
export function* drawPeople(market: Market, count: number, seed: string): Interruptible<Profile[]> {
  const random = seededRandom(seed);
  const people: Scores[] = [];
  while (people.length < count) {
    people.push(scoresOf(random));
    if (people.length % atOnce === 0) yield;
  }
  const quota = yield* placesOf(people, market, random);
  const buyers = (market.internet.value * market.online_buyers.value) / 100;
  const made: Profile[] = [];
  for (const [number, { thrift, caution, trust, curiosity, taste }] of people.entries()) {
    if (number % atOnce === atOnce - 1) yield;
    const income = quota.income[number] ?? 0.5;
    const below = (of: readonly number[], share: number) => (of[number] ?? 0) >= 1 - share / 100;
    const uses_internet = below(quota.internet, market.internet.value);
    made.push({
      number,
      age: ageAt(market, quota.age[number] ?? 0.5, random),
      sex: random() < 0.5 ? "f" : "m",
      household: householdTypes[shareAt(market.households.value, quota.household[number] ?? 0)] ?? "single",
      income_decile: Math.min(10, Math.floor(income * 10) + 1),
      income_eur: Math.round(
        market.median_income_eur.value * Math.exp(market.income_sigma.value * inverseNormal(income)),
      ),
      tertiary: below(quota.education, market.tertiary.value),
      urban: below(quota.urban, market.urban.value),
      uses_internet,
      buys_online: uses_internet && below(quota.online, buyers),
      insured: below(quota.insured, market.insured.value),
      attitudes: { thrift, caution, trust, curiosity, taste },
    });
  }
  return made;
}

/** The personas of a study, and the share of the market's adults that they represent. */
export interface Drawn {
  readonly people: readonly Profile[];
  readonly share: number;
  /** The last traits, left out because hardly anyone has them in combination with the rest. */
  readonly left_out: readonly Trait[];
}

/** Candidates drawn per persona: enough for a group of two percent. */
const candidates = 80;
/** Maximum number of such draws before an exact trait is left out: enough for a single year of age. */
const mostDraws = 8;

/** Picks `count` of the matching people, spread over ages, so that the selection is as balanced as the whole. */
function chosen(fitting: readonly Profile[], count: number): Profile[] {
  const byAge = [...fitting].sort((a, b) => a.age - b.age || a.number - b.number);
  const people = Array.from({ length: count }, (_, i) => byAge[Math.floor(((i + 0.5) * byAge.length) / count)]);
  return people.flatMap((person, number) => (person ? [{ ...person, number }] : []));
}

/** Returns the people that have all of the traits. Yields to other work, since a text may ask for many traits. */
function* fittingOf(people: readonly Profile[], traits: readonly Trait[]): Interruptible<Profile[]> {
  const found: Profile[] = [];
  for (const [at, person] of people.entries()) {
    if (traits.every(({ fits }) => fits(person))) found.push(person);
    if (at % atOnce === atOnce - 1) yield;
  }
  return found;
}

/**
 * Draws a study's personas from the people of the market that have the traits. If hardly anyone has all of them, the
 * last traits are left out.
 */
export function* drawPersonas(
  market: Market,
  count: number,
  seed: string,
  traits: readonly Trait[],
): Interruptible<Drawn> {
  if (traits.length === 0) return { people: yield* drawPeople(market, count, seed), share: 1, left_out: [] };
  const pool = yield* drawPeople(market, count * candidates, seed);
  for (let used = traits.length; used > 0; used--) {
    const asked = traits.slice(0, used);
    const isExact = asked.some(({ isFirm }) => isFirm) && !areOfNobody(asked, heldAges);
    const found = yield* fittingOf(pool, asked);
    while (isExact && found.length < count && pool.length < count * candidates * mostDraws) {
      const more = yield* drawPeople(market, count * candidates, `${seed}:${pool.length}`);
      pool.push(...more);
      found.push(...(yield* fittingOf(more, asked)));
    }
    if (found.length >= count)
      return { people: chosen(found, count), share: found.length / pool.length, left_out: traits.slice(used) };
  }
  return { people: yield* drawPeople(market, count, seed), share: 1, left_out: traits };
}
