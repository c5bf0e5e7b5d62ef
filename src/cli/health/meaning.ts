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
  const about = "models of meaning";
  if (!isBuiltIn) return ok(about, "not in this executable: words alone decide");
  if (meaning === "off") return ok(about, "switched off: words alone decide");
  if (available >= memoryNeeded) return ok(about, "loaded at the first use");
  const found = `not loaded: ${mebibytes(available)} of memory free, ${mebibytes(memoryNeeded)} needed`;
  return warn(about, found, 'Give the machine more memory, or set meaning = "off": words alone decide until then.');
}
