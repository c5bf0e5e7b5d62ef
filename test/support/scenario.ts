import { expect, test } from "bun:test";
import type { ErrorBody } from "../../src/web/errors.ts";
import { type Firm, World } from "./harness.ts";
import { expectSound } from "./invariants.ts";

export interface Scene {
  readonly world: World;
  readonly firm: Firm;
  /** Another tenant. */
  readonly other: Firm;
}

/** One request to an endpoint, and everything that must follow from it. */
export interface Scenario {
  readonly name: string;
  /** What must be the case before. */
  readonly given?: (scene: Scene) => Promise<unknown>;
  readonly ask: (scene: Scene) => Promise<Response>;
  readonly status: number;
  /** The error's code. Absent: the answer is no error. */
  readonly code?: string;
  /** The places that a validation error points at. */
  readonly paths?: readonly string[];
  /** Headers of the answer; null: it must not be there. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** How the firm's credits change, once nothing is under way any more. Absent: not at all. */
  readonly ledger?: { readonly available: number; readonly reserved: number };
  /** What must hold afterwards besides. */
  readonly afterwards?: (scene: Scene, answer: string) => Promise<void>;
}

function expectError(body: string, { code, paths }: Scenario): void {
  const error: Partial<ErrorBody["error"]> = (JSON.parse(body) as Partial<ErrorBody>).error ?? {};
  expect(error.code).toBe(code);
  expect(error.message).toBeString();
  // What is no fault of the caller's names the request, for the operator.
  const named = error.request_id === undefined ? [] : ["request_id"];
  expect(Object.keys(error).filter((name) => name !== "details")).toEqual(["code", "message", ...named]);
  expect((error.details ?? []).map(({ path }) => path)).toEqual([...(paths ?? [])]);
}

async function play(scenario: Scenario): Promise<void> {
  await using world = await World.open();
  const scene = { world, firm: await world.firm(), other: await world.firm() };
  await scenario.given?.(scene);
  await world.idle();
  const before = await world.balance(scene.firm);
  const response = await scenario.ask(scene);
  const body = await response.text();
  await world.idle();
  const after = await world.balance(scene.firm);
  expect([response.status, body]).toEqual([scenario.status, expect.any(String)]);
  if (scenario.code !== undefined) expectError(body, scenario);
  for (const [name, value] of Object.entries(scenario.headers ?? {})) expect(response.headers.get(name)).toBe(value);
  for (const text of scenario.shows ?? []) expect(body).toContain(text);
  for (const text of scenario.hides ?? []) expect(body).not.toContain(text);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect({ available: after.available - before.available, reserved: after.reserved - before.reserved }).toEqual(
    scenario.ledger ?? { available: 0, reserved: 0 },
  );
  await scenario.afterwards?.(scene, body);
  await expectSound(world.store);
}

/** Makes a test of each row, in a world of its own with two tenants of 10,000 credits. */
export function scenarios(table: readonly Scenario[]): void {
  for (const scenario of table) test(scenario.name, () => play(scenario));
}
