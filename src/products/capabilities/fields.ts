import { Kind, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { defineKind } from "../../platform/validate.ts";
import { isCountry } from "../datasets/places.ts";

/** The fields that several capabilities' inputs and outputs have in common. */

const countryCode = {
  minLength: 2,
  maxLength: 2,
  pattern: "^[A-Za-z]{2}$",
};

/** Two letters of a place in an answer. */
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

/** What a caller asks about: two letters that are a country's; upper and lower case are the same one. */
export const AskedCountry = T.Unsafe<string>({ [Kind]: countryKind, ...askedCode });

/** The same, or `EU`, where there are figures or documents of the Union itself. */
export const AskedPlace = T.Unsafe<string>({ [Kind]: placeKind, ...askedCode });

/** The format takes HTTP and HTTPS alone; which hosts may be fetched is decided when the run fetches them. */
export const CompanyUrl = T.String({
  format: "uri",
  maxLength: 2048,
  description: "Absolute HTTP or HTTPS address of a public page.",
});

/** Supported; supported in part or weakly; not supported. */
export const TrustState = enumeration("OK", "WARN", "FAIL");

/** Between 0 and 1; confidences and scores too. */
export const Probability = T.Number({ minimum: 0, maximum: 1 });

/** A official and first-hand; B published by the owner of the figure; C secondary; D estimated or not traceable. */
export const Reliability = enumeration("A", "B", "C", "D");

/** What every figure is shown with. `value` is null where there is none, or where a group is too small to be shown. */
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

/** Where figures come from. */
export const DatasetSource = closed({
  title: T.String(),
  publisher: T.String(),
  period: T.String(),
  licence: nullable(T.String()),
  url: nullable(T.String({ format: "uri" })),
  reliability: Reliability,
});
