import { filled } from "../../platform/text.ts";
import { type AgeRange, anyAge, overlaps } from "./ages.ts";
import { livesWithParents, type Profile, pensionAge, studentAge } from "./persona.ts";
import type { Texts } from "./texts.ts";
import type { WordLists } from "./words.ts";

/** Traits named by words, each with its word list. Figures describe people, not firms. */
export type Mark = Exclude<keyof WordLists["target"], "business">;
export type Status = keyof WordLists["status"];
export type Sex = "female" | "male";

/** Something that a description asks of people and that a market's figures cover. */
export interface Trait {
  /** Its name in a report. */
  readonly name: string;
  readonly label: (texts: Texts) => string;
  readonly fits: (person: Profile) => boolean;
  /** The possible ages of its people. */
  readonly ages: readonly AgeRange[];
  /** The possible statuses of its people; empty for any. */
  readonly statuses: readonly Status[];
  /** Whether it is exact: more people are drawn before it is left out. */
  readonly isFirm: boolean;
}

/** The ages that a status or a mark implies. */
export const ageOf: Readonly<Record<Status | "young" | "old", AgeRange>> = {
  young: { ...anyAge, oldest: 34 },
  old: { ...anyAge, youngest: 55 },
  student: { ...anyAge, oldest: studentAge },
  retired: { ...anyAge, youngest: pensionAge },
  employed: { ...anyAge, oldest: pensionAge - 1 },
  self_employed: { ...anyAge, oldest: pensionAge - 1 },
};

const isWithin = ({ age }: Profile, { youngest, oldest }: AgeRange): boolean => age >= youngest && age <= oldest;

const isParent = (person: Profile): boolean =>
  !livesWithParents(person) &&
  person.age <= 60 &&
  (person.household === "family" || person.household === "single_parent");

/** Tests whether a mark fits a person. */
const marked: Readonly<Record<Mark, (person: Profile) => boolean>> = {
  young: (person) => isWithin(person, ageOf.young),
  old: (person) => isWithin(person, ageOf.old),
  parents: isParent,
  urban: ({ urban }) => urban,
  rural: ({ urban }) => !urban,
  owner: ({ age }) => age >= 30,
  tertiary: ({ tertiary }) => tertiary,
  poor: ({ income_decile }) => income_decile <= 3,
  rich: ({ income_decile }) => income_decile >= 8,
};

/** Returns the trait of a mark. */
export const markTrait = (mark: Mark): Trait => ({
  name: mark,
  label: (texts) => texts.traits[mark],
  fits: marked[mark],
  ages: [mark === "young" || mark === "old" ? ageOf[mark] : anyAge],
  statuses: [],
  isFirm: false,
});

/** Returns the trait of one sex only. */
export const sexTrait = (sex: Sex): Trait => ({
  name: sex,
  label: (texts) => texts.traits[sex],
  fits: (person) => person.sex === (sex === "female" ? "f" : "m"),
  ages: [anyAge],
  statuses: [],
  isFirm: true,
});

/** Returns the trait of a status, which fits people of its ages; `texts.ts` gives them a matching role. */
export const statusTrait = (status: Status): Trait => ({
  name: status,
  label: (texts) => texts.traits[status],
  fits: (person) => isWithin(person, ageOf[status]),
  ages: [ageOf[status]],
  statuses: [status],
  isFirm: true,
});

function agesLabel({ youngest, oldest }: AgeRange, { ages }: Texts): string {
  if (youngest === oldest) return filled(ages.one, { youngest });
  if (youngest === 0) return filled(ages.up_to, { oldest });
  return filled(Number.isFinite(oldest) ? ages.range : ages.over, { youngest, oldest });
}

const agesName = ({ youngest, oldest }: AgeRange): string =>
  youngest === oldest ? String(youngest) : Number.isFinite(oldest) ? `${youngest}-${oldest}` : `${youngest}+`;

/** Returns the trait of exactly these ages. */
export const agesTrait = (range: AgeRange): Trait => ({
  name: `ages ${agesName(range)}`,
  label: (texts) => agesLabel(range, texts),
  fits: (person) => isWithin(person, range),
  ages: [range],
  statuses: [],
  isFirm: true,
});

/** Returns a trait that fits if any of the given ones does; at least one must be given. */
export const either = (traits: readonly Trait[]): Trait => ({
  name: traits.map(({ name }) => name).join(" or "),
  label: (texts) => traits.map(({ label }) => label(texts)).join(` ${texts.either} `),
  fits: (person) => traits.some(({ fits }) => fits(person)),
  ages: traits.flatMap(({ ages }) => ages),
  statuses: traits.flatMap(({ statuses }) => statuses),
  isFirm: traits.some(({ isFirm }) => isFirm),
});

/** Whether no one within the given ages can have all of the traits. */
export const areOfNobody = (traits: readonly Trait[], held: AgeRange): boolean =>
  traits.reduce<readonly AgeRange[]>((left, { ages }) => overlaps(left, ages), [held]).length === 0;
