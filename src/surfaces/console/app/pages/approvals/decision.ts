import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { usePersonName } from "../../shared/people.ts";
import type { Me } from "../../shared/session.ts";
import { toast } from "../../shared/toast.ts";
import { useWords } from "./words.ts";

/** Whether the person may decide: owners and approvers may. The server enforces the same rule. */
export const mayDecide = ({ role }: Me): boolean => role === "owner" || role === "approver";

/** Approvals that expire within this time, in milliseconds, are highlighted. */
export const soonMs = 86_400_000;

/** Returns the mutation that submits a decision about a run and shows the outcome. */
export function useDecision(run_id: string) {
  const say = useWords();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ApprovalDecisionRequest"]) =>
      bodyOf(api.POST("/v1/runs/{run_id}/approval", { params: { path: { run_id } }, body })),
    onSuccess(run) {
      queries.setQueryData(["run", run_id], run);
      void queries.invalidateQueries({ queryKey: ["approvals"] });
      toast.done(say(run.approval?.decision === "reject" ? "rejected" : "approved"));
    },
    // Decided by someone else, or cancelled: reload the current state.
    onError: () => queries.invalidateQueries({ queryKey: ["run", run_id] }),
  });
}

/** Returns a function that names the person who decided; `undefined` if the approval expired undecided. */
export function useDecider(): (approval: Schemas["Approval"]) => string | undefined {
  const say = useWords();
  const nameOf = usePersonName();
  return ({ decided_by }) =>
    decided_by === null || decided_by === "expiry" ? undefined : (nameOf(decided_by) ?? say("somebody"));
}

/** Counts the approved items. `isInPart` is true if some, but not all, were approved. */
export function approvedOf({ items }: Schemas["Approval"]) {
  const all = items?.length ?? 0;
  const approved = items?.filter(({ decision }) => decision === "approve").length ?? 0;
  return { all, approved, isInPart: approved > 0 && approved < all };
}
