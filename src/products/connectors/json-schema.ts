import { Type as T, type TObject, type TSchema, TypeGuard } from "@sinclair/typebox";
import type { Detail } from "../../platform/errors.ts";
import { enumeration } from "../../platform/schema.ts";
import { isLinearPattern, isQuickPattern, type PatternText, patternText } from "./pattern.ts";

/**
 * Converts a manifest's JSON Schema to an internal schema, which then validates, documents and describes a tool like
 * any other. Unsupported keywords are rejected with their path, and so is an input without bounds: everything that a
 * caller may send must be limited.
 */

const formats = ["uri", "date", "date-time", "uuid"];
const deepest = 8;
const mostProperties = 100;
const mostItems = 1_000;
const longestText = 100_000;

const propertyName = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

type Given = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.length > 0 && value.every(isText);
/** Consumers of a published schema use other regex engines, so it must also be valid for the built-in one. */
const isPattern = (value: unknown): value is string => {
  try {
    return isText(value) && value.length <= 300 && new RegExp(value) instanceof RegExp && isLinearPattern(value);
  } catch {
    return false;
  }
};
const isPatternText = (given: Given): given is Given & PatternText =>
  isPattern(given.pattern) &&
  [given.minLength, given.maxLength].every((value) => value === undefined || isCount(value)) &&
  (given.format === undefined || isText(given.format));

/** Returns an own property: `constructor` is a name like any other. */
const own = <V>(record: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** A keyword's check, and the error message if it fails. */
type Rule = readonly [holds: (value: unknown) => boolean, wanted: string];
const count: Rule = [isCount, "must be a whole number of at least 0"];
const number: Rule = [isNumber, "must be a number"];
const flag: Rule = [(value) => typeof value === "boolean", "must be true or false"];

const described: Readonly<Record<string, Rule>> = {
  title: [isText, "must be a string"],
  description: [isText, "must be a string"],
};
const numeric = {
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: [(value: unknown) => isNumber(value) && value > 0, "must be a number above 0"] as Rule,
};

/** The keywords that each type may have besides the descriptive ones. */
const keywords: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  string: {
    minLength: count,
    maxLength: count,
    pattern: [
      isPattern,
      "must be a regular expression of at most 300 characters, without look-around and back references",
    ],
    format: [(value) => isText(value) && formats.includes(value), `must be one of ${formats.join(", ")}`],
    enum: [isTexts, "must be a list of strings"],
  },
  integer: numeric,
  number: numeric,
  boolean: {},
  null: {},
  array: { items: [isObject, "must be a schema"], minItems: count, maxItems: count, uniqueItems: flag },
  object: {
    properties: [isObject, "must be an object of schemas"],
    required: [(value) => Array.isArray(value) && value.every(isText), "must be a list of property names"],
    additionalProperties: flag,
  },
};

/** Collects errors. The resulting schema is valid only if there are none. */
class Reader {
  readonly details: Detail[] = [];

  /** `isInput`: every text, list and object in it must be bounded. */
  constructor(private readonly isInput: boolean) {}

  private wrong(path: string, message: string): TSchema {
    this.details.push({ path, message });
    return T.Unknown();
  }

  schema(given: unknown, path: string, depth = 0): TSchema {
    if (!isObject(given)) return this.wrong(path, "must be a schema");
    if (depth > deepest) return this.wrong(path, `must not be nested more than ${deepest} deep`);
    if (given.anyOf !== undefined) return this.anyOf(given, path, depth);
    const { type } = given;
    if (Array.isArray(type)) return this.alternatives(given, type, path, depth);
    const known = isText(type) ? own(keywords, type) : undefined;
    if (!isText(type) || !known)
      return this.wrong(`${path}/type`, `must be one of ${Object.keys(keywords).join(", ")}, or a list of these`);
    const { type: _, ...rest } = given;
    for (const [name, value] of Object.entries(rest)) {
      const rule = own(known, name) ?? own(described, name);
      if (!rule) this.wrong(`${path}/${name}`, `is not supported for the type ${type}`);
      else if (!rule[0](value)) this.wrong(`${path}/${name}`, rule[1]);
    }
    return this.typed(type, rest, path, depth);
  }

  /** Converts `type: [string, "null"]` to alternatives, each with the keywords that apply to it. */
  private alternatives({ type: _, ...given }: Given, types: readonly unknown[], path: string, depth: number): TSchema {
    const owned = (type: unknown) => (isText(type) ? Object.keys(own(keywords, type) ?? {}) : []);
    const all = types.flatMap(owned);
    for (const name of Object.keys(given))
      if (!all.includes(name) && !Object.hasOwn(described, name))
        this.wrong(`${path}/${name}`, "is not supported for these types");
    const anyOf = types.map((type) => {
      const own = owned(type);
      return { type, ...Object.fromEntries(Object.entries(given).filter(([name]) => own.includes(name))) };
    });
    return this.anyOf({ title: given.title, description: given.description, anyOf }, path, depth);
  }

  private anyOf({ anyOf, title, description, ...rest }: Given, path: string, depth: number): TSchema {
    for (const name of Object.keys(rest))
      if (!Object.hasOwn(described, name)) this.wrong(`${path}/${name}`, "can't be combined with anyOf");
    if (!Array.isArray(anyOf) || anyOf.length === 0 || anyOf.length > 10)
      return this.wrong(`${path}/anyOf`, "must be a list of 1 to 10 schemas");
    const words = { ...(isText(title) && { title }), ...(isText(description) && { description }) };
    return T.Union(
      anyOf.map((one, i) => this.schema(one, `${path}/anyOf/${i}`, depth + 1)),
      words,
    );
  }

  private typed(type: string, options: Given, path: string, depth: number): TSchema {
    switch (type) {
      case "string":
        return this.text(options, path);
      case "integer":
        return T.Integer(options);
      case "number":
        return T.Number(options);
      case "boolean":
        return T.Boolean(options);
      case "array":
        return this.array(options, path, depth);
      case "object":
        return this.object(options, path, depth);
      default:
        return T.Null(options);
    }
  }

  private text(options: Given, path: string): TSchema {
    const { enum: values, ...rest } = options;
    if (isTexts(values)) return { ...enumeration(...values), ...rest };
    if (this.isInput && (!isCount(rest.maxLength) || rest.maxLength > longestText))
      this.wrong(`${path}/maxLength`, `is required in an input, at most ${longestText}`);
    if (!isPatternText(rest)) return T.String(rest);
    if (!isQuickPattern(rest))
      this.wrong(`${path}/pattern`, "takes too long on the longest text: simplify it, or lower maxLength");
    return patternText(rest);
  }

  private array({ items, ...options }: Given, path: string, depth: number): TSchema {
    if (this.isInput && (!isCount(options.maxItems) || options.maxItems > mostItems))
      this.wrong(`${path}/maxItems`, `is required in an input, at most ${mostItems}`);
    if (items === undefined) return this.wrong(`${path}/items`, "is required");
    return T.Array(this.schema(items, `${path}/items`, depth + 1), options);
  }

  object(
    { properties = {}, required = [], additionalProperties = false, ...options }: Given,
    path: string,
    depth: number,
  ): TObject {
    const entries = isObject(properties) ? Object.entries(properties) : [];
    if (entries.length > mostProperties)
      this.wrong(`${path}/properties`, `must have at most ${mostProperties} properties`);
    if (this.isInput && additionalProperties !== false)
      this.wrong(`${path}/additionalProperties`, "must be false in an input: unknown properties are refused");
    const names = Array.isArray(required) ? required.filter(isText) : [];
    for (const name of names)
      if (!entries.some(([known]) => known === name))
        this.wrong(`${path}/required`, "names a property that is not in properties");
    for (const [name] of entries)
      if (!propertyName.test(name))
        this.wrong(`${path}/properties`, "has a name with other characters than letters, digits, _, - and .");
    const made = entries.map(([name, schema]) => {
      const one = this.schema(schema, `${path}/properties/${name}`, depth + 1);
      return [name, names.includes(name) ? one : T.Optional(one)];
    });
    return T.Object(Object.fromEntries(made), { ...options, additionalProperties: additionalProperties === true });
  }
}

/** A schema and its errors; it must not be used if there are any. */
export interface ReadSchema {
  readonly schema: TObject;
  readonly details: readonly Detail[];
}

/** Reads the schema of an object at `path`. With `isInput`, everything that a caller may send must be bounded. */
export function readSchema(given: unknown, path: string, isInput: boolean): ReadSchema {
  const reader = new Reader(isInput);
  const schema = reader.schema(given, path);
  if (TypeGuard.IsObject(schema)) return { schema, details: reader.details };
  const details = reader.details.length > 0 ? reader.details : [{ path: `${path}/type`, message: "must be object" }];
  return { schema: T.Object({}), details };
}
