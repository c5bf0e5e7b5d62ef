import type { Settings } from "../../config/settings.ts";
import { memoryNeeded } from "../../knowledge/meaning/service.ts";
import { type HealthCheck, ok, warn } from "../../platform/health-check.ts";

const mebibytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MiB`;

interface Machine {
  /** Whether the executable contains the models. */
  readonly isBuiltIn: boolean;
  /** Memory available to the process, in bytes. */
  readonly available: number;
}

/** Checks whether the meaning models can be used. */
export function meaningCheck({ meaning }: Pick<Settings, "meaning">, { isBuiltIn, available }: Machine): HealthCheck {
  const about = "meaning models";
  if (!isBuiltIn) return ok(about, "not in this executable: texts are compared by words only");
  if (meaning === "off") return ok(about, "switched off: texts are compared by words only");
  if (available >= memoryNeeded) return ok(about, "loaded on first use");
  const found = `not loaded: ${mebibytes(available)} of memory free, ${mebibytes(memoryNeeded)} needed`;
  return warn(about, found, 'Add memory, or set meaning = "off". Until then, texts are compared by words only.');
}
