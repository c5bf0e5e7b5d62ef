import type { Db } from "../store.ts";
import type { Outcome, Transition } from "../transition.ts";
import { GroupInDoubt, type GroupWriter } from "./group-writer.ts";

/** At most so many transitions share a commit: it bounds how long one of them waits for the others. */
const groupLimit = 64;
/**
 * A transition of more characters is long. Short ones go past it, and of long ones one commit with so many characters is
 * under way at a time: what is handed to the thread is one text, which holds the loop, and one firm's large inputs are to
 * hold no other firm up.
 */
const longTransition = 16_384;
const longCharacters = 125_000;
/** So many are worth a commit of their own, in the middle of a turn and while the one before is under way. */
const minimumBatch = 24;
/** Groups that are under way at once: the connection goes on with the second while the first is answered. */
const inFlightAtMost = 2;

interface Waiting {
  readonly transition: Transition;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

type Transaction = () => Promise<void>;

/** The characters of what may be long in a transition: inputs, results, parts of a step. */
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
  /** Why the last commit was not written; undefined where it was. */
  trouble(): unknown;
  /** Resolves when nothing is waiting to be written. */
  drained(): Promise<void>;
}

/**
 * The queue of the writing connection. Transitions of one turn of the event loop share a commit, without a
 * timer: a lone one waits for nobody. Many do not wait for the end of the turn, nor for the commit before. A transaction
 * of single queries has the connection to itself, between two groups.
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

  /** Long transitions for the next group: one at least. */
  private takeLong(): Waiting[] {
    let characters = 0;
    let count = 0;
    while (count < this.long.length && characters < longCharacters) characters += this.long[count++]?.length ?? 0;
    return this.long.splice(0, count);
  }

  /** Transitions that wait together have nothing to do with one another: an actor's next one waits for the one before. */
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
      // Nothing of the group was written (a full disk, say), or nobody knows yet; and each of its writers hears so.
      for (const [i, { reject }] of group.entries()) reject(error instanceof GroupInDoubt ? error.commit(i) : error);
    }
    if (long.length > 0) this.isLongUnderWay = false;
    this.inFlight--;
    this.proceed();
  }

  /** Starts what may be started now. Where both wait, a group and a transaction take turns, the group first. */
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

/** `nextTurn` resolves on the next turn of the event loop. Made by each store. */
export function createWriter(connection: GroupWriter, nextTurn: () => Promise<void>): Writer {
  return new WriteQueue(connection, nextTurn);
}
