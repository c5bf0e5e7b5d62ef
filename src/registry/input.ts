import type { TSchema } from "@sinclair/typebox";
import { type Detail, Failure } from "../platform/errors.ts";
import { isWellFormed } from "../platform/json.ts";
import { lowerCaseIds } from "../platform/lower-case-ids.ts";
import { detailLimit, problems } from "../platform/validate.ts";
import type { CapabilityManifest, Tool, UseCaseManifest } from "./contract.ts";
import type { Registry } from "./registry.ts";

/** Texts with half a surrogate pair, which no canonical JSON can carry: such an input could be neither hashed nor signed. */
function placesOfMalformed(value: unknown, at: string): Detail[] {
  if (typeof value === "string")
    return value.isWellFormed() ? [] : [{ path: at, message: "must be well-formed Unicode, without half a character" }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => placesOfMalformed(member, `${at}/${name}`));
}

/** The places are looked for where there are any: nearly all inputs have none. */
const malformedTexts = (value: unknown, at: string): Detail[] =>
  isWellFormed(value) ? [] : placesOfMalformed(value, at).slice(0, detailLimit);

/** Throws `validation_error` for a value, checked otherwise, that has no canonical form to be kept in. */
export function checkTexts(value: unknown, at: string): void {
  const details = malformedTexts(value, at);
  if (details.length > 0) throw new Failure("validation_error", details);
}

/** Throws `validation_error` where an input does not fit its schema, or has no canonical form to be hashed in. Its ids are lower after it. */
export function checkInput(schema: TSchema, input: unknown, at = "/body/input"): void {
  const wrong = problems(schema, input, at);
  const details = wrong.length > 0 ? wrong : malformedTexts(input, at);
  if (details.length > 0) throw new Failure("validation_error", details);
  lowerCaseIds(schema, input);
}

/**
 * The same work, whose refusals of an input name their places below `at`: for whoever takes an input elsewhere than a run
 * does. Throws what it throws.
 */
export async function inputAt<T>(at: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "validation_error") throw error;
    throw new Failure(
      error.code,
      error.details.map(({ path, message }) => ({ path: path.replace(/^\/body\/input/, at), message })),
    );
  }
}

/** An input that a capability's tools show and that a run of it takes; where they take others, its schema's own example. */
export const exampleInput = ({ tools, input_schema }: CapabilityManifest): unknown =>
  tools.flatMap((tool) => tool.examples).find(({ input }) => problems(input_schema, input, "").length === 0)?.input ??
  input_schema.examples?.[0];

/** An input that a use case takes: its schema's own example, or one of the capability whose input it shares. */
export function useCaseExample({ capabilities }: Registry, { input_schema, steps }: UseCaseManifest): unknown {
  const [own] = input_schema.examples ?? [];
  const shared = steps.flatMap(({ capability }) => capabilities.get(capability) ?? []);
  return own ?? shared.map(exampleInput).find((input) => problems(input_schema, input, "").length === 0);
}

/** The tools of a capability that take its own input, or none where it takes none: a call of them is a run of it. */
export const runTools = ({ tools, input_schema }: CapabilityManifest): Tool[] =>
  tools.filter((tool) =>
    tool.input_schema === null
      ? Object.keys(input_schema.properties).length === 0
      : Bun.deepEquals(tool.input_schema, input_schema),
  );

/** The tool that runs each use case. */
export const useCaseTool = "run_use_case";

/** The tool that a run of the capability was begun with over MCP. */
export const toolOfRun = (manifest: CapabilityManifest): string =>
  manifest.run_tool ?? runTools(manifest)[0]?.name ?? manifest.slug;
