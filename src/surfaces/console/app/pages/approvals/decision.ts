import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { usePersonName } from "../../shared/people.ts";
import type { Me } from "../../shared/session.ts";
import { toast } from "../../shared/toast.ts";
import { useWords } from "./words.ts";

/** Owners and approvers decide; the server holds to the same. */
export const mayDecide = ({ role }: Me): boolean => role === "owner" || role === "approver";

/** What expires within a day is marked. */
export const soonMs = 86_400_000;

/** Sends a decision about a run, and shows what came of it. */
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
    // Decided elsewhere, or cancelled: the page shows how it stands now.
    onError: () => queries.invalidateQueries({ queryKey: ["run", run_id] }),
  });
}

/** Who decided, by name. Undefined: nobody did, and it expired. */
export function useDecider(): (approval: Schemas["Approval"]) => string | undefined {
  const say = useWords();
  const nameOf = usePersonName();
  return ({ decided_by }) =>
    decided_by === null || decided_by === "expiry" ? undefined : (nameOf(decided_by) ?? say("somebody"));
}

/** How many of its items were approved, of how many; `isInPart`: some, and not all. */
export function approvedOf({ items }: Schemas["Approval"]) {
  const all = items?.length ?? 0;
  const approved = items?.filter(({ decision }) => decision === "approve").length ?? 0;
  return { all, approved, isInPart: approved > 0 && approved < all };
}
