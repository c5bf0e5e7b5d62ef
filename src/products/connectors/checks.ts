import type { TObject } from "@sinclair/typebox";
import type { Asked, Computing } from "../../contracts/computing.ts";
import { assert } from "../../platform/assert.ts";
import type { Detail } from "../../platform/errors.ts";
import { problems } from "../../platform/validate.ts";
import { schemaCheck } from "./computation.ts";
import { readSchema } from "./json-schema.ts";
import type { ConnectorManifest } from "./schema.ts";
import { takesLong } from "./schema-cost.ts";

/** Returns a value's validation errors; `at` is the value's path. Rejects with `input_too_costly` when over budget. */
export type Check = (value: unknown, at: string, asked: Asked) => Promise<readonly Detail[]>;

/** The longest body that an operator may allow, in characters; longer than any answer. */
const mostCharacters = 67_108_864;

/** Returns the schema of a stored manifest, which was validated when the connector was added. */
export function goodSchema(given: unknown, isInput: boolean): TObject {
  const { schema, details } = readSchema(given, "", isInput);
  assert(details.length === 0, "the schemas of a stored connector are good");
  return schema;
}

/** Whether validating some value that the schema allows may take too long for the event loop. */
export const mayTakeLong = (schema: TObject): boolean => takesLong(schema, mostCharacters);

/** Returns the check, or `undefined` if every value can be validated quickly on the event loop. */
function checkOf(given: unknown, isInput: boolean, computing: Computing): Check | undefined {
  const schema = goodSchema(given, isInput);
  if (!mayTakeLong(schema)) return undefined;
  const text = JSON.stringify(given);
  return async (value, at, asked) => {
    const written = JSON.stringify(value);
    if (!takesLong(schema, written.length)) return problems(schema, value, at);
    return computing.run(schemaCheck, { schema: text, value: written, at }, asked);
  };
}

/** Returns the checks of a connector's input and output that its engine runs off the event loop. */
export const checksOf = ({ input_schema, output_schema }: ConnectorManifest, computing: Computing) => ({
  input: checkOf(input_schema, true, computing),
  output: checkOf(output_schema, false, computing),
});
