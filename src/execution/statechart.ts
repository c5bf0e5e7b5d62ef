import {
  type AnyStateMachine,
  type EventFromLogic,
  type InputFrom,
  initialTransition,
  type SnapshotFrom,
  transition,
} from "xstate";

/** One pure step of an actor: the snapshot to store, and the actions that come with it. */
export interface Stepped<Context, Action> {
  /** The snapshot as it is stored: JSON of `{status, value, context}`. */
  readonly snapshot: string;
  /** The top-level state. */
  readonly state: string;
  readonly done: boolean;
  readonly context: Context;
  readonly actions: readonly Action[];
}

/** Steps are remembered up to this many, for a transition costs several microseconds and a look-up under one. */
const remembered = 4_096;

/**
 * A machine as the host uses it. A step is a pure function of the stored snapshot and the event, so it is remembered:
 * what the map holds is what the statechart itself answered, and never anything else.
 */
export function createStatechart<M extends AnyStateMachine, Context, Action>(machine: M) {
  type Step = Stepped<Context, Action>;
  /** By the snapshot and the event; a snapshot that a step answered is looked up without reading it again. */
  const known = new Map<string, Map<string, Step>>();
  let held = 0;
  /** An event is asked about more than once: whether it ends its actor, and what follows from it. */
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
    /** An event that the state does not take leaves the snapshot as it was, with no actions. */
    next(snapshot: string, event: EventFromLogic<M>): Step {
      return remember(snapshot, textOf(event), () => {
        const before = machine.resolveState(JSON.parse(snapshot)) as SnapshotFrom<M>;
        return stepped(...transition(machine, before, event));
      });
    },
  };
}
