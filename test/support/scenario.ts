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

/** A request to an endpoint and all of its expected consequences. */
export interface Scenario {
  readonly name: string;
  /** Sets up the state before the request. */
  readonly given?: (scene: Scene) => Promise<unknown>;
  readonly ask: (scene: Scene) => Promise<Response>;
  readonly status: number;
  /** The expected error code; absent if the request succeeds. */
  readonly code?: string;
  /** The paths in a validation error. */
  readonly paths?: readonly string[];
  /** Expected response headers; `null` means absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly shows?: readonly string[];
  readonly hides?: readonly string[];
  /** The expected change of the firm's credits once nothing is running; no change if absent. */
  readonly ledger?: { readonly available: number; readonly reserved: number };
  /** Further checks afterwards. */
  readonly afterwards?: (scene: Scene, answer: string) => Promise<void>;
}

function expectError(body: string, { code, paths }: Scenario): void {
  const error: Partial<ErrorBody["error"]> = (JSON.parse(body) as Partial<ErrorBody>).error ?? {};
  expect(error.code).toBe(code);
  expect(error.message).toBeString();
  expect(Object.keys(error).filter((name) => name !== "details")).toEqual(["code", "message"]);
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

/** Defines a test for each row, in its own world with two tenants of 10,000 credits. */
export function scenarios(table: readonly Scenario[]): void {
  for (const scenario of table) test(scenario.name, () => play(scenario));
}
