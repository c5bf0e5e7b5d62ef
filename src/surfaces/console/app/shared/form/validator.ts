import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { type RJSFSchema, type RJSFValidationError, toErrorSchema, type ValidatorType } from "@rjsf/utils";
import { isKeyword, type Keyword } from "./words.ts";

/** Keywords that only pass on what is wrong below them. */
const carriers = new Set(["properties", "items", "additionalProperties", "$ref", "allOf"]);

const partsOf = (location: string): string[] =>
  location
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

const valueAt = (data: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, part) => (typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined),
    data,
  );

/** `#/a/0` as `a.0`, as the form names its fields; of what is missing, the missing one. */
function propertyOf({ instanceLocation, keyword, error }: OutputUnit): string {
  const path = partsOf(instanceLocation);
  const missing = keyword === "required" ? /"([^"]+)"/.exec(error)?.[1] : undefined;
  return [...path, ...(missing === undefined ? [] : [missing])].join(".");
}

/** What is told of it: of a field that was left empty that it is needed, of an address what one looks like. */
function keywordOf({ keyword, instanceLocation, error }: OutputUnit, data: unknown): Keyword {
  const value = valueAt(data, partsOf(instanceLocation));
  if (keyword === "type" && value == null) return "required";
  if (keyword === "minItems" && Array.isArray(value) && value.length === 0) return "required";
  if (keyword === "format" && error.includes('"uri"')) return "uri";
  return isKeyword(keyword) ? keyword : "other";
}

/**
 * Checks a form's data, for `@rjsf/core`: by an interpreter of JSON Schema, since the usual validator compiles schemas
 * with `new Function`, which this page's policy forbids. `say`: what a person is told of a broken keyword.
 */
export function formValidator(say: (keyword: Keyword) => string): ValidatorType {
  const unitsOf = (schema: Readonly<Record<string, unknown>>, data: unknown): OutputUnit[] =>
    new Validator({ ...schema }, "2020-12", false).validate(data ?? {}).errors;
  function errorsOf(schema: RJSFSchema, data: unknown): RJSFValidationError[] {
    const told = unitsOf(schema, data).filter(({ keyword }) => !carriers.has(keyword));
    return told.map((unit) => {
      const message = say(keywordOf(unit, data));
      const property = propertyOf(unit);
      return { name: unit.keyword, property: `.${property}`, message, stack: `${property}: ${message}` };
    });
  }
  return {
    validateFormData(data, schema) {
      const errors = errorsOf(schema, data);
      return { errors, errorSchema: toErrorSchema(errors) };
    },
    isValid: (schema, data) => unitsOf(schema, data).length === 0,
    rawValidation: () => ({ errors: [] }),
  };
}
