import { Credits } from "../../src/accounts/usage/schema.ts";
import { bodyOf } from "../../src/cli/client/http.ts";
import { Run } from "../../src/runs/schema.ts";

/** A submitted run with its own idempotency key, and the id under which it was accepted. */
export interface Submission {
  readonly apiKey: string;
  readonly idempotencyKey: string;
  /** Whether it finishes after its acceptance rather than with it. */
  readonly later: boolean;
  id?: string;
}

/** The submissions to one data folder, in order; the first `reconciled` of them have been checked. */
export interface Book {
  readonly submissions: Submission[];
  reconciled: number;
}

/** Charge of one run of `bench-noop`, in credits. */
export const chargedCredits = 350;

const terminal = new Set(["succeeded", "failed", "refused"]);

/** Number of concurrent connections, for the load and for the checks afterwards. */
const connections = 24;

interface Answer {
  readonly id: string;
  readonly replayed: boolean;
}

/** Submits the run. Throws for any status but 202; rejects when there is no response. */
export async function submit(baseUrl: string, { apiKey, idempotencyKey, later }: Submission): Promise<Answer> {
  const response = await fetch(`${baseUrl}/v1/capabilities/bench-noop/runs`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "idempotency-key": idempotencyKey,
      "content-type": "application/json",
    },
    body: JSON.stringify({ input: { payload: "x", later } }),
  });
  const text = await response.text();
  if (response.status !== 202) throw new RefusedError(`a submission was answered ${response.status}: ${text}`);
  return { id: bodyOf(Run, text).id, replayed: response.headers.get("idempotency-replayed") === "true" };
}

/** A response that a healthy server never gives. */
export class RefusedError extends Error {}

async function read(baseUrl: string, path: string, apiKey: string): Promise<string> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await response.text();
  if (response.status !== 200) throw new RefusedError(`GET ${path} was answered ${response.status}: ${text}`);
  return text;
}

/** Returns the run once it is terminal; throws if it is not within `withinMs`. */
export async function ended(baseUrl: string, apiKey: string, id: string, withinMs: number): Promise<Run> {
  for (const deadline = performance.now() + withinMs; ; await Bun.sleep(5)) {
    const run = bodyOf(Run, await read(baseUrl, `/v1/runs/${id}`, apiKey));
    if (terminal.has(run.status)) return run;
    if (performance.now() > deadline) throw new Error(`run ${id} is still ${run.status} after ${withinMs} ms`);
  }
}

/** Returns the firm's balance, as its key sees it. */
export const creditsOf = async (baseUrl: string, apiKey: string) =>
  bodyOf(Credits, await read(baseUrl, "/v1/credits?limit=1", apiKey)).balance;

/** Calls `work` for each item, on several connections at once. */
export async function forEach<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

/** Submits runs until the server stops responding. Every submission is recorded in `book` before it is sent. */
export async function loadUntilGone(baseUrl: string, apiKeys: readonly string[], book: Book): Promise<void> {
  const client = async (worker: number) => {
    for (let turn = 0; ; turn++) {
      const apiKey = apiKeys[(worker * 7 + turn) % apiKeys.length] ?? "";
      const submission: Submission = { apiKey, idempotencyKey: crypto.randomUUID(), later: turn % 2 === 0 };
      book.submissions.push(submission);
      try {
        submission.id = (await submit(baseUrl, submission)).id;
      } catch (error) {
        if (error instanceof RefusedError) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, worker) => client(worker)));
}

/**
 * Checks every submission since the last call: an accepted one returns the same run under its idempotency key, one
 * whose response was lost is accepted now, once, and every run succeeds and is charged once.
 */
export async function reconcile(baseUrl: string, book: Book): Promise<void> {
  await forEach(book.submissions.slice(book.reconciled), async (submission) => {
    const again = await submit(baseUrl, submission);
    if (submission.id !== undefined && again.id !== submission.id)
      throw new Error(`run ${submission.id} was lost: its idempotency key created ${again.id}`);
    if (submission.id !== undefined && !again.replayed)
      throw new Error(`run ${submission.id} was created a second time`);
    submission.id = again.id;
    const run = await ended(baseUrl, submission.apiKey, again.id, 60_000);
    const { charged_credits, released_credits, maximum_credits } = run.charges;
    if (run.status !== "succeeded") throw new Error(`run ${run.id} is ${run.status}`);
    if (charged_credits !== chargedCredits) throw new Error(`run ${run.id} was charged ${charged_credits}`);
    if (charged_credits + released_credits !== maximum_credits)
      throw new Error(`run ${run.id}: ${JSON.stringify(run.charges)} does not add up`);
  });
  book.reconciled = book.submissions.length;
}
