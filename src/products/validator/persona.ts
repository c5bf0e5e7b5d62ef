import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration } from "../../platform/schema.ts";

/** Types of household, in the order of the markets' figures. */
export const householdTypes = ["single", "couple", "family", "single_parent", "shared"] as const;

/**
 * A person interviewed in a study, drawn from a market's figures; attitudes are standard scores. Stored with the study.
 */
export const Persona = closed({
  number: T.Integer({ minimum: 0 }),
  age: T.Integer({ minimum: 18, maximum: 110 }),
  sex: enumeration("f", "m"),
  household: enumeration(...householdTypes),
  /** From 1 (lowest) to 10 (highest). */
  income_decile: T.Integer({ minimum: 1, maximum: 10 }),
  /** Disposable income, in EUR a year. */
  income_eur: T.Number({ minimum: 0 }),
  tertiary: T.Boolean(),
  urban: T.Boolean(),
  uses_internet: T.Boolean(),
  buys_online: T.Boolean(),
  insured: T.Boolean(),
  attitudes: closed({
    /** Price sensitivity. */
    thrift: T.Number(),
    /** Aversion to risk. */
    caution: T.Number(),
    trust: T.Number(),
    /** Attraction to novelty. */
    curiosity: T.Number(),
    /** Residual that no figure explains. */
    taste: T.Number(),
  }),
  role: T.String(),
  bio: T.String(),
});
export type Persona = Static<typeof Persona>;

/** A persona without its texts. */
export type Profile = Omit<Persona, "role" | "bio">;

/** Maximum age of a student. */
export const studentAge = 24;

/** Age from which a person is retired and no longer works. */
export const pensionAge = 65;

/** Whether someone in a family household is a child rather than a parent. */
export const livesWithParents = ({ age, household }: Pick<Profile, "age" | "household">): boolean =>
  household === "family" && age <= studentAge;
