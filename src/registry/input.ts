import type { TSchema } from "@sinclair/typebox";
import { type Detail, Failure } from "../platform/errors.ts";
import { isWellFormed } from "../platform/json.ts";
import { lowerCaseIds } from "../platform/lower-case-ids.ts";
import { detailLimit, problems } from "../platform/validate.ts";
import type { CapabilityManifest, Tool, UseCaseManifest } from "./contract.ts";
import type { Registry } from "./registry.ts";

/**
 * Returns the places of texts with an unpaired surrogate. Canonical JSON cannot carry one, so such an input could be
 * neither hashed nor signed.
 */
function placesOfMalformed(value: unknown, at: string): Detail[] {
  if (typeof value === "string")
    return value.isWellFormed()
      ? []
      : [{ path: at, message: "must be well-formed Unicode, without unpaired surrogates" }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => placesOfMalformed(member, `${at}/${name}`));
}

/** The places are searched for only if there are any, which is rare. */
const malformedTexts = (value: unknown, at: string): Detail[] =>
  isWellFormed(value) ? [] : placesOfMalformed(value, at).slice(0, detailLimit);

/** Throws `validation_error` for an already validated value that has no canonical form. */
export function checkTexts(value: unknown, at: string): void {
  const details = malformedTexts(value, at);
  if (details.length > 0) throw new Failure("validation_error", details);
}

/**
 * Throws `validation_error` if an input does not fit its schema or has no canonical form. Lower-cases its ids in place,
 * in a refused input too, which may have been accepted under an earlier schema.
 */
export function checkInput(schema: TSchema, input: unknown, at = "/body/input"): void {
  lowerCaseIds(schema, input);
  const wrong = problems(schema, input, at);
  const details = wrong.length > 0 ? wrong : malformedTexts(input, at);
  if (details.length > 0) throw new Failure("validation_error", details);
}

/**
 * Awaits the work, moving the places of its validation errors below `at`, for inputs that are not in a run's body.
 * Throws what it throws.
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

/**
 * Returns an example input that a capability's tools show and a run accepts, or else the input schema's own example.
 */
export const exampleInput = ({ tools, input_schema }: CapabilityManifest): unknown =>
  tools.flatMap((tool) => tool.examples).find(({ input }) => problems(input_schema, input, "").length === 0)?.input ??
  input_schema.examples?.[0];

/** Returns an example input of a use case: its schema's own, or one of a capability whose input it shares. */
export function useCaseExample({ capabilities }: Registry, { input_schema, steps }: UseCaseManifest): unknown {
  const [own] = input_schema.examples ?? [];
  const shared = steps.flatMap(({ capability }) => capabilities.get(capability) ?? []);
  return own ?? shared.map(exampleInput).find((input) => problems(input_schema, input, "").length === 0);
}

/** Returns the tools of a capability that take its own input (or none, if it takes none). A call of one is a run. */
export const runTools = ({ tools, input_schema }: CapabilityManifest): Tool[] =>
  tools.filter((tool) =>
    tool.input_schema === null
      ? Object.keys(input_schema.properties).length === 0
      : Bun.deepEquals(tool.input_schema, input_schema),
  );

/** The tool that runs every use case. */
export const useCaseTool = "run_use_case";

/** Returns the name of the tool with which a run of the capability is started over MCP. */
export const toolOfRun = (manifest: CapabilityManifest): string =>
  manifest.run_tool ?? runTools(manifest)[0]?.name ?? manifest.slug;
