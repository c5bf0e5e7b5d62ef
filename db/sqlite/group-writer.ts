import { finalizeStatements } from "../prepared.ts";
import { CommitInDoubt, type Db } from "../store.ts";
import type { Outcome, Transition } from "../transition.ts";
import type { WritingConnection } from "./writing-connection.ts";

/** How the write queue reaches the writing connection: in this thread or in a worker thread. */
export interface GroupWriter {
  commit(transitions: readonly Transition[]): Promise<readonly (Outcome | Error)[]>;
  /** Opens a transaction of single queries. Nothing else is written until `end`. */
  begin(): Promise<OpenTransaction>;
  end(commit: boolean): Promise<void>;
  /** Returns why nothing can be written any more. */
  failure(): Error | undefined;
  close(): Promise<void>;
}

/** Thrown when a group does not finish in time. It may still be written. */
export class GroupInDoubt extends Error {
  constructor(private readonly outcomes: Promise<readonly (Outcome | Error)[]>) {
    super("the disk does not respond");
  }

  /** Returns the error for the writer of the transition at `index`. */
  commit(index: number): CommitInDoubt {
    const own = async () => {
      const outcome = (await this.outcomes)[index];
      if (outcome === undefined || outcome instanceof Error) throw outcome;
      return outcome;
    };
    return new CommitInDoubt(own());
  }
}

export interface OpenTransaction {
  /** The database that its queries run on. */
  readonly tx: Db;
  /** Rejects when the transaction has blocked other writers for too long. */
  readonly expired: Promise<never>;
}

const never = new Promise<never>(() => undefined);

/** Returns a writer in the event loop, for commands and most tests. `tx` uses the same connection. */
export function localWriter(connection: WritingConnection, tx: Db): GroupWriter {
  return {
    async commit(transitions) {
      const outcomes = connection.commit(transitions);
      connection.fill();
      connection.checkpoint();
      return outcomes;
    },
    async begin() {
      connection.begin();
      return { tx, expired: never };
    },
    async end(commit) {
      connection.end(commit);
      if (commit) connection.checkpoint();
    },
    failure: connection.failure,
    async close() {
      finalizeStatements(connection.database);
      connection.close();
    },
  };
}
