import type { CacheByAccessVersion } from "../../db/queries/access-version.ts";
import { openGates } from "../../db/queries/entitlements.ts";
import type { Db } from "../../db/store.ts";
import type { Engine } from "../contracts/engine.ts";
import { assert } from "../platform/assert.ts";
import { chain, type MaybePromise } from "../platform/maybe-promise.ts";
import type { CapabilityDefinition, CapabilityManifest, PrivateCapabilities, UseCaseManifest } from "./contract.ts";
import { type EngineServices, type EngineSource, engineFrom } from "./services.ts";

/** The names of the gates that are open now: read once, and remembered until one of them changes. */
export type Gates = () => MaybePromise<ReadonlySet<string>>;

/** Everything that can be sold, by its slug, and the engines that carry it out, by their names. */
export interface Registry {
  readonly capabilities: ReadonlyMap<string, CapabilityManifest>;
  readonly useCases: ReadonlyMap<string, UseCaseManifest>;
  /** The engine of a capability or of an internal step; undefined when there is none of that name. */
  engine(name: string): Engine | undefined;
  /** How long one attempt of a step of it may take, in milliseconds. */
  deadline(name: string): number;
  /**
   * Takes in what has changed since: asked for whenever a caller is identified, and for effects of what may change.
   * Undefined: it is up to date already.
   */
  refresh(): Promise<void> | undefined;
  /** Whether the engine of that name is built in, and so the same for as long as the server runs. */
  isBuiltIn(engine: string): boolean;
  /** Moves with each change of `capabilities`. */
  revision(): number;
  /** The names of the gates that are open now. */
  gates: Gates;
}

/** A private capability is there only for a firm that holds all it asks for. */
export const isVisible = (manifest: CapabilityManifest, held: readonly string[]): boolean =>
  !manifest.private || manifest.entitlements.every((name) => held.includes(name));

/** The gate that every run needs open. */
export const platformGate = "platform";

const defaultDeadline = 120_000;

/** A definition with its engine made. */
export const withEngine = (definition: CapabilityDefinition, services: EngineServices): CapabilityManifest => ({
  ...definition,
  engine: engineFrom(definition.engine, services),
});

/** The first step starts the run, and each of the others needs steps before it alone: so none waits for ever. */
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

/** What is sold: what is built in, and what is private to firms, which may change at any time. */
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

  function take(now: readonly CapabilityManifest[]): void {
    if (now === shown) return;
    for (const { slug } of shown) if (!builtIn.has(slug)) bySlug.delete(slug);
    // What is built in goes first, whatever a firm called its own before.
    for (const manifest of now) if (!builtIn.has(manifest.slug)) bySlug.set(manifest.slug, manifest);
    shown = now;
    revision++;
  }

  return {
    gates,
    capabilities: bySlug,
    useCases: new Map(useCases.map((useCase) => [useCase.slug, useCase])),
    // A step of a use case is never carried out by a firm's own engine that happens to have its name.
    engine: (name) => builtIn.get(name)?.engine ?? stepEngines[name] ?? bySlug.get(name)?.engine,
    deadline: (name) => bySlug.get(name)?.deadline_ms ?? defaultDeadline,
    revision: () => revision,
    isBuiltIn: (engine) => builtIn.has(engine) || Object.hasOwn(stepEngines, engine),
    refresh() {
      const now = privately?.current() ?? shown;
      if (now instanceof Promise) return now.then(take);
      take(now);
      return undefined;
    },
  };
}

/** Reads which gates are open, without remembering it: for a command that looks once. */
export const readGates = (db: Db): MaybePromise<ReadonlySet<string>> =>
  chain(openGates.all(db, {}), (gates) => new Set(gates.map((gate) => gate.name)));

/** The gates of a running server, for its registry. */
export function createGates(db: Db, cacheByAccessVersion: CacheByAccessVersion): Gates {
  const known = cacheByAccessVersion(() => readGates(db));
  return () => known("gates");
}

/** Why an entitled caller's run would not be accepted now, or null. The codes are those that the run is refused with. */
export type Blocker = "capability_runs_disabled" | "commercial_validation_required";

/** Null where the gate of the platform and its own are open, and the engine is ready. */
export function capabilityBlocker(capability: CapabilityManifest, gates: ReadonlySet<string>): Blocker | null {
  const open = gates.has(platformGate) && gates.has(capability.slug) && capability.engine.ready() === null;
  return open ? null : "capability_runs_disabled";
}

/** The commercial gate comes first: it says "do not retry", where the others say "later". */
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
