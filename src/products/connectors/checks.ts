import type { TObject } from "@sinclair/typebox";
import type { Asked, Computing } from "../../contracts/computing.ts";
import { assert } from "../../platform/assert.ts";
import type { Detail } from "../../platform/errors.ts";
import { problems } from "../../platform/validate.ts";
import { schemaCheck } from "./computation.ts";
import { readSchema } from "./json-schema.ts";
import type { ConnectorManifest } from "./schema.ts";
import { takesLong } from "./schema-cost.ts";

/** What is wrong with a value at a place. Rejects with `input_too_costly` beyond the budget. */
export type Check = (value: unknown, at: string, asked: Asked) => Promise<readonly Detail[]>;

/** Characters of the longest body that an operator may allow, which is longer than any answer. */
const mostCharacters = 67_108_864;

/** The schema of a stored manifest, which was good when it was added. */
export function goodSchema(given: unknown, isInput: boolean): TObject {
  const { schema, details } = readSchema(given, "", isInput);
  assert(details.length === 0, "the schemas of a stored connector are good");
  return schema;
}

/** Whether a value that the schema allows may take too long to be checked in the event loop. */
export const mayTakeLong = (schema: TObject): boolean => takesLong(schema, mostCharacters);

/** Undefined: every value is checked in a moment, in the event loop. */
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

/** The checks of what a connector takes and answers that its engine makes, since the event loop leaves them out. */
export const checksOf = ({ input_schema, output_schema }: ConnectorManifest, computing: Computing) => ({
  input: checkOf(input_schema, true, computing),
  output: checkOf(output_schema, false, computing),
});
