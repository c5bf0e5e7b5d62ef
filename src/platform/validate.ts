import { FormatRegistry, Kind, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler, type ValueError, ValueErrorType } from "@sinclair/typebox/compiler";
import { isCalendarDate, isInstant } from "./dates.ts";
import type { Detail } from "./errors.ts";
import { notBlank } from "./schema.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a text is an absolute http or https URL with a host. */
export function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
}

/** The error message of each format. */
const formatWants = new Map<string, string>();

/** Registers a format with its check and its error message. */
export function defineFormat(name: string, has: (text: string) => boolean, wants: string): void {
  FormatRegistry.Set(name, has);
  formatWants.set(name, wants);
}

/** The error messages of patterns that are not self-explanatory. */
const patternWants = new Map<string, string>([[notBlank.pattern, "must contain at least one visible character"]]);

/** Registers an error message for a pattern, and returns the pattern. */
export function definePattern(pattern: string, wants: string): string {
  patternWants.set(pattern, wants);
  return pattern;
}

/** Patterns of several schemas. */
export const twoLetters = definePattern("^[A-Za-z]{2}$", "must be two letters");
export const twoCapitals = definePattern("^[A-Z]{2}$", "must be two capital letters, such as CZ");
export const languageTag = definePattern(
  "^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$",
  "must be a language tag, such as cs or de-AT",
);

defineFormat("uuid", (text) => uuid.test(text), "must be a UUID");
defineFormat("uri", isHttpUrl, "must be an absolute http or https URL");
defineFormat("date", isCalendarDate, "must be a valid calendar date, such as 2030-12-31");
defineFormat(
  "date-time",
  isInstant,
  "must be a date with time and zone, such as 2030-12-31T23:59:59Z, in the years 0000 to 9999 (UTC)",
);

/** The error message of each kind. */
const kindWants = new Map<string, string>();

/**
 * Registers a kind of text for checks that no published schema can express, such as that two letters are a country
 * code. Takes the check and its error message.
 */
export function defineKind(name: string, has: (text: string) => boolean, wants: string): void {
  TypeRegistry.Set(name, (_, value) => typeof value === "string" && has(value));
  kindWants.set(name, wants);
}

/** Maximum number of details in one response. */
export const detailLimit = 20;

const counted = (count: unknown, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Says what is expected at a place, never what was given there, because that may be a secret. */
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
      return formatWants.get(schema.format) ?? "has the wrong format";
    case ValueErrorType.ArrayMinItems:
      return `must have at least ${counted(schema.minItems, "item")}`;
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${counted(schema.maxItems, "item")}`;
    case ValueErrorType.ArrayUniqueItems:
      return "must not contain duplicate items";
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${schema.minimum}`;
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${schema.maximum}`;
    case ValueErrorType.Kind:
      if (kindWants.has(schema[Kind])) return kindWants.get(schema[Kind]) ?? "has the wrong format";
      if (Array.isArray(schema.enum)) return `must be one of ${schema.enum.join(", ")}`;
      return typeof schema.pattern === "string"
        ? `must match ${schema.pattern} within its length`
        : "has the wrong format";
    default:
      return typeof schema.type === "string" ? `must be of type ${schema.type}` : "has the wrong format";
  }
}

const longestPath = 200;
/** Shortens a long path in a message. The beginning is enough to recognise it. */
export const shownPath = (path: string): string =>
  path.length > longestPath ? `${path.slice(0, longestPath)}…` : path;

/**
 * Maximum number of errors read. Several may be about one place, which gives one detail, and there may be thousands.
 */
const errorLimit = 200;

/** Errors after which a value's contents are not checked: a caller may have sent half a million elements. */
const bounds: ReadonlySet<ValueErrorType> = new Set([
  ValueErrorType.ArrayMaxItems,
  ValueErrorType.ObjectMaxProperties,
  ValueErrorType.StringMaxLength,
]);

/**
 * Returns errors as details, one for each place, prefixed with `at` (`/body`, `/query` …). Stops after the first size
 * limit that is exceeded.
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

/** Returns a schema's checker, compiled once. */
export function checker(schema: TSchema): TypeCheck<TSchema> {
  let check = compiled.get(schema);
  if (!check) {
    check = TypeCompiler.Compile(schema);
    compiled.set(schema, check);
  }
  return check;
}

/** Makes `checker` use a looser schema for this one. The owner of the schema checks the rest outside the event loop. */
export function checkBy(schema: TSchema, looser: TSchema): void {
  compiled.set(schema, TypeCompiler.Compile(looser));
}

/** Returns the problems with a value, empty if it is valid. Places are prefixed with `at`. */
export function problems(schema: TSchema, value: unknown, at: string): Detail[] {
  const check = checker(schema);
  return check.Check(value) ? [] : detailsOf(check.Errors(value), at);
}
