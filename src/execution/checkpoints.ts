import { checkpointOf } from "../../db/queries/checkpoints.ts";
import type { EffectTable } from "../../db/schema/tables.ts";
import type { Store } from "../../db/store.ts";
import { transitionOf } from "./transition.ts";

/** The checkpoints of one step of an actor. */
export interface Checkpoints {
  /** What the part came to: read where it was done before, else done and written. Its value is JSON. */
  through<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Seals texts under one key, and opens them. */
export interface Cipher {
  seal(text: string): string;
  open(sealed: string): string;
}

/** For what anybody who may read the database may read. */
const asItIs: Cipher = { seal: (text) => text, open: (text) => text };

const parsed = <T>(json: string): T => JSON.parse(json) as T;

/**
 * Checkpoints as rows, made for each attempt of a step, by its effect. A crash between two of them repeats the part that was under way
 * and none of those before; what was read and what was just written look the same to the engine. `cipher`: for steps
 * whose output is withheld until it is approved, and with it whatever their parts come to.
 */
export function createCheckpoints(
  store: Pick<Store, "read" | "commit">,
  { id: effect_id, actor_id }: EffectTable,
  step: string,
  cipher: Cipher = asItIs,
): Checkpoints {
  return {
    async through<T>(key: string, work: () => Promise<T>): Promise<T> {
      const known = await checkpointOf.first(store.read, { actor_id, step, key });
      if (known) return parsed<T>(cipher.open(known.value_json));
      const value_json = JSON.stringify((await work()) ?? null);
      const put = [{ actor_id, step, key, value_json: cipher.seal(value_json), effect_id }];
      await store.commit(transitionOf({ checkpoints: { put, clear: [] } }));
      return parsed<T>(value_json);
    },
  };
}

/** For what is not durable, such as an answer outside of runs: each part is done, and nothing is written. */
export const noCheckpoints: Checkpoints = { through: (_, work) => work() };
