import { stepKeyOf } from "../../db/queries/step-keys.ts";
import { resultsOfRun } from "../../db/queries/step-results.ts";
import type { Store } from "../../db/store.ts";
import type { Cipher } from "../execution/checkpoints.ts";
import type { Principal } from "../identity/principal.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Registry } from "../registry/registry.ts";
import { itemsOf, remarkOn } from "./approval-items.ts";
import { mayApprove, type StoredRun } from "./record.ts";
import type { StepSealing } from "./sealing.ts";

export interface WithheldOutputsOptions {
  readonly store: Pick<Store, "read">;
  readonly registry: Registry;
  readonly sealing: StepSealing;
}

/** Opens step outputs that await approval; they are sealed on disk and in memory. Created by `app.ts`. */
export function createWithheldOutputs({ store: { read }, registry, sealing }: WithheldOutputsOptions) {
  /** Returns the cipher of a step's output and checkpoints, or `undefined` if its key was destroyed. */
  async function cipherOf(run_id: string, step: string): Promise<Cipher | undefined> {
    const key = await stepKeyOf.first(read, { run_id, step });
    return key && sealing.cipher(key);
  }

  /** Returns the run with the output awaiting approval and its items, or `undefined` if none awaits approval. */
  async function opened(run: StoredRun): Promise<StoredRun | undefined> {
    const { row } = run;
    const waiting = run.steps.find(({ status }) => status === "awaiting_approval");
    if (!waiting) return undefined;
    let { result } = waiting;
    if (waiting.sealed) {
      const cipher = await cipherOf(row.id, waiting.key);
      const stored = (await resultsOfRun.all(read, { run_seq: row.seq })).find(({ step }) => step === waiting.key);
      if (!cipher || !stored) return undefined;
      result = JSON.parse(cipher.open(stored.result_json)) as unknown;
    }
    const steps = run.steps.map((step) => (step === waiting ? { ...step, result } : step));
    return {
      ...{ row, steps, items: itemsOf(registry, row, waiting.key, result) },
      remark: remarkOn(registry, row, waiting.key, result),
    };
  }

  return {
    cipherOf,
    opened,
    /** Returns the run as this caller may see it: opened for approvers, sealed for everyone else. */
    shownTo: (caller: Principal, run: StoredRun): MaybePromise<StoredRun> =>
      run.row.status === "awaiting_approval" && mayApprove(caller) ? opened(run).then((one) => one ?? run) : run,
  };
}

export type WithheldOutputs = ReturnType<typeof createWithheldOutputs>;
