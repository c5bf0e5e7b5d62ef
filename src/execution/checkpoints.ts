import { checkpointOf } from "../../db/queries/checkpoints.ts";
import type { EffectTable } from "../../db/schema/tables.ts";
import type { Store } from "../../db/store.ts";
import { transitionOf } from "./transition.ts";

/** The checkpoints of one step of an actor. */
export interface Checkpoints {
  /** Returns the stored result for `key`, or does the work and stores its result. The value must be JSON. */
  through<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Encrypts and decrypts texts under one key. */
export interface Cipher {
  seal(text: string): string;
  open(sealed: string): string;
}

/** For values that need no encryption. */
const asItIs: Cipher = { seal: (text) => text, open: (text) => text };

const parsed = <T>(json: string): T => JSON.parse(json) as T;

/**
 * Returns checkpoints stored as rows, for one attempt of a step. A crash between two checkpoints repeats only the
 * unfinished part; the engine cannot tell a stored value from a new one. `cipher` is for steps whose output is withheld
 * until it is approved, so that their intermediate results are sealed as well.
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

/** For work that is not durable, such as an answer outside a run: each part is done and nothing is written. */
export const noCheckpoints: Checkpoints = { through: (_, work) => work() };
