import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { type RJSFSchema, type RJSFValidationError, toErrorSchema, type ValidatorType } from "@rjsf/utils";
import type { Say } from "../words.ts";
import { isKeyword, type Keyword } from "./words.ts";

/** Keywords that only report errors of nested schemas. */
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

/** Converts a location such as `#/a/0` to the form's `a.0`; for a missing member, to that member. */
function propertyOf({ instanceLocation, keyword, error }: OutputUnit): string {
  const path = partsOf(instanceLocation);
  const missing = keyword === "required" ? /"([^"]+)"/.exec(error)?.[1] : undefined;
  return [...path, ...(missing === undefined ? [] : [missing])].join(".");
}

/** Returns the value of the violated keyword, as in "at least 2"; undefined if the schema is a referenced one. */
const limitOf = ({ keywordLocation }: OutputUnit, schema: RJSFSchema): unknown =>
  valueAt(schema, partsOf(keywordLocation));

/** Chooses the message of an error: an empty field is reported as required, and an invalid address with an example. */
function keywordOf({ keyword, instanceLocation, error }: OutputUnit, data: unknown): Keyword {
  const value = valueAt(data, partsOf(instanceLocation));
  if (keyword === "type" && value == null) return "required";
  if (keyword === "minItems" && Array.isArray(value) && value.length === 0) return "required";
  if (keyword === "format" && error.includes('"uri"')) return "uri";
  return isKeyword(keyword) ? keyword : "other";
}

/**
 * Returns a validator for `@rjsf/core` that interprets JSON Schema: the usual validator compiles schemas with `new
 * Function`, which the page's content security policy forbids. `say` returns the message for a violated keyword.
 */
export function formValidator(say: Say<Keyword>): ValidatorType {
  const unitsOf = (schema: Readonly<Record<string, unknown>>, data: unknown): OutputUnit[] =>
    new Validator({ ...schema }, "2020-12", false).validate(data ?? {}).errors;
  function errorsOf(schema: RJSFSchema, data: unknown): RJSFValidationError[] {
    const told = unitsOf(schema, data).filter(({ keyword }) => !carriers.has(keyword));
    return told.map((unit) => {
      const message = say(keywordOf(unit, data), { limit: String(limitOf(unit, schema) ?? "") });
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
