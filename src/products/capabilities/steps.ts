import type { Engine } from "../../contracts/engine.ts";
import { lazyEngine } from "./lazy.ts";
import { pending } from "./pending.ts";

const pendingSteps = ["structure", "targets", "report"];

/** The engines of use-case steps that are no capabilities of their own, by the names that the use cases give them. */
export const stepEngines: Readonly<Record<string, Engine>> = {
  "talent-intelligence": lazyEngine({ name: "talent-intelligence", model: null }, async () => {
    return (await import("./talent-intelligence/engine.ts")).talentIntelligence;
  }),
  ...Object.fromEntries(pendingSteps.map((name) => [name, pending(name)])),
};
