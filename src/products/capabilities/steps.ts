import type { Engine } from "../../contracts/engine.ts";
import { pending } from "./pending.ts";

/** The engines of use-case steps that are no capabilities of their own, by the names that the use cases give them. */
export const stepEngines: Readonly<Record<string, Engine>> = Object.fromEntries(
  ["talent-intelligence", "structure", "targets", "report"].map((name) => [name, pending(name)]),
);
