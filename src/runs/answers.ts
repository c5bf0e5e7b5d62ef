import type { Principal } from "../identity/principal.ts";
import type { RecentRuns } from "./recent.ts";
import { mayApprove, type StoredRun } from "./record.ts";

const json = "application/json;charset=utf-8";
/** `Retry-After` of an unfinished run, in seconds. With `wait`, one poll is enough. */
const lookAgainAfter = "1";
// Created once: copying headers into a response takes half the time of reading them from an object.
const asJson = { headers: new Headers({ "content-type": json }) };
const unfinished = { headers: new Headers({ "content-type": json, "retry-after": lookAgainAfter }) };
const accepted = { status: 202, ...unfinished };

/** Formats runs as HTTP responses. Output awaiting approval is shown only to approvers. */
export const runAnswers = (recentRuns: RecentRuns) => ({
  /** Returns 200 with the run and, while it is unfinished, `Retry-After`. */
  read: (run: StoredRun, caller: Principal): Response =>
    new Response(recentRuns.text(run, mayApprove(caller)), run.row.finished_at === null ? unfinished : asJson),
  /**
   * Returns 202 with the run, its location and `Retry-After`. `replayed`: the idempotency key had created it earlier.
   */
  accepted(run: StoredRun, caller: Principal, replayed = false): Response {
    const response = new Response(recentRuns.text(run, mayApprove(caller)), accepted);
    response.headers.set("location", `/v1/runs/${run.row.id}`);
    if (replayed) response.headers.set("idempotency-replayed", "true");
    return response;
  },
});
