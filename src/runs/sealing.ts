import type { StepKeyTable } from "../../db/schema/tables.ts";
import type { Cipher } from "../execution/checkpoints.ts";
import { seal, unseal } from "../identity/sealing.ts";
import type { Runtime } from "../platform/runtime.ts";

/**
 * The output of a step that needs approval is encrypted before it reaches the disk: AES-256-GCM under a key for that
 * step, which is stored encrypted under the master key. However the approval ends, the key is destroyed, and only what
 * was approved is written in clear. Remnants in the WAL or in free pages are ciphertext.
 */
export interface StepSealing {
  /** Returns a new key for a run's step, in its stored form. */
  newKey(run_id: string, step: string): StepKeyTable;
  /** Returns a cipher under a stored key. `open` throws for text that was sealed for another step or was changed. */
  cipher(key: StepKeyTable): Cipher;
}

const keyBytes = 32;

/** Creates the step sealing. Called by `app.ts`. `master`: 32 bytes. */
export function createStepSealing(runtime: Pick<Runtime, "randomBytes">, master: Uint8Array): StepSealing {
  const keyAbout = (run_id: string, step: string) => `step key of ${run_id}:${step}`;
  return {
    newKey(run_id, step) {
      const key = Buffer.from(runtime.randomBytes(keyBytes)).toString("base64url");
      return { run_id, step, sealed_key: seal(runtime, master, key, keyAbout(run_id, step)) };
    },
    cipher({ run_id, step, sealed_key }) {
      const key = Buffer.from(unseal(master, sealed_key, keyAbout(run_id, step)), "base64url");
      const about = `${run_id}:${step}`;
      return {
        seal: (text) => seal(runtime, key, text, about),
        open: (sealed) => unseal(key, sealed, about),
      };
    },
  };
}
