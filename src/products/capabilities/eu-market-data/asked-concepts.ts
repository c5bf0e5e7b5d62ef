import type { Item } from "./items.ts";
import { concepts as known } from "./titles.ts";

/** What the items of a question ask for. */
export interface AskedConcepts {
  /** In the order of `concepts.tsv`. */
  readonly concepts: readonly string[];
  /** Concepts requested per head that have no such figure. */
  readonly notPerHead: readonly string[];
  /** Whether a figure of some people or households is requested, and only one of all is held. */
  readonly isByGroup: boolean;
  /** Items that count people. */
  readonly people: readonly Item[];
  /** Items that name an insurance whose figure is not held. */
  readonly unserved: readonly Item[];
  /** Whether a share is requested and the figure is not a share. */
  readonly asksShare: boolean;
}

/** What else is known about the question. */
export interface Beside {
  /** Returns whether an item names something that is never held. */
  readonly asksTopic: (item: Item) => boolean;
  readonly asksChange: boolean;
}

/** Shares of the population, whose names also mention the population itself. */
const shares = ["share_elderly", "share_children", "share_working_age", "urban_share", "internet_users"];
const byAge = shares.slice(0, 3);
const plain = [
  ...["unemployment_rate", "median_age", "share_elderly", "share_children", "share_working_age", "urban_share"],
  ...["internet_users", "gini", "income_share_lowest", "income_share_highest", "household_size", "households"],
];

const isShare = (concept: string): boolean => /share|penetration|rate|internet|gini/.test(concept);
const isNoHousehold = (concept: string): boolean => !concept.startsWith("household");

const kindsOf = ({ named }: Item): string[] => ["life", "nonlife"].filter((kind) => named.has(kind));
const isInsurance = (item: Item): boolean =>
  ["insurance", "premiums"].some((term) => item.named.has(term)) || kindsOf(item).length > 0;
const isMeasure = (item: Item): boolean => item.named.has("gdp") || item.named.has("premiums");

/** Returns whether an item speaks of insurance penetration, which that of the internet is not. */
const saysPenetration = (item: Item): boolean =>
  item.named.has("penetration") && (isInsurance(item) || !item.named.has("internet_users"));

/** Returns whether an item asks for premiums as a share of GDP, in whatever words. */
const isPenetration = (item: Item): boolean => {
  const isRatio = item.isToGdp || item.named.has("share") || item.named.has("ratio");
  return saysPenetration(item) || (item.named.has("gdp") && isInsurance(item) && isRatio);
};

const penetrationOf = (kinds: readonly string[]): string[] =>
  kinds.length > 0 ? kinds.map((kind) => `insurance_penetration_${kind}`) : ["insurance_penetration"];

/** Returns what an item asks about insurance: premiums, their share of GDP, or premiums per inhabitant. */
function insuranceIn(item: Item): string[] {
  const { named } = item;
  const kinds = kindsOf(item);
  if (isPenetration(item)) return [...penetrationOf(kinds), ...(named.has("density") ? ["insurance_density"] : [])];
  if (named.has("density")) return ["insurance_density"];
  // Premiums of life or of other insurance alone are not those of both.
  if (kinds.length > 0 || !isInsurance(item)) return [];
  if (named.has("per_head")) return ["insurance_density"];
  return named.has("premiums") ? ["insurance_premiums"] : [];
}

/** Returns whether an item counts people, and asks for no other figure about them. */
const countsPeople = ({ named }: Item): boolean =>
  (named.has("people") || (named.has("how_many") && named.has("inhabitants"))) &&
  !named.has("population") &&
  !["share", ...plain].some((term) => named.has(term) && isNoHousehold(term));

function populationIn(item: Item, asksShare: boolean): string[] {
  const { named } = item;
  // How many people have insurance, or live on a square kilometre, is not how many there are.
  const some = ["life", "nonlife", "population_density", "insured_people"];
  if (!isPenetration(item) && some.some((term) => named.has(term))) return [];
  const isWhole = shares.some((share) => named.has(share)) || (named.has("share") && asksShare);
  return countsPeople(item) || (named.has("population") && !isWhole) ? ["population"] : [];
}

function gdpIn(item: Item, { asksTopic, asksChange }: Beside): string[] {
  const { named, isToGdp } = item;
  // A share of GDP is not answered with GDP.
  const isShareOf = isToGdp && (asksTopic(item) || (named.has("share") && !asksChange));
  const isAsked = named.has("gdp") && !isPenetration(item) && !isShareOf;
  const isPerHead = (isAsked && named.has("per_head")) || named.has("rich");
  return [...(isAsked && !named.has("per_head") ? ["gdp"] : []), ...(isPerHead ? ["gdp_per_head"] : [])];
}

/** Returns the figures of people and households, without those that only say whose figure another one is. */
function plainIn(item: Item, asksTopic: boolean, named = plain.filter((concept) => item.named.has(concept))) {
  const isOfHouseholds =
    asksTopic || countsPeople(item) || item.named.has("share") || named.some((concept) => concept !== "households");
  const counted = named.filter((concept) => concept !== "households" || !isOfHouseholds);
  const own = counted.filter((concept) => !counted.includes("internet_users") || !byAge.includes(concept));
  return { own, isOfSome: own.length < named.length };
}

/** Returns the item to which one without a figure of its own belongs: the nearest before it, otherwise the next. */
const nearest = (items: readonly Item[], item: Item, fits: (other: Item) => boolean): Item | undefined => {
  const at = items.indexOf(item);
  return items.slice(0, at).findLast(fits) ?? items.slice(at + 1).find(fits);
};

const perHeadOf = ({ named }: Item): string[] => [
  ...(named.has("gdp") ? ["gdp_per_head"] : []),
  ...(named.has("premiums") ? ["insurance_density"] : []),
];

/**
 * Returns what an item adds to another: "per head" of "GDP, total and per head", "life" of "life and non-life
 * penetration".
 */
function fromBeside(items: readonly Item[], item: Item): string[] {
  const isPerHead = item.named.has("per_head") && !isMeasure(item) && !isInsurance(item);
  const measure = isPerHead ? nearest(items, item, isMeasure) : undefined;
  const isKind = isInsurance(item) && !isPenetration(item) && !item.named.has("premiums");
  const whole = isKind ? nearest(items, item, (one) => isPenetration(one) || one.named.has("penetration")) : undefined;
  // "Life insurance, as a share of GDP."
  const isShareOf = item.named.has("gdp") && item.named.has("share") && item.isToGdp && !isInsurance(item);
  const ofGdp = isShareOf ? nearest(items, item, isInsurance) : undefined;
  // "GDP and premiums per head" may mean GDP per head too.
  const next = items[items.indexOf(item) + 1];
  const isPlain = isMeasure(item) && !isPenetration(item) && !item.named.has("per_head");
  const isShared = isPlain && next?.isJoined && isMeasure(next);
  return [
    ...(measure ? perHeadOf(measure) : []),
    ...(whole ? penetrationOf(kindsOf(item)) : []),
    ...(ofGdp ? penetrationOf(kindsOf(ofGdp)) : []),
    ...(isShared && next.named.has("per_head") ? perHeadOf(item) : []),
  ];
}

/** Returns whether an item names life or other insurance that no figure of that kind answers. */
function isUnserved(item: Item, asked: ReadonlySet<string>): boolean {
  const kinds = kindsOf(item);
  const isHeld = kinds.every((kind) => asked.has(`insurance_penetration_${kind}`));
  return kinds.length > 0 && !isPenetration(item) && (item.named.has("premiums") || !isHeld);
}

/** Returns the concepts that the items of a question ask for. */
export function conceptsOf(items: readonly Item[], beside: Beside): AskedConcepts {
  const asksShare = items.some(({ named }) => shares.some((share) => named.has(share)));
  const read = items.map((item) => {
    const { own, isOfSome } = plainIn(item, beside.asksTopic(item));
    const others = [...populationIn(item, asksShare), ...gdpIn(item, beside), ...own];
    const isServed = isMeasure(item) || isInsurance(item) || item.named.has("density");
    const concepts = [...others, ...insuranceIn(item), ...fromBeside(items, item)];
    return { item, isOfSome, concepts, notPerHead: item.named.has("per_head") && !isServed ? others : [] };
  });
  const asked = new Set(read.flatMap(({ concepts }) => concepts));
  return {
    concepts: known.filter((concept) => asked.has(concept)),
    notPerHead: [...new Set(read.flatMap(({ notPerHead }) => notPerHead))],
    isByGroup: asked.has("internet_users") && read.some(({ isOfSome }) => isOfSome),
    people: items.filter(countsPeople),
    unserved: items.filter((item) => isUnserved(item, asked)),
    asksShare: read.some(({ item: { named }, concepts }) => {
      const isAsked = !beside.asksChange && (named.has("share") || named.has("ratio"));
      return isAsked && concepts.length > 0 && !concepts.some(isShare);
    }),
  };
}
