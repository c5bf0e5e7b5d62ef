import { finalizeStatements } from "../prepared.ts";
import type { Db } from "../store.ts";
import type { Outcome, Transition } from "../transition.ts";
import type { WritingConnection } from "./writing-connection.ts";

/** How the queue of writes reaches the writing connection: in this thread, or in one of its own. */
export interface GroupWriter {
  commit(transitions: readonly Transition[]): Promise<readonly (Outcome | Error)[]>;
  /** Opens a transaction of single queries, and answers what they are asked of. Nothing else is written until `end`. */
  begin(): Promise<Db>;
  end(commit: boolean): Promise<void>;
  /** Why nothing can be written any more. */
  failure(): Error | undefined;
  close(): Promise<void>;
}

/** In the event loop: for commands, most tests, and machines with a single core. `tx` asks the connection's own queries. */
export function localWriter(connection: WritingConnection, tx: Db): GroupWriter {
  return {
    async commit(transitions) {
      const outcomes = connection.commit(transitions);
      connection.checkpoint();
      return outcomes;
    },
    async begin() {
      connection.begin();
      return tx;
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
