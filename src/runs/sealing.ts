import type { StepKeyTable } from "../../db/schema/tables.ts";
import type { Cipher } from "../execution/checkpoints.ts";
import { seal, unseal } from "../identity/sealing.ts";
import type { Runtime } from "../platform/runtime.ts";

/**
 * What a step that needs approval comes to is sealed from its first byte on disk: AES-256-GCM under a key of the step's
 * own, which is stored sealed under the master key. Any end destroys the key; only what was approved is written in clear.
 * What remains of the rest in the log of the database or in free pages is ciphertext.
 */
export interface StepSealing {
  /** A new key for a step of a run, as it is stored. */
  newKey(run_id: string, step: string): StepKeyTable;
  /** Seals and opens under a stored key. Opening throws for what was sealed for another step, and for what was changed. */
  cipher(key: StepKeyTable): Cipher;
}

const keyBytes = 32;

/** Made by `app.ts`. `master`: 32 bytes. */
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
