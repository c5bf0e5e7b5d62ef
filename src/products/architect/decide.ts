import { solutionById } from "../../../db/queries/solutions.ts";
import type { SolutionTable } from "../../../db/schema/solution-tables.ts";
import type { Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import type { AuditEntry } from "../../../db/transition.ts";
import { type SolutionContext, type SolutionEvent, solutionMachine } from "../../../machines/solution.ts";
import type { ActorKind, Decision } from "../../execution/host.ts";
import { createStatechart } from "../../execution/statechart.ts";
import { transitionOf } from "../../execution/transition.ts";
import { present } from "../../platform/assert.ts";

/** The solution statechart. */
const solutionStatechart = createStatechart<typeof solutionMachine, SolutionContext, never>(solutionMachine);

const asState = (state: string): SolutionTable["state"] => state as SolutionTable["state"];

/** Data that accompanies an event and does not concern the state machine. */
export interface SolutionEventContext {
  readonly at: number;
  /** The actor, as the audit log names it. */
  readonly actor: string;
  /** Set for CHOOSE. */
  readonly choices_json?: string;
  /** Set for SAVE. */
  readonly saved?: Pick<SolutionTable, "saved_json" | "saved_sha256" | "consent_email">;
}

/** A solution's row before its first event. */
export type NewSolution = Pick<
  SolutionTable,
  "id" | "firm_id" | "workspace_id" | "user_id" | "intake_json" | "created_at"
>;

const auditOf = (row: SolutionTable, action: string, { at, actor }: SolutionEventContext): AuditEntry[] => [
  { at, firm_id: row.firm_id, actor, action, subject: row.id, data: { state: row.state, saved: row.saved_sha256 } },
];

/** Creates a solution from its intake. Called by `service.ts`. */
export function decideNewSolution(solution: NewSolution, context: SolutionEventContext): Decision<SolutionTable> {
  const initial = solutionStatechart.initial(undefined);
  const row: SolutionTable = {
    ...solution,
    state: asState(initial.state),
    choices_json: "[]",
    saved_json: null,
    saved_sha256: null,
    consent_email: null,
    consented_at: null,
    revision: 1,
    snapshot_json: initial.snapshot,
    updated_at: solution.created_at,
  };
  const audit = auditOf(row, "solution.intake", context);
  return { state: row, transition: transitionOf({ actors: [{ write: "solution.insert", row }], audit }) };
}

function rowAfter(row: SolutionTable, event: SolutionEvent, context: SolutionEventContext): SolutionTable {
  const step = solutionStatechart.next(row.snapshot_json, event);
  const { choices_json, saved, at } = context;
  return {
    ...row,
    ...(event.type === "CHOOSE" && { choices_json: present(choices_json, "the choices of a design") }),
    ...(event.type === "SAVE" && { ...present(saved, "what is saved"), consented_at: at }),
    state: asState(step.state),
    snapshot_json: step.snapshot,
    updated_at: at,
  };
}

/** Applies events to a stored solution. Every state accepts every event. */
export function decideSolution(
  stored: SolutionTable,
  events: readonly SolutionEvent[],
  context: SolutionEventContext,
): Decision<SolutionTable> {
  let row = stored;
  const audit: AuditEntry[] = [];
  for (const event of events) {
    row = rowAfter(row, event, context);
    audit.push(...auditOf(row, `solution.${event.type.toLowerCase()}`, context));
  }
  row = { ...row, revision: stored.revision + 1 };
  const known = stored.revision;
  return { state: row, transition: transitionOf({ actors: [{ write: "solution.update", row, known }], audit }) };
}

export type SolutionKind = ActorKind<SolutionTable, SolutionEvent, SolutionEventContext>;

/** Creates the actor kind of solutions. */
export const createSolutionKind = (store: Pick<Store, "read">): SolutionKind => ({
  load: async (id) => present(await solutionById.first(unscoped(store.read), { id }), "the solution of an event"),
  decide: decideSolution,
  published: () => undefined,
});
