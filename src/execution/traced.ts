import type { Store } from "../../db/store.ts";
import type { Tracing } from "../platform/tracing.ts";
import type { Handler } from "./worker.ts";

/** The store as the host writes to it: each decision has a span, and what it leads to goes on below it. */
export const tracedStore = (store: Store, tracing: Tracing): Pick<Store, "commit"> => ({
  commit: (transition) =>
    tracing.span("decide", "decide", { "assay.effects": transition.effects.add.length }, () => {
      for (const { id } of transition.effects.add) tracing.leadsTo(id);
      return store.commit(transition);
    }),
});

/** The handler with a span for each effect that it carries out. */
export const tracedHandler =
  (carryOut: Handler, tracing: Tracing): Handler =>
  (effect, control) => {
    const attributes = { "assay.actor": effect.actor_id, "assay.engine": effect.engine };
    return tracing.effect(effect.id, `${effect.machine} ${effect.kind}`, attributes, () => carryOut(effect, control));
  };
