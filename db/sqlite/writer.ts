import type { Db } from "../store.ts";
import type { Outcome, Transition } from "../transition.ts";
import { GroupInDoubt, type GroupWriter } from "./group-writer.ts";

/** Maximum number of transitions per commit, which limits how long one of them waits for the others. */
const groupLimit = 64;
/**
 * A transition with more than `longTransition` characters is long. Short transitions overtake long ones, and only one
 * commit with long ones, of about `longCharacters` in total, is in flight at a time: serialising it for the writer
 * thread blocks the event loop, and one firm's large inputs must not delay the others.
 */
const longTransition = 16_384;
const longCharacters = 125_000;
/** Number of waiting transitions that justifies a commit in mid-turn, while the previous one is in flight. */
const minimumBatch = 24;
/**
 * Maximum number of groups in flight: the connection works on the second while the first one's callers are answered.
 */
const inFlightAtMost = 2;

interface Waiting {
  readonly transition: Transition;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

type Transaction = () => Promise<void>;

/** Returns the length in characters of the parts that may be long: inputs, results and checkpoints. */
function lengthOf({ actors, checkpoints, results }: Transition): number {
  let length = 0;
  for (const actor of actors) {
    if (actor.write === "run.insert") length += actor.row.input_json.length + actor.row.steps_json.length;
    else if (actor.write === "run.update") length += actor.row.steps_json.length;
    else if (actor.write === "job.insert" || actor.write === "job.update")
      length += actor.row.input_json.length + (actor.row.result_json?.length ?? 0);
  }
  for (const { value_json } of checkpoints.put) length += value_json.length;
  for (const { result_json } of results.put) length += result_json.length;
  return length;
}

export interface Writer {
  commit(transition: Transition): Promise<Outcome>;
  write<T>(work: (tx: Db) => Promise<T> | T): Promise<T>;
  generation(): number;
  /** Returns why the last commit was not written, or `undefined` if it was. */
  trouble(): unknown;
  /** Resolves when nothing is waiting to be written. */
  drained(): Promise<void>;
}

/**
 * The queue of the writing connection. Transitions from one turn of the event loop share a commit, without a timer, so
 * a single one is not delayed. Many do not wait for the end of the turn, nor for the previous commit. A transaction of
 * single queries has the connection to itself, between two groups.
 */
class WriteQueue implements Writer {
  private readonly waiting: Waiting[] = [];
  private readonly long: (Waiting & { readonly length: number })[] = [];
  private isLongUnderWay = false;
  private readonly transactions: Transaction[] = [];
  private inFlight = 0;
  private isTransacting = false;
  private isScheduled = false;
  private isTransactionDue = false;
  private commits = 0;
  private troubled: unknown;
  private idle: PromiseWithResolvers<void> | undefined;

  constructor(
    private readonly connection: GroupWriter,
    private readonly nextTurn: () => Promise<void>,
  ) {}

  /** Takes long transitions for the next group, at least one. */
  private takeLong(): Waiting[] {
    let characters = 0;
    let count = 0;
    while (count < this.long.length && characters < longCharacters) characters += this.long[count++]?.length ?? 0;
    return this.long.splice(0, count);
  }

  /**
   * Commits the next group. Transitions that wait together are independent, because an actor's next transition is
   * decided only after its previous one.
   */
  private async flush(): Promise<void> {
    const long = this.isLongUnderWay ? [] : this.takeLong();
    if (long.length > 0) this.isLongUnderWay = true;
    const group = [...this.waiting.splice(0, groupLimit), ...long];
    this.inFlight++;
    try {
      const outcomes = await this.connection.commit(group.map(({ transition }) => transition));
      this.committed();
      for (const [i, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[i];
        if (outcome === undefined || outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      this.troubled = error;
      // Nothing of the group was written (a full disk, say), or its outcome is unknown. Each caller gets the error.
      for (const [i, { reject }] of group.entries()) reject(error instanceof GroupInDoubt ? error.commit(i) : error);
    }
    if (long.length > 0) this.isLongUnderWay = false;
    this.inFlight--;
    this.proceed();
  }

  /** Starts whatever can start now. If both are waiting, groups and transactions alternate, starting with a group. */
  private proceed(): void {
    if (this.isTransacting) return;
    if (this.transactions.length > 0) {
      if (this.inFlight > 0) return;
      if (this.hasWaiting() && !this.isTransactionDue) {
        this.isTransactionDue = true;
        void this.flush();
        return;
      }
      this.isTransactionDue = false;
      this.isTransacting = true;
      this.transactions.shift()?.();
      return;
    }
    const isWorth = () => (this.inFlight === 0 ? this.hasWaiting() : this.waiting.length >= minimumBatch);
    while (this.inFlight < inFlightAtMost && isWorth()) void this.flush();
    if (!this.isIdle()) return;
    this.idle?.resolve();
    this.idle = undefined;
  }

  private hasWaiting(): boolean {
    return this.waiting.length + this.long.length > 0;
  }

  private isIdle(): boolean {
    return this.inFlight + this.transactions.length === 0 && !this.hasWaiting() && !this.isTransacting;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    void this.nextTurn().then(() => {
      this.isScheduled = false;
      this.proceed();
    });
  }

  commit(transition: Transition): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const length = lengthOf(transition);
      if (length > longTransition) this.long.push({ transition, resolve, reject, length });
      else this.waiting.push({ transition, resolve, reject });
      if (this.waiting.length >= minimumBatch) this.proceed();
      else if (this.inFlight === 0) this.schedule();
    });
  }

  write<T>(work: (tx: Db) => Promise<T> | T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.transactions.push(async () => {
        await this.transact(work).then(resolve, reject);
        this.isTransacting = false;
        this.proceed();
      });
      this.schedule();
    });
  }

  private async transact<T>(work: (tx: Db) => Promise<T> | T): Promise<T> {
    const failed = this.connection.failure();
    if (failed) throw failed;
    const { tx, expired } = await this.connection.begin();
    let value: T;
    try {
      value = await Promise.race([work(tx), expired]);
    } catch (error) {
      await this.connection.end(false);
      throw error;
    }
    try {
      await this.connection.end(true);
    } catch (error) {
      this.troubled = error;
      if (!this.connection.failure()) await this.connection.end(false);
      throw error;
    }
    this.committed();
    return value;
  }

  private committed(): void {
    this.commits++;
    this.troubled = undefined;
  }

  generation(): number {
    return this.commits;
  }

  trouble(): unknown {
    return this.connection.failure() ?? this.troubled;
  }

  async drained(): Promise<void> {
    while (!this.isIdle()) {
      this.idle ??= Promise.withResolvers();
      await this.idle.promise;
    }
  }
}

/** Creates a store's writer. `nextTurn` resolves on the next turn of the event loop. */
export function createWriter(connection: GroupWriter, nextTurn: () => Promise<void>): Writer {
  return new WriteQueue(connection, nextTurn);
}
