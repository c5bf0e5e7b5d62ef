import {
  type AnyStateMachine,
  type EventFromLogic,
  type InputFrom,
  initialTransition,
  type SnapshotFrom,
  transition,
} from "xstate";

/** The result of one pure step of an actor: the snapshot to store, and the actions to carry out. */
export interface Stepped<Context, Action> {
  /** The snapshot in its stored form: JSON of `{status, value, context}`. */
  readonly snapshot: string;
  /** The name of the top-level state. */
  readonly state: string;
  readonly done: boolean;
  readonly context: Context;
  readonly actions: readonly Action[];
}

/** Maximum number of cached steps. A transition costs several microseconds, a cache look-up less than one. */
const remembered = 4_096;

/**
 * Wraps a machine for the host. A step is a pure function of the stored snapshot and the event, so results are cached:
 * the cache only ever holds what the statechart itself returned.
 */
export function createStatechart<M extends AnyStateMachine, Context, Action>(machine: M) {
  type Step = Stepped<Context, Action>;
  /** Cached steps by snapshot, then by event. A snapshot that came from a step is looked up without parsing it. */
  const known = new Map<string, Map<string, Step>>();
  let held = 0;
  /** Events as JSON. The same event is looked up more than once: to see whether it ends its actor, and to apply it. */
  const texts = new WeakMap<object, string>();

  function textOf(event: object): string {
    let text = texts.get(event);
    if (text === undefined) {
      text = JSON.stringify(event);
      texts.set(event, text);
    }
    return text;
  }

  function stepped(snapshot: SnapshotFrom<M>, ordered: readonly { type: string; params: unknown }[]): Step {
    const { status, value, context } = snapshot as { status: string; value: string | object; context: Context };
    return {
      snapshot: JSON.stringify({ status, value, context }),
      state: typeof value === "string" ? value : (Object.keys(value)[0] ?? ""),
      done: status === "done",
      context,
      actions: ordered.map(({ type, params }) => ({ type, ...(params as object | undefined) })) as Action[],
    };
  }

  function remember(before: string, event: string, compute: () => Step): Step {
    const found = known.get(before)?.get(event);
    if (found) return found;
    const step = compute();
    if (held >= remembered) {
      known.clear();
      held = 0;
    }
    held++;
    known.set(before, (known.get(before) ?? new Map()).set(event, step));
    return step;
  }

  return {
    initial(input: InputFrom<M>): Step {
      return remember("", JSON.stringify(input), () => stepped(...initialTransition(machine, input as never)));
    },
    /**
     * Returns the next step. An event that the state does not accept leaves the snapshot unchanged, with no actions.
     */
    next(snapshot: string, event: EventFromLogic<M>): Step {
      return remember(snapshot, textOf(event), () => {
        const before = machine.resolveState(JSON.parse(snapshot)) as SnapshotFrom<M>;
        return stepped(...transition(machine, before, event));
      });
    },
  };
}
