import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { type RJSFSchema, type RJSFValidationError, toErrorSchema, type ValidatorType } from "@rjsf/utils";
import { isKeyword, type Keyword } from "./words.ts";

/** Keywords that only pass on what is wrong below them. */
const carriers = new Set(["properties", "items", "additionalProperties", "$ref", "allOf"]);

/** `#/a/0` as `a.0`, as the form names its fields; of what is missing, the missing one. */
function propertyOf({ instanceLocation, keyword, error }: OutputUnit): string {
  const path = instanceLocation
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const missing = keyword === "required" ? /"([^"]+)"/.exec(error)?.[1] : undefined;
  return [...path, ...(missing === undefined ? [] : [missing])].join(".");
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
      const message = say(isKeyword(unit.keyword) ? unit.keyword : "other");
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
