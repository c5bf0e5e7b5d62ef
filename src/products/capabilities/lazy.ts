import type { Computation } from "../../contracts/computing.ts";
import type { Engine, Limits } from "../../contracts/engine.ts";
import { assert } from "../../platform/assert.ts";

/** Limits for a language model and for the embedded assistant, whose search takes CPU time. */
export const modelLimits: Limits = { total: 4, perFirm: 2 };

/** What is known about an engine before its code is loaded. */
interface Known {
  readonly name: string;
  /** The language model, or null for the embedded method. */
  readonly model: { readonly name: string; ready(): string | null } | null;
  readonly limits?: Limits;
  readonly computations?: readonly Computation<never, unknown>[];
}

/**
 * Returns an engine whose code and data are loaded at its first run, so that neither a server's start nor a server that
 * never runs it pays for them.
 */
export function lazyEngine<Input, Output>(
  { name, model, limits, computations }: Known,
  load: () => Promise<Engine<Input, Output>>,
): Engine<Input, Output> {
  const identity = { name, version: "1.0.0", model: model?.name ?? null };
  let loading: Promise<Engine<Input, Output>> | undefined;
  let there: Engine<Input, Output> | undefined;
  async function loaded(): Promise<Engine<Input, Output>> {
    const engine = await load();
    assert(JSON.stringify(engine.identity) === JSON.stringify(identity), "an engine is what its manifest says");
    there = engine;
    return engine;
  }
  return {
    identity,
    ...(limits && { limits }),
    ...(computations && { computations }),
    ready: () => model?.ready() ?? null,
    async run(input, context) {
      loading ??= loaded();
      return (await loading).run(input, context);
    },
    runInline: (input) => there?.runInline?.(input),
  };
}
