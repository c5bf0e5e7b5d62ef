import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration } from "../../platform/schema.ts";

/** The types of households that are told apart, in the order of the markets' figures. */
export const householdTypes = ["single", "couple", "family", "single_parent", "shared"] as const;

/** Whom a study asks. Drawn from a market's figures; attitudes are standard scores. Stored with the study. */
export const Persona = closed({
  number: T.Integer({ minimum: 0 }),
  age: T.Integer({ minimum: 18, maximum: 110 }),
  sex: enumeration("f", "m"),
  household: enumeration(...householdTypes),
  /** 1 the lowest, 10 the highest. */
  income_decile: T.Integer({ minimum: 1, maximum: 10 }),
  /** Disposable, in EUR a year. */
  income_eur: T.Number({ minimum: 0 }),
  tertiary: T.Boolean(),
  urban: T.Boolean(),
  uses_internet: T.Boolean(),
  buys_online: T.Boolean(),
  insured: T.Boolean(),
  attitudes: closed({
    /** How much a price weighs. */
    thrift: T.Number(),
    /** How much risks worry. */
    caution: T.Number(),
    trust: T.Number(),
    /** How much new things attract. */
    curiosity: T.Number(),
    /** What no figure explains. */
    taste: T.Number(),
  }),
  role: T.String(),
  bio: T.String(),
});
export type Persona = Static<typeof Persona>;

/** A persona before it has words. */
export type Profile = Omit<Persona, "role" | "bio">;

/** Students are so old at most. */
export const studentAge = 24;

/** From this age on somebody is retired, and works no more. */
export const pensionAge = 65;

/** Whether somebody in a family is its child rather than a parent. */
export const livesWithParents = ({ age, household }: Pick<Profile, "age" | "household">): boolean =>
  household === "family" && age <= studentAge;
