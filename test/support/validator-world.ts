import { expect } from "bun:test";
import { openReader } from "../../db/sqlite/verification.ts";
import type { AppOptions } from "../../src/app.ts";
import { present } from "../../src/platform/assert.ts";
import { marketValidator } from "../../src/products/capabilities/market-validator/manifest.ts";
import type { Interruptible } from "../../src/products/slices.ts";
import { validateBeforeShipping } from "../../src/products/use-cases/validate-before-shipping.ts";
import type { ValidationResult } from "../../src/products/validator/schema.ts";
import { verifyValidations } from "../../src/products/validator/verify.ts";
import type { CapabilityDefinition } from "../../src/registry/contract.ts";
import { type Firm, World } from "./harness.ts";
import { expectSound } from "./invariants.ts";
import { callTool } from "./mcp-world.ts";

/** The slugs whose gates are open in a validator world. */
const validatorGates = ["market-validator", "validate-before-shipping"];

/** Opens an app with the market validator and its use case. */
export async function validatorWorld(
  onCommit?: (world: () => World) => void,
  sold: CapabilityDefinition = marketValidator,
  options: Partial<AppOptions> = {},
): Promise<World> {
  const world = await World.open(onCommit, { capabilities: [sold], useCases: [validateBeforeShipping], ...options });
  await world.openGates(...validatorGates);
  return world;
}

/** A hypothesis with all of its parts. */
export const bicycles =
  "Cyclists who commute every day are afraid of theft. We offer theft cover in an app for 4 EUR a month, and a pilot with 300 riders renewed it.";

/** Creates an audience and returns its id. */
export async function audienceOf(world: World, firm: Firm, size = 10, more: object = {}): Promise<string> {
  const given = { name: "Riders", description: "Adults who ride to work.", market: "CZ", size, ...more };
  const { value, text } = await callTool(world, firm.key, "create_audience", given);
  return present(value.audience_id as string | undefined, `an audience: ${text}`);
}

/** Orders a validation and returns its id. */
export async function ordered(world: World, firm: Firm, asked: object): Promise<string> {
  const { value, text } = await callTool(world, firm.key, "run_validation", { hypothesis: bicycles, ...asked });
  return present(value.simulation_id as string | undefined, `a validation: ${text}`);
}

/** Returns a validation as reported by `get_result`. */
export async function resultOf(world: World, firm: Firm, simulation_id: string): Promise<ValidationResult> {
  const { value } = await callTool(world, firm.key, "get_result", { simulation_id });
  return value as unknown as ValidationResult;
}

/** Runs interruptible work to completion without yielding to the event loop. */
export function runToEnd<T>(work: Interruptible<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Checks everything that must hold in an idle world, including its studies. */
export async function expectSoundStudies(world: World): Promise<void> {
  await expectSound(world.store);
  const reader = openReader(world.store.file);
  expect(verifyValidations(reader).problems).toEqual([]);
  reader.close();
}
