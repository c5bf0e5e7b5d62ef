import type { Entity, EntityKeys } from "../../../db/datasets.ts";
import type { EntityForm } from "../datasets/definitions.ts";
import { FileRefused, shown } from "../datasets/refusal.ts";
import { candidateFieldNames, profileFieldNames } from "./fields.ts";
import { laender, landOf } from "./laender.ts";
import { sameText, wordsOf } from "./words.ts";

/** Validates imported rows of the universe and the profiles, and derives their search keys and dimensions. */

type Fields = Record<string, string | number | null>;

const longest = 400;
const numbers = ["persons", "founded"];
/** Searchable fields: `openWords` for everyone, `namedWords` only for the enterprise tier. */
const openWords = ["city", "postal_code", "sector", "tier", "lines", "audience", "languages"];
const namedWords = ["name", "register_number", "website", "network", "technology_profile", "commercial_scenario"];
const facets = ["tier", "sector", "city"];

const said = (fields: Fields, name: string): string => String(fields[name] ?? "");

/** Returns the size band of a headcount. */
export function sizeBand(persons: number | null): string {
  if (persons === null) return "unknown";
  if (persons < 2) return "0-1";
  if (persons < 5) return "2-4";
  if (persons < 20) return "5-19";
  return persons < 100 ? "20-99" : "100+";
}

/** Returns the signs that two rows about the same firm share: the register number, or the name and city. */
export function signsOf(fields: Fields): string[] {
  const register = sameText(said(fields, "register_number")).replace(/[^a-z0-9]/g, "");
  const name = wordsOf(said(fields, "name")).join(" ");
  const place = sameText(said(fields, "city"));
  return [
    ...(register.length > 3 ? [`register_number:${register}`] : []),
    ...(name && place ? [`name_and_place:${name}|${place}`] : []),
  ];
}

function keysOf(fields: Fields): EntityKeys {
  const words = (names: readonly string[]) => [...new Set(names.flatMap((name) => wordsOf(said(fields, name))))];
  const open = [...words(openWords), ...wordsOf(laender[said(fields, "land")] ?? "")];
  const named = words(namedWords);
  const persons = typeof fields.persons === "number" ? fields.persons : null;
  const { tier, sector, land, reliability } = fields;
  return {
    terms: [
      ...open.map((word) => `open ${word}`),
      ...[...open, ...named].map((word) => `any ${word}`),
      ...facets.flatMap((name) => (fields[name] ? [`${name} ${sameText(said(fields, name))}`] : [])),
    ],
    signs: signsOf(fields),
    dimensions: {
      ...{ tier: String(tier ?? ""), sector: String(sector ?? ""), land: String(land ?? "") },
      ...{ size: sizeBand(persons), reliability: String(reliability) },
    },
    amount: persons,
  };
}

/** Parses a headcount or a year; `undefined` if it is neither. */
function numberIn(cell: string): number | undefined {
  const digits = cell.replace(/[ .,']/g, "");
  return /^\d{1,7}$/.test(digits) ? Number(digits) : undefined;
}

/** Returns the row with parsed numbers and codes, or an error message. */
function cleaned(given: Fields, names: readonly string[]): Fields | string {
  const fields: Fields = Object.fromEntries(names.map((name) => [name, given[name] ?? null]));
  for (const [name, value] of Object.entries(fields))
    if (String(value ?? "").length > longest) return `its ${name} is longer than ${longest} characters`;
  for (const name of numbers) {
    if (fields[name] === null) continue;
    const number = numberIn(said(fields, name));
    if (number === undefined) return `its ${name}, ${shown(said(fields, name))}, is not a whole number`;
    fields[name] = number;
  }
  const founded = Number(fields.founded ?? 2000);
  if (founded < 1000 || founded > 2999) return `its founded, ${founded}, is not a year`;
  if (fields.land !== null) {
    const land = landOf(said(fields, "land"));
    if (land === undefined) return `its land, ${shown(said(fields, "land"))}, is not one of the sixteen`;
    fields.land = land;
  }
  const website = said(fields, "website");
  if (website !== "" && !/^https?:\/\/[^\s/]+/i.test(website))
    return "its website is not an address that starts with http";
  fields.reliability ??= "D";
  return /^[A-D]$/.test(said(fields, "reliability")) ? fields : "its reliability is not A, B, C or D";
}

/** Whether a key contains part of the name: keys are shown to everyone entitled, names are not. */
function isNamedBy(key: string, fields: Fields): boolean {
  const parts = new Set(wordsOf(key));
  return wordsOf(said(fields, "name")).some((word) => word.length > 3 && /\p{L}/u.test(word) && parts.has(word));
}

function take(entity: Entity, names: readonly string[], key: string): ReturnType<EntityForm["take"]> {
  const unknown = Object.keys(entity.fields).find((name) => name !== key && !names.includes(name));
  if (unknown !== undefined)
    throw new FileRefused(
      "columns",
      `it has a column ${shown(unknown)}, which the table does not`,
      `Name the columns to take under \`fields\` in the mapping: ${names.join(", ")}.`,
    );
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(entity.key))
    return { refused: "its key is not 1 to 80 letters, digits, points, dashes and underscores" };
  const fields = cleaned(entity.fields, names);
  if (typeof fields === "string") return { refused: fields };
  if (fields.name === null) return { refused: "its name is empty" };
  if (isNamedBy(entity.key, fields))
    return { refused: "its key contains part of its name, and keys are never withheld" };
  return { entity: { ...entity, fields }, keys: keysOf(fields) };
}

const form = (key: string, names: readonly string[]): EntityForm => ({
  mapping: { rows: "entities", key: [key] },
  take: (entity) => take(entity, names, key),
});

/** The forms by table name. */
export const germanyForms: Readonly<Record<string, EntityForm>> = {
  universe: form("candidate_id", candidateFieldNames),
  profiles: form("target_key", profileFieldNames),
};
