import { Credits } from "../../src/accounts/usage/schema.ts";
import { bodyOf } from "../../src/cli/client/http.ts";
import { Run } from "../../src/runs/schema.ts";

/** One run that was asked for, under its own idempotency key, and the id that it was accepted under. */
export interface Submission {
  readonly apiKey: string;
  readonly idempotencyKey: string;
  /** Whether it ends behind its acceptance, or with it. */
  readonly later: boolean;
  id?: string;
}

/** What was asked for on one data folder, in order; up to `reconciled` it was proved what became of it. */
export interface Book {
  readonly submissions: Submission[];
  reconciled: number;
}

/** What one run of `bench-noop` costs, in credits. */
export const chargedCredits = 350;

const terminal = new Set(["succeeded", "failed", "refused"]);

/** Connections at once, of the load and of what is checked afterwards. */
const connections = 24;

interface Answer {
  readonly id: string;
  readonly replayed: boolean;
}

/** Asks for the run. Throws when the server answers anything but 202; rejects when it does not answer. */
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

/** An answer that a healthy server never gives. */
export class RefusedError extends Error {}

async function read(baseUrl: string, path: string, apiKey: string): Promise<string> {
  const response = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } });
  const text = await response.text();
  if (response.status !== 200) throw new RefusedError(`GET ${path} was answered ${response.status}: ${text}`);
  return text;
}

/** The run once it is terminal; throws when it is not within so many ms. */
export async function ended(baseUrl: string, apiKey: string, id: string, withinMs: number): Promise<Run> {
  for (const deadline = performance.now() + withinMs; ; await Bun.sleep(5)) {
    const run = bodyOf(Run, await read(baseUrl, `/v1/runs/${id}`, apiKey));
    if (terminal.has(run.status)) return run;
    if (performance.now() > deadline) throw new Error(`run ${id} is still ${run.status} after ${withinMs} ms`);
  }
}

/** The firm's credits, as its key sees them. */
export const creditsOf = async (baseUrl: string, apiKey: string) =>
  bodyOf(Credits, await read(baseUrl, "/v1/credits?limit=1", apiKey)).balance;

/** Does `work` for each item, on several connections at once. */
export async function forEach<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

/** A load that goes on until its server does not answer any more. Every submission is in `book` before it is sent. */
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
 * Proves what was promised of each submission since the last time: one that was accepted is the same run again under its idempotency key;
 * one whose answer was lost is accepted now, once; and every run succeeds, charged once.
 */
export async function reconcile(baseUrl: string, book: Book): Promise<void> {
  await forEach(book.submissions.slice(book.reconciled), async (submission) => {
    const again = await submit(baseUrl, submission);
    if (submission.id !== undefined && again.id !== submission.id)
      throw new Error(`run ${submission.id} was lost: its idempotency key made ${again.id}`);
    if (submission.id !== undefined && !again.replayed) throw new Error(`run ${submission.id} was made anew`);
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
