import { type Static, Type as T } from "@sinclair/typebox";
// Not the package's main entry, which requires each language by a computed name that a compiled executable can't
// resolve.
import type isoCountries from "i18n-iso-countries/index.js";
import { isoCountry } from "../../platform/countries.ts";
import { isCalendarDate } from "../../platform/dates.ts";
import { once } from "../../platform/once.ts";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { fold } from "../../platform/text.ts";
import { definePattern, problems, twoCapitals } from "../../platform/validate.ts";
import { Refused } from "./blocks.ts";
import { documentTypes, provenances } from "./corpus.ts";

/** The facts about a document that are not in its text. Dates are `YYYY-MM-DD`. */
export const Facts = closed({
  market: T.String({ pattern: twoCapitals }),
  carrier: nullable(T.String({ minLength: 1, maxLength: 120 })),
  product_line: nullable(T.String({ minLength: 1, maxLength: 80 })),
  document_type: nullable(enumeration(...documentTypes)),
  provenance: enumeration(...provenances),
  /** Null: detected from the text. */
  language: nullable(T.String({ pattern: definePattern("^[a-z]{2}$", "must be two lower-case letters, such as cs") })),
  valid_from: nullable(T.String({ format: "date" })),
  valid_to: nullable(T.String({ format: "date" })),
  version: T.String({ minLength: 1, maxLength: 40 }),
  /** Null: taken from the document. */
  title: nullable(T.String({ minLength: 1, maxLength: 300 })),
  url: nullable(T.String({ format: "uri", maxLength: 2048 })),
  /** What a document's versions share if their titles differ; null: the title. */
  key: nullable(T.String({ minLength: 1, maxLength: 120 })),
});
export type Facts = Static<typeof Facts>;

/** Facts as declared in a manifest, in front matter or as options. */
export type Declared = Readonly<Record<string, unknown>>;

/** Aliases of facts in manifests. */
const aliases: Readonly<Record<string, keyof Facts>> = {
  country: "market",
  insurer: "carrier",
  issuer: "carrier",
  line: "product_line",
  product: "product_line",
  type: "document_type",
  lang: "language",
  effective_from: "valid_from",
  effective_to: "valid_to",
  version_date: "valid_from",
};
const known = new Set<string>(Object.keys(Facts.properties));
/** Keys that only identify the file or that nothing uses. */
const ignored = new Set(["file", "path", "filename", "id", "licence", "license", "chars", "source", "note", "notes"]);

const legalTypes = new Set(["law", "legal_note", "legal", "act", "statute"]);
const provenanceWords: Readonly<Record<string, string>> = {
  carrier_published: "carrier",
  distribution_supplied: "distribution",
  platform_legal_note: "legal_note",
};

/** Resolves aliases. `unknown` lists the keys that are not recognised. */
export function namedFacts(declared: Declared): { facts: Record<string, unknown>; unknown: string[] } {
  const facts: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(declared)) {
    const plain = name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_");
    const fact = known.has(plain) ? plain : Object.hasOwn(aliases, plain) ? aliases[plain] : undefined;
    if (fact === undefined) {
      if (!ignored.has(plain)) unknown.push(name);
    } else if (value !== null && value !== "" && (facts[fact] === undefined || known.has(plain))) facts[fact] = value;
  }
  const { source } = declared;
  if (typeof source === "string" && /^https?:\/\//.test(source)) facts.url ??= source;
  return { facts, unknown };
}

/** Returns warnings about unrecognised keys, most likely misspelt. `where` is their source, such as `the manifest`. */
export const unknownFacts = (declared: Declared, where: string): string[] =>
  namedFacts(declared).unknown.map((name) => `${where} has an unknown fact, ${name.slice(0, 40)}: check its spelling`);

/**
 * Returns `2025-01-31`, also from `31.1.2025` or an instant. Other strings become empty and other values stay as they
 * are, so that validation refuses them.
 */
function day(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString().slice(0, 10);
  if (typeof value !== "string") return value;
  const text = value.trim();
  const european = /^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})$/.exec(text);
  const [, d = "", m = "", y = ""] = european ?? [];
  const iso = european ? `${y}-${m.padStart(2, "0")}-${d.padStart(2, "0")}` : text.replace(/T.*$/, "");
  // Only dates that exist: 31 February would silently become a day in March.
  return isCalendarDate(iso) ? iso : "";
}

/** Loaded on the first import of a document. */
const loadCountries = (): typeof isoCountries => require("i18n-iso-countries/index.js");
const languages = once(() => new Intl.DisplayNames("en", { type: "language", fallback: "none" }));

/** Returns the well-formed codes that stand for no market or language. No query could match such a document. */
function meaningless({ market, language }: Facts): readonly string[] {
  const isMarket = market === "EU" || loadCountries().isValid(market);
  const isLanguage = language === null || languages().of(language) !== undefined;
  return [...(isMarket ? [] : ["market"]), ...(isLanguage ? [] : ["language"])];
}

const plainText = (value: unknown): unknown =>
  typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : value;
const lower = (value: unknown): unknown => (typeof value === "string" ? value.trim().toLowerCase() : value);
const marketOf = (value: unknown): unknown => (typeof value === "string" ? isoCountry(value) : value);

const needed = ["market", "carrier", "product_line", "document_type", "provenance"] as const;
const requirements: Readonly<Record<string, string>> = {
  market: "market must be a two-letter country code, or EU",
  document_type: `document_type must be one of ${documentTypes.join(", ")}, legal_note`,
  provenance: `provenance must be one of ${provenances.join(", ")}`,
  language: "language must be a two-letter code (ISO 639-1), such as cs for Czech",
  valid_from: "valid_from must be a date, YYYY-MM-DD",
  valid_to: "valid_to must be a date, YYYY-MM-DD",
  url: "url must be an absolute http or https address",
};

/** Checks whether the facts, with aliases resolved, describe a law or a legal note. */
export function isLaw({ document_type, provenance }: Declared): boolean {
  const type = lower(document_type);
  return (typeof type === "string" && legalTypes.has(type)) || lower(provenance) === "legal_note";
}

/** Validates declared facts. Throws `Refused` with what is missing or invalid. */
export function checkFacts(declared: Declared): Facts {
  const { facts } = namedFacts(declared);
  const type = lower(facts.document_type);
  const provenance = lower(facts.provenance);
  const isLegal = isLaw(facts);
  // A law has no carrier, and covers all lines unless it says otherwise.
  const missing = isLegal
    ? facts.market === undefined
      ? ["market"]
      : []
    : needed.filter((fact) => facts[fact] === undefined);
  if (missing.length > 0) throw new Refused("facts", `it lacks ${missing.join(", ")}`);
  const valid_from = day(facts.valid_from ?? null);
  const value = {
    market: marketOf(facts.market),
    carrier: isLegal ? null : plainText(facts.carrier),
    product_line: lineOf(facts.product_line),
    document_type: isLegal ? null : type,
    provenance: isLegal
      ? "legal_note"
      : typeof provenance === "string"
        ? (provenanceWords[provenance] ?? provenance)
        : provenance,
    language: facts.language === undefined ? null : lower(facts.language),
    valid_from,
    valid_to: day(facts.valid_to ?? null),
    version: plainText(facts.version ?? (valid_from === "" ? null : valid_from) ?? "1"),
    title: facts.title === undefined ? null : plainText(facts.title),
    url: facts.url === undefined ? null : plainText(facts.url),
    key: facts.key === undefined ? null : plainText(facts.key),
  };
  const wrong = problems(Facts, value, "").map(
    ({ path, message }) => requirements[path.slice(1)] ?? `${path.slice(1)} ${message}`,
  );
  if (wrong.length > 0) throw new Refused("facts", wrong.join("; "));
  const checked = value as Facts;
  const unknown = meaningless(checked);
  if (unknown.length > 0) throw new Refused("facts", unknown.map((fact) => requirements[fact]).join("; "));
  if (checked.valid_from !== null && checked.valid_to !== null && checked.valid_to < checked.valid_from)
    throw new Refused("facts", "valid_to is before valid_from");
  return checked;
}

/** Normalises a product line: `Motor liability` becomes `motor_liability`, and `all` becomes null for every line. */
function lineOf(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== "string") return value;
  const line = fold(value.trim())
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  return line === "all" ? null : line;
}

/** Returns the key shared by all versions of a document. */
export const familyOf = (facts: Facts, title: string, language: string): string =>
  [
    facts.market,
    facts.carrier ?? "",
    facts.document_type ?? facts.provenance,
    facts.product_line ?? "",
    language,
    facts.key ?? title,
  ]
    .map((part) => fold(part).replace(/[^a-z0-9]+/g, "-"))
    .join("/");
