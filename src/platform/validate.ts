import { FormatRegistry, Kind, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler, type ValueError, ValueErrorType } from "@sinclair/typebox/compiler";
import { isCalendarDate, isInstant } from "./dates.ts";
import type { Detail } from "./errors.ts";
import { notBlank } from "./schema.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Absolute, http or https, with a host. */
export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
}

/** What a text of a format must be, for who sent another. */
const formatWants = new Map<string, string>();

/** Adds a format: what has it, and what is wanted of a text that has not. */
export function defineFormat(name: string, has: (text: string) => boolean, wants = `must be a ${name}`): void {
  FormatRegistry.Set(name, has);
  formatWants.set(name, wants);
}

/** What a text of a pattern must be, where a person could not tell by the pattern. */
const patternWants = new Map<string, string>([[notBlank.pattern, "must have more than blanks and what can't be seen"]]);

/** The pattern, with what is wanted of a text that does not match it. */
export function definePattern(pattern: string, wants: string): string {
  patternWants.set(pattern, wants);
  return pattern;
}

defineFormat("uuid", (text) => uuid.test(text));
defineFormat("uri", isHttpUrl, "must be an absolute http or https URL");
defineFormat("date", isCalendarDate, "must be a date of the calendar, such as 2030-12-31");
defineFormat(
  "date-time",
  isInstant,
  "must be a date with time and zone, such as 2030-12-31T23:59:59Z, in the years 0000 to 9999 (UTC)",
);

/** What a text of a kind must be, for who sent another. */
const kindWants = new Map<string, string>();

/**
 * Adds a kind of text, for what no published schema can say, such as that two letters are a country's: what has it, and
 * what is wanted of a text that has not.
 */
export function defineKind(name: string, has: (text: string) => boolean, wants: string): void {
  TypeRegistry.Set(name, (_, value) => typeof value === "string" && has(value));
  kindWants.set(name, wants);
}

/** What a caller may be told at most about one request. */
export const detailLimit = 20;

const counted = (count: unknown, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What is wanted at a place, never what was given there: that may be a secret. */
function wanted({ type, schema }: ValueError, at: string): string {
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return "is required";
    case ValueErrorType.ObjectAdditionalProperties:
      return at === "/query" ? "is not a parameter of this request" : "is not a property of this object";
    case ValueErrorType.StringMinLength:
      return `must have at least ${counted(schema.minLength, "character")}`;
    case ValueErrorType.StringMaxLength:
      return `must have at most ${counted(schema.maxLength, "character")}`;
    case ValueErrorType.StringPattern:
      return patternWants.get(schema.pattern) ?? formatWants.get(schema.format) ?? `must match ${schema.pattern}`;
    case ValueErrorType.StringFormat:
      return formatWants.get(schema.format) ?? "has another form";
    case ValueErrorType.ArrayMinItems:
      return `must have at least ${counted(schema.minItems, "item")}`;
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${counted(schema.maxItems, "item")}`;
    case ValueErrorType.ArrayUniqueItems:
      return "must not have an item twice";
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${schema.minimum}`;
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${schema.maximum}`;
    case ValueErrorType.Kind:
      if (kindWants.has(schema[Kind])) return kindWants.get(schema[Kind]) ?? "has another form";
      if (Array.isArray(schema.enum)) return `must be one of ${schema.enum.join(", ")}`;
      return typeof schema.pattern === "string" ? `must match ${schema.pattern} within its length` : "has another form";
    default:
      return typeof schema.type === "string" ? `must be of type ${schema.type}` : "has another form";
  }
}

const longestPath = 200;
/** A place is named to be found again: of a longer name, this much is enough to know which. */
export const shownPath = (path: string): string =>
  path.length > longestPath ? `${path.slice(0, longestPath)}…` : path;

/** Errors that are looked at: those of one place count once among the details, and there may be thousands. */
const errorLimit = 200;

/** What is larger than allowed is not looked into: a caller may have sent half a million of it. */
const bounds: ReadonlySet<ValueErrorType> = new Set([
  ValueErrorType.ArrayMaxItems,
  ValueErrorType.ObjectMaxProperties,
  ValueErrorType.StringMaxLength,
]);

/**
 * Errors as details, one for each place, under the place `at` (`/body`, `/query` …). The first bound that is broken is the
 * last detail.
 */
export function detailsOf(errors: Iterable<ValueError>, at: string): Detail[] {
  const details = new Map<string, Detail>();
  let looked = 0;
  for (const error of errors) {
    const path = shownPath(at + error.path);
    if (!details.has(path)) details.set(path, { path, message: wanted(error, at) });
    if (bounds.has(error.type) || details.size === detailLimit || ++looked === errorLimit) break;
  }
  return [...details.values()];
}

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();

/** A schema's checker, compiled once. */
export function checker(schema: TSchema): TypeCheck<TSchema> {
  let check = compiled.get(schema);
  if (!check) {
    check = TypeCompiler.Compile(schema);
    compiled.set(schema, check);
  }
  return check;
}

/** Has a schema checked by a looser one, where whoever owns it checks the rest apart from the event loop. */
export function checkBy(schema: TSchema, looser: TSchema): void {
  compiled.set(schema, TypeCompiler.Compile(looser));
}

/** What is wrong with a value, or nothing. Places begin with `at`. */
export function problems(schema: TSchema, value: unknown, at: string): Detail[] {
  const check = checker(schema);
  return check.Check(value) ? [] : detailsOf(check.Errors(value), at);
}
