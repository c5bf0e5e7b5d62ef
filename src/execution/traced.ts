import type { Store } from "../../db/store.ts";
import type { Tracing } from "../platform/tracing.ts";
import type { Handler } from "./worker.ts";

/** Wraps a store so that each commit gets a span, and the effects it adds are traced under that span. */
export const tracedStore = (store: Store, tracing: Tracing): Pick<Store, "commit"> => ({
  commit: (transition) =>
    tracing.span("decide", "decide", { "assay.effects": transition.effects.add.length }, () => {
      for (const { id } of transition.effects.add) tracing.leadsTo(id);
      return store.commit(transition);
    }),
});

/** Wraps a handler so that each effect it carries out gets a span. */
export const tracedHandler =
  (carryOut: Handler, tracing: Tracing): Handler =>
  (effect, control) => {
    const attributes = { "assay.actor": effect.actor_id, "assay.engine": effect.engine };
    return tracing.effect(effect.id, `${effect.machine} ${effect.kind}`, attributes, () => carryOut(effect, control));
  };
