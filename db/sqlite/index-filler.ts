import type { Database, Statement } from "bun:sqlite";
import type { CompiledStatement } from "../compiled-statement.ts";
import type { IndexFill, IndexSource } from "../queries/secondary-indexes.ts";
import type { Outcome, Transition } from "../transition.ts";

/** Number of new rows in a source after which its indexes are filled, so that readers have little left to fill. */
const batch: Readonly<Record<IndexSource, number>> = { runs: 1_024, receipts: 1_024, transfers: 4_096 };

/** Fills the secondary indexes for rows committed on a connection. Created by `writing-connection.ts`. */
export class IndexFiller {
  private readonly written: Record<IndexSource, number> = { runs: 0, receipts: 0, transfers: 0 };
  private readonly due: IndexFill[] = [];
  private readonly prepared = new Map<CompiledStatement, Statement>();

  constructor(
    private readonly database: Database,
    private readonly fills: readonly IndexFill[],
  ) {}

  count(transitions: readonly Transition[], outcomes: readonly (Outcome | Error)[]): void {
    for (const [i, { actors, receipt, transfers }] of transitions.entries()) {
      const outcome = outcomes[i];
      if (outcome instanceof Error || outcome?.refused) continue;
      if (actors[0]?.write === "run.insert") this.written.runs++;
      if (receipt !== null) this.written.receipts++;
      this.written.transfers += transfers.length;
    }
    for (const source of Object.keys(batch) as IndexSource[]) {
      if (this.written[source] < batch[source]) continue;
      this.written[source] = 0;
      this.due.push(...this.fills.filter(({ from }) => from === source));
    }
  }

  /** Fills the next index that is due. Filling all of them at once would delay the groups that arrive meanwhile. */
  fill(): void {
    const next = this.due.shift();
    if (!next) return;
    this.database.run("begin immediate");
    try {
      for (const statement of next.statements) this.statement(statement).run(...statement.values);
      this.database.run("commit");
    } catch (error) {
      if (this.database.inTransaction) this.database.run("rollback");
      throw error;
    }
  }

  private statement(compiled: CompiledStatement): Statement {
    const known = this.prepared.get(compiled) ?? this.database.prepare(compiled.sql);
    this.prepared.set(compiled, known);
    return known;
  }

  /** Must be called before the connection is closed. */
  finalize(): void {
    for (const known of this.prepared.values()) known.finalize();
    this.prepared.clear();
  }
}
