import type { CacheByAccessVersion } from "../../db/queries/access-version.ts";
import { openGates } from "../../db/queries/entitlements.ts";
import type { Db } from "../../db/store.ts";
import type { Engine } from "../contracts/engine.ts";
import { assert } from "../platform/assert.ts";
import { chain, type MaybePromise } from "../platform/maybe-promise.ts";
import type { CapabilityDefinition, CapabilityManifest, PrivateCapabilities, UseCaseManifest } from "./contract.ts";
import { type EngineServices, type EngineSource, engineFrom } from "./services.ts";

/** Returns the names of the open gates, cached until one of them changes. */
export type Gates = () => MaybePromise<ReadonlySet<string>>;

/** Everything that can be sold, by slug, and the engines that carry it out, by name. */
export interface Registry {
  readonly capabilities: ReadonlyMap<string, CapabilityManifest>;
  readonly useCases: ReadonlyMap<string, UseCaseManifest>;
  /** Returns the engine of a capability or of an internal step, or undefined if there is none of that name. */
  engine(name: string): Engine | undefined;
  /** Returns the time limit for one attempt of a step, in milliseconds. */
  deadline(name: string): number;
  /**
   * Loads changes to private capabilities. Called whenever a caller is identified, and for effects that a change may
   * affect. Returns undefined if up to date.
   */
  refresh(): Promise<void> | undefined;
  /** Returns whether the engine is built in, so that it stays the same while the server runs. */
  isBuiltIn(engine: string): boolean;
  /** Incremented by each change of `capabilities`. */
  revision(): number;
  /** Calls `listener` after each change of `capabilities`. */
  onChange(listener: () => void): void;
  /** Returns the names of the open gates. */
  gates: Gates;
}

/**
 * Returns whether a firm with these entitlements sees a capability. A private one is visible only to firms that hold
 * all it requires.
 */
export const isVisible = (manifest: CapabilityManifest, held: readonly string[]): boolean =>
  !manifest.private || manifest.entitlements.every((name) => held.includes(name));

/** The gate that every run needs open. */
export const platformGate = "platform";

const defaultDeadline = 120_000;

/** Returns a definition with its engine created. */
export const withEngine = (definition: CapabilityDefinition, services: EngineServices): CapabilityManifest => ({
  ...definition,
  engine: engineFrom(definition.engine, services),
});

/** Asserts that each step needs only steps before it, so that the first step can start and none waits for ever. */
function assertOrder({ slug, steps }: UseCaseManifest): void {
  const known = new Set<string>();
  for (const { key, needs = [] } of steps) {
    assert(
      needs.every((needed) => known.has(needed)),
      `step ${key} of ${slug} needs only steps before it`,
    );
    known.add(key);
  }
}

/** Creates the registry: built-in capabilities, and capabilities private to firms, which may change at any time. */
export function createRegistry(
  capabilities: readonly CapabilityDefinition[],
  useCases: readonly UseCaseManifest[],
  stepSources: Readonly<Record<string, EngineSource>>,
  services: EngineServices,
  gates: Gates,
  privately?: PrivateCapabilities,
): Registry {
  const builtIn = new Map(capabilities.map((capability) => [capability.slug, withEngine(capability, services)]));
  assert(builtIn.size === capabilities.length, "every capability has a slug of its own");
  for (const useCase of useCases) assertOrder(useCase);
  const stepEngines: Readonly<Record<string, Engine>> = Object.fromEntries(
    Object.entries(stepSources).map(([name, source]) => [name, engineFrom(source, services)]),
  );
  const bySlug = new Map(builtIn);
  let shown: readonly CapabilityManifest[] = [];
  let revision = 0;
  const listeners: (() => void)[] = [];

  function take(now: readonly CapabilityManifest[]): void {
    if (now === shown) return;
    for (const { slug } of shown) if (!builtIn.has(slug)) bySlug.delete(slug);
    // Built-in capabilities take precedence over a firm's own of the same name.
    for (const manifest of now) if (!builtIn.has(manifest.slug)) bySlug.set(manifest.slug, manifest);
    shown = now;
    revision++;
    for (const listener of listeners) listener();
  }

  return {
    gates,
    capabilities: bySlug,
    useCases: new Map(useCases.map((useCase) => [useCase.slug, useCase])),
    // A firm's own engine never carries out a use case's step, even if it has the same name.
    engine: (name) => builtIn.get(name)?.engine ?? stepEngines[name] ?? bySlug.get(name)?.engine,
    deadline: (name) => bySlug.get(name)?.deadline_ms ?? defaultDeadline,
    revision: () => revision,
    onChange: (listener) => void listeners.push(listener),
    isBuiltIn: (engine) => builtIn.has(engine) || Object.hasOwn(stepEngines, engine),
    refresh() {
      const now = privately?.current() ?? shown;
      if (now instanceof Promise) return now.then(take);
      take(now);
      return undefined;
    },
  };
}

/** Reads the open gates without caching, for a command that reads them once. */
export const readGates = (db: Db): MaybePromise<ReadonlySet<string>> =>
  chain(openGates.all(db, {}), (gates) => new Set(gates.map((gate) => gate.name)));

/** Creates the gate reader of a running server. */
export function createGates(db: Db, cacheByAccessVersion: CacheByAccessVersion): Gates {
  const known = cacheByAccessVersion(() => readGates(db));
  return () => known("gates");
}

/** Why an entitled caller's run would not be accepted now. The codes are those of the error response. */
export type Blocker = "capability_runs_disabled" | "commercial_validation_required";

/** Returns null if the platform's and the capability's gates are open and the engine is ready. */
export function capabilityBlocker(capability: CapabilityManifest, gates: ReadonlySet<string>): Blocker | null {
  const open = gates.has(platformGate) && gates.has(capability.slug) && capability.engine.ready() === null;
  return open ? null : "capability_runs_disabled";
}

/**
 * Returns why a use case cannot run. The commercial gate is checked first, because its error says not to retry, while
 * the others say to retry later.
 */
export function useCaseBlocker(
  registry: Registry,
  useCase: UseCaseManifest,
  gates: ReadonlySet<string>,
): Blocker | null {
  if (useCase.status === "validation_required" && !gates.has(useCase.slug)) return "commercial_validation_required";
  const open =
    gates.has(platformGate) &&
    useCase.steps.every(({ capability }) => {
      const sold = registry.capabilities.has(capability);
      return registry.engine(capability)?.ready() === null && (!sold || gates.has(capability));
    });
  return open && gates.has(useCase.slug) ? null : "capability_runs_disabled";
}
