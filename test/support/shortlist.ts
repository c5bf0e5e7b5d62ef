import { present } from "../../src/platform/assert.ts";
import type { UseCaseManifest } from "../../src/registry/contract.ts";
import type { Run } from "../../src/runs/schema.ts";
import { type Behaviour, useCase } from "./engines.ts";
import { type Firm, World } from "./harness.ts";

/** A use case whose second step names targets that a person approves one by one. */

interface Target {
  readonly name: string;
  readonly why: string;
}
export interface Targets {
  readonly targets: readonly Target[];
}

const targetsOf = (output: unknown): readonly Target[] => (output as Targets).targets;

const triage = useCase("shortlist", "available");
export const shortlist: UseCaseManifest = {
  ...triage,
  steps: triage.steps.map((step) =>
    step.requires_approval
      ? {
          ...step,
          approval_items: {
            labels: (output) => targetsOf(output).map(({ name }) => name),
            only: (output, places) => ({
              targets: places.map((place) => present(targetsOf(output)[place], "a target")),
            }),
          },
        }
      : step,
  ),
};

/** Ten firms, with names that appear nowhere else. */
export const names = Array.from({ length: 10 }, (_, i) => `Zmrzlina Broker ${"ABCDEFGHIJ"[i]} s.r.o.`);
export const targets: Targets = { targets: names.map((name) => ({ name, why: `${name} advises on liability` })) };
/** Returns a behaviour that names the targets for the given credits, of at most 700. */
export const nameTargets =
  (credits?: number, result = targets): Behaviour =>
  async () => ({ result, ...(credits !== undefined && { credits }) });

/** Opens a world that sells the use case, with its gate open. */
export async function openShortlist(onCommit?: (world: () => World) => void): Promise<World> {
  const world = await World.open(onCommit, { useCases: [useCase("triage", "available"), shortlist] });
  await world.openGates("shortlist");
  return world;
}

/** Starts a run and waits until it awaits the decision on its ten targets. */
export async function waitingShortlist(world: World, firm: Firm, behave = nameTargets()): Promise<Run> {
  world.engines.names.behave = behave;
  const run = await world.settled(firm, { useCase: "shortlist" });
  if (run.status !== "awaiting_approval") throw new Error(`the run is ${run.status}`);
  return run;
}

/** Returns the ids of the ten items except those given. */
export const idsBut = (...left: string[]): string[] =>
  names.map((_, i) => String(i + 1)).filter((id) => !left.includes(id));

/** Sends a decision as the firm's approver, or with the given credential. */
export const sendDecision = (world: World, firm: Firm, { id }: Run, body: unknown, as = firm.people.approver.token) =>
  world.ask(`/v1/runs/${id}/approval`, { as, body });
