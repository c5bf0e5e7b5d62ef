import { Kind, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { defineKind, twoLetters } from "../../platform/validate.ts";
import { isCountry } from "../datasets/places.ts";

/** Fields that several capabilities' inputs and outputs share. */

const countryCode = {
  minLength: 2,
  maxLength: 2,
  pattern: twoLetters,
};

/** The two-letter code of a place in an answer. */
export const CountryCode = T.String({ ...countryCode, description: "ISO 3166-1 alpha-2 country code." });

const askedCode = {
  ...{ type: "string", ...countryCode },
  description: "ISO 3166-1 alpha-2 country code. UK is read as GB, and EL as GR.",
};

const [countryKind, placeKind] = ["Country", "CountryOrUnion"];
const isTwoLetters = (text: string): boolean => /^[A-Za-z]{2}$/.test(text);
defineKind(
  countryKind,
  (text) => isTwoLetters(text) && isCountry(text),
  "must be the two letters of a country (ISO 3166-1 alpha-2), such as CZ",
);
defineKind(
  placeKind,
  (text) => isTwoLetters(text) && (isCountry(text) || text.toUpperCase() === "EU"),
  "must be the two letters of a country (ISO 3166-1 alpha-2), such as CZ, or EU",
);

/** A country that a caller asks about, by its two-letter code in upper or lower case. */
export const AskedCountry = T.Unsafe<string>({ [Kind]: countryKind, ...askedCode });

/** The same, or `EU` where there are figures or documents of the Union itself. */
export const AskedPlace = T.Unsafe<string>({ [Kind]: placeKind, ...askedCode });

/** The address of a page. The format accepts only HTTP and HTTPS; hosts are checked when the run fetches them. */
export const CompanyUrl = T.String({
  format: "uri",
  maxLength: 2048,
  description: "Absolute HTTP or HTTPS address of a public page.",
});

/** `OK`: supported. `WARN`: partly or weakly supported. `FAIL`: not supported. */
export const TrustState = enumeration("OK", "WARN", "FAIL");

/** A probability, confidence or score between 0 and 1. */
export const Probability = T.Number({ minimum: 0, maximum: 1 });

/** A: official and first-hand. B: published by the owner of the figure. C: secondary. D: estimated or not traceable. */
export const Reliability = enumeration("A", "B", "C", "D");

/** The fields of every figure. `value` is null if there is none, or if a group is too small to be shown. */
export const figure = {
  indicator: T.String(),
  value: nullable(T.Number()),
  unit: T.String(),
  period: T.String({ description: "What the figure refers to, such as 2024 or 2024-Q1." }),
  source: closed({
    publisher: T.String(),
    code: nullable(T.String({ description: "The publisher's own code of the table." })),
    url: nullable(T.String()),
  }),
  reliability: Reliability,
  flags: T.Array(T.String({ description: "The publisher's flags, such as e for estimated and p for provisional." })),
};

/** The source of figures. */
export const DatasetSource = closed({
  title: T.String(),
  publisher: T.String(),
  period: T.String(),
  licence: nullable(T.String()),
  url: nullable(T.String({ format: "uri" })),
  reliability: Reliability,
});
