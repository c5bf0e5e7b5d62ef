import type { Principal } from "../identity/principal.ts";
import type { RecentRuns } from "./recent.ts";
import { mayApprove, type StoredRun } from "./record.ts";

const json = "application/json;charset=utf-8";
/** Seconds until a look at an unfinished run is worth the while. `wait` makes it one look. */
const lookAgainAfter = "1";
// Made once: a response copies them in half the time that it takes to read an object's.
const asJson = { headers: new Headers({ "content-type": json }) };
const unfinished = { headers: new Headers({ "content-type": json, "retry-after": lookAgainAfter }) };
const accepted = { status: 202, ...unfinished };

/** Runs as routes return them. Those who may approve see what waits for it. */
export const runAnswers = (recentRuns: RecentRuns) => ({
  /** 200 with the run, and while it goes on when to ask again. */
  read: (run: StoredRun, caller: Principal): Response =>
    new Response(recentRuns.text(run, mayApprove(caller)), run.row.finished_at === null ? unfinished : asJson),
  /** 202 with the run, where it is and when to look. `replayed`: the idempotency key had made it before. */
  accepted(run: StoredRun, caller: Principal, replayed = false): Response {
    const response = new Response(recentRuns.text(run, mayApprove(caller)), accepted);
    response.headers.set("location", `/v1/runs/${run.row.id}`);
    if (replayed) response.headers.set("idempotency-replayed", "true");
    return response;
  },
});
