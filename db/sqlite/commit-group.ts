import type { Database, Statement } from "bun:sqlite";
import { balanceOfAccount } from "../accounts.ts";
import { auditHash, genesis } from "../audit-chain.ts";
import { claimDigest } from "../claim-digest.ts";
import { bound } from "../compiled-statement.ts";
import { packReceipt } from "../packed-receipt.ts";
import type { AuditTable, BalanceTable, IdempotencyTable, TransferTable } from "../schema/tables.ts";
import type { ActorWrite, Counter, Guard, Outcome, Refused, Transition } from "../transition.ts";
import type { GroupStatements, StatementName } from "./statements.ts";

type Run = (name: StatementName, values: object) => number;
type First = <R>(name: StatementName, values: object) => R | undefined;

/** The cached ends of the append-only tables, so that they need not be read for each group. */
interface Ends {
  run?: number;
  audit?: Pick<AuditTable, "seq" | "hash">;
}

/** Reverts, in memory and in the open transaction, what a transition did before one of its guards refused it. */
type Undo = () => void;

const counterKey = ({ firm_id, name, period }: Omit<Counter, "used">): string => `${firm_id}\n${name}\n${period}`;

/** A group of transitions in one transaction. Balances and counters are read once and written once per group. */
class Group {
  private readonly balances = new Map<string, BalanceTable>();
  private readonly counters = new Map<string, Counter & { used: number }>();
  private readonly changed = new Set<object>();

  constructor(
    private readonly run: Run,
    private readonly first: First,
    private readonly ends: Ends,
  ) {}

  /**
   * Checks the guards in order, then the conditions on balances and revisions. A refused transition leaves no trace.
   */
  admit(transition: Transition): Refused | undefined {
    const undo: Undo[] = [];
    const moved = this.guards(transition.guards, undo) ?? this.move(transition.transfers, undo);
    // A transition decided from an old row may settle again what is settled; the row's revision tells this from a bug.
    const refused = moved instanceof Error ? this.update(transition.actors) : (moved ?? this.update(transition.actors));
    if (refused) for (const step of undo.reverse()) step();
    else if (moved instanceof Error) throw moved;
    return refused;
  }

  private guards(guards: readonly Guard[], undo: Undo[]): Refused | undefined {
    for (const guard of guards) {
      const refused =
        guard.guard === "claim"
          ? this.claim(guard, undo)
          : guard.guard === "quota"
            ? this.use(guard, undo)
            : guard.guard === "effect"
              ? this.finish(guard, undo)
              : this.lease(guard);
      if (refused) return refused;
    }
    return undefined;
  }

  private claim(guard: Extract<Guard, { guard: "claim" }>, undo: Undo[]): Refused | undefined {
    const found = { digest: claimDigest(guard), firm_id: guard.firm_id };
    if (this.run("insertClaim", { ...guard, ...found }) === 1) {
      undo.push(() => this.run("deleteClaim", found));
      return undefined;
    }
    const earlier = this.first<IdempotencyTable>("claimByDigest", found);
    if (!earlier) throw new Error("two idempotency keys have the same digest");
    const { input_hash, resource_id } = earlier;
    return { refused: "idempotency_key_used", earlier: { input_hash, resource_id } };
  }

  private use(guard: Extract<Guard, { guard: "quota" }>, undo: Undo[]): Refused | undefined {
    const { used } = this.counter(guard);
    if (guard.maximum !== null && used >= guard.maximum) return { refused: "quota_exceeded" };
    this.count({ ...guard, used: 1 });
    undo.push(() => this.count({ ...guard, used: -1 }));
    return undefined;
  }

  private finish({ effect }: Extract<Guard, { guard: "effect" }>, undo: Undo[]): Refused | undefined {
    if (this.run("deleteEffect", effect) === 0) return { refused: "effect_done" };
    undo.push(() => this.run("insertEffect", effect));
    return undefined;
  }

  private lease(guard: Extract<Guard, { guard: "lease" }>): Refused | undefined {
    return this.run("claimEffect", guard) === 0 ? { refused: "effect_held" } : undefined;
  }

  private counter(of: Omit<Counter, "used">): Counter & { used: number } {
    const key = counterKey(of);
    let counter = this.counters.get(key);
    if (!counter) {
      const { firm_id, name, period } = of;
      counter = { firm_id, name, period, used: this.first<{ used: number }>("usesOf", of)?.used ?? 0 };
      this.counters.set(key, counter);
    }
    return counter;
  }

  private count(counter: Counter): void {
    const kept = this.counter(counter);
    // A refunded use may never have been counted, if it began under an earlier release.
    kept.used = Math.max(0, kept.used + counter.used);
    this.changed.add(kept);
  }

  private balance(account: string): BalanceTable {
    let balance = this.balances.get(account);
    if (!balance) {
      balance = this.first<BalanceTable>("balanceOf", { account }) ?? { account, available: 0, reserved: 0 };
      this.balances.set(account, balance);
    }
    return balance;
  }

  private add(account: string, amount: number): number {
    const place = balanceOfAccount(account);
    if (!place) return 0;
    const balance = this.balance(place.row);
    balance[place.figure] += amount;
    this.changed.add(balance);
    return balance[place.figure];
  }

  /** Moves each amount from one balance to another. Returns an `Error` if more than the reserved credits is charged. */
  private move(transfers: readonly TransferTable[], undo: Undo[]): Refused | Error | undefined {
    for (const { debit, credit, amount, kind, run_id } of transfers) {
      if (!Number.isSafeInteger(amount) || amount <= 0) throw new Error(`invalid transfer of ${amount} credits`);
      const left = this.add(debit, -amount);
      this.add(credit, amount);
      undo.push(() => {
        this.add(debit, amount);
        this.add(credit, -amount);
      });
      if (left >= 0) continue;
      if (kind === "settle" || kind === "release")
        return new Error(`run ${run_id}: the credits settled or released are not covered by a reservation`);
      return { refused: "insufficient_credits" };
    }
    return undefined;
  }

  /**
   * Updates rows that another transition may have changed meanwhile. It is the last check, because it cannot be undone.
   */
  private update(actors: readonly ActorWrite[]): Refused | undefined {
    for (const [i, actor] of actors.entries()) {
      const written =
        actor.write === "run.update"
          ? this.run("updateRun", actor.row)
          : actor.write === "job.update" || actor.write === "validation.update"
            ? this.run("updateSnapshot", {
                ...actor.snapshot,
                revision: actor.known,
                next: actor.snapshot.revision,
              })
            : actor.write === "document.update"
              ? this.run("updateDocument", { ...actor.row, known: actor.known })
              : actor.write === "solution.update"
                ? this.run("updateSolution", { ...actor.row, known: actor.known })
                : 1;
      if (written === 1) continue;
      if (i > 0) throw new Error("another transition changed the second actor of this one");
      return { refused: "stale_revision" };
    }
    return undefined;
  }

  /** Writes the admitted transitions table by table, which is cheaper than alternating between statements. */
  write(transitions: readonly Transition[]): (number | null)[] {
    const places = transitions.map(({ actors }) => this.insertActors(actors));
    for (const { effects } of transitions) {
      for (const id of effects.remove) this.run("deleteEffect", { id });
      for (const effect of effects.add) this.run("insertEffect", effect);
    }
    for (const { checkpoints } of transitions) {
      for (const ended of checkpoints.clear)
        this.run(ended.step === undefined ? "deleteCheckpoints" : "deleteCheckpointsOfStep", ended);
      for (const checkpoint of checkpoints.put) this.run("insertCheckpoint", checkpoint);
    }
    for (const [i, { results, actors }] of transitions.entries()) this.setResults(results, actors, places[i]);
    for (const { keys } of transitions) {
      for (const ended of keys.clear) this.run(ended.step === undefined ? "deleteStepKeys" : "deleteStepKey", ended);
      for (const key of keys.put) this.run("insertStepKey", key);
    }
    for (const { transfers } of transitions) for (const transfer of transfers) this.run("insertTransfer", transfer);
    for (const { counters } of transitions) for (const counter of counters) this.count(counter);
    for (const { audit } of transitions) for (const entry of audit) this.chain(entry);
    for (const [i, { receipt, actors }] of transitions.entries())
      if (receipt !== null)
        this.run("insertReceipt", { run_seq: places[i] ?? placeOf(actors), receipt: packReceipt(receipt) });
    for (const row of this.changed) this.run("account" in row ? "setBalance" : "setUse", row);
    return places;
  }

  /** Inserts new rows, and updates those without a revision check. Returns the sequence number of an inserted run. */
  private insertActors(actors: readonly ActorWrite[]): number | null {
    let place: number | null = null;
    for (const actor of actors) {
      if (actor.write === "run.insert") {
        this.ends.run ??= this.first<{ seq: number }>("lastRun", {})?.seq ?? 0;
        place = ++this.ends.run;
        this.run("insertRun", { ...actor.row, seq: place });
      } else if (actor.write === "job.insert") {
        this.run("insertJob", actor.row);
        this.run("insertSnapshot", actor.snapshot);
      } else if (actor.write === "job.update") this.run("updateJob", actor.row);
      else if (actor.write === "validation.insert") {
        this.run("insertValidation", actor.row);
        this.run("insertSnapshot", actor.snapshot);
      } else if (actor.write === "validation.update") {
        this.run("updateValidation", actor.row);
        for (const persona of actor.personas) this.run("putPersona", persona);
      } else if (actor.write === "document.insert") this.run("insertDocument", actor.row);
      else if (actor.write === "solution.insert") this.run("insertSolution", actor.row);
      else if (actor.write === "configuration.run") this.run("touchSavedConfiguration", actor);
      else if (actor.write === "chunks.delete") this.run("deleteChunks", actor);
    }
    return place;
  }

  private setResults({ put, clear }: Transition["results"], actors: readonly ActorWrite[], inserted?: number | null) {
    if (put.length + clear.length === 0) return;
    const run_seq = inserted ?? placeOf(actors);
    for (const step of clear) this.run("deleteStepResult", { run_seq, step });
    for (const result of put) this.run("insertStepResult", { ...result, run_seq });
  }

  private chain({ at, firm_id, actor, action, subject, data }: Transition["audit"][number]): void {
    const last = this.ends.audit ?? this.first<Pick<AuditTable, "seq" | "hash">>("lastAudit", {});
    const row = { seq: (last?.seq ?? 0) + 1, at, firm_id, actor, action, subject, data_json: JSON.stringify(data) };
    const hash = auditHash(last?.hash ?? genesis, row);
    this.run("insertAudit", { ...row, hash });
    this.ends.audit = { seq: row.seq, hash };
  }
}

function placeOf(actors: readonly ActorWrite[]): number {
  for (const actor of actors) if (actor.write === "run.update") return actor.row.seq;
  throw new Error("only a run has a receipt or step results");
}

/** Commits groups of transitions on one SQLite connection. Created by `writing-connection.ts`, once per connection. */
export interface GroupCommit {
  /**
   * Writes all transitions in one transaction. Each is written whole or refused, as its outcome says. A transition that
   * cannot be written (a constraint violation) fails alone, with an error in its position.
   */
  commit(transitions: readonly Transition[]): (Outcome | Error)[];
  /** Must be called after the connection was used for other writes: clears the cached ends of tables. */
  forget(): void;
  /** Must be called before the connection is closed. */
  finalize(): void;
}

export function createGroupCommit(database: Database, statements: GroupStatements): GroupCommit {
  const prepared = new Map<StatementName, Statement>();
  const statement = (name: StatementName): Statement => {
    let known = prepared.get(name);
    if (!known) {
      known = database.prepare(statements[name].sql);
      prepared.set(name, known);
    }
    return known;
  };
  const run: Run = (name, values) => statement(name).run(...bound(statements[name], values)).changes;
  const first = <R>(name: StatementName, values: object) =>
    (statement(name).get(...bound(statements[name], values)) ?? undefined) as R | undefined;
  const begin = database.query("begin immediate");
  const end = database.query("commit");
  // Changes when another connection has written.
  const foreign = database.query<{ data_version: number }, []>("pragma data_version");
  let ends: Ends = {};
  let version: number | undefined;

  function transact(transitions: readonly Transition[]): Outcome[] {
    begin.run();
    try {
      const found = foreign.get()?.data_version;
      if (found !== version) ends = {};
      version = found;
      const group = new Group(run, first, ends);
      const refusals = transitions.map((transition) => group.admit(transition));
      const places = group.write(transitions.filter((_, i) => !refusals[i]));
      end.run();
      return refusals.map((refused) => refused ?? { seq: places.shift() ?? null });
    } catch (error) {
      ends = {};
      // SQLite may already have rolled back, for example on a full disk.
      if (database.inTransaction) database.run("rollback");
      throw error;
    }
  }

  return {
    forget() {
      ends = {};
    },
    finalize() {
      for (const known of prepared.values()) known.finalize();
      prepared.clear();
    },
    commit(transitions) {
      try {
        return transact(transitions);
      } catch (error) {
        // A bug in one transition must not fail the others, so each is retried alone.
        if (transitions.length === 1 || isStorageFailure(error)) throw error;
      }
      return transitions.map((transition) => {
        try {
          return transact([transition])[0] ?? { seq: null };
        } catch (error) {
          if (isStorageFailure(error)) throw error;
          return error instanceof Error ? error : new Error(String(error));
        }
      });
    },
  };
}

/** Checks whether the file, the disk or the lock caused the error, rather than the data to be written. */
export const isStorageFailure = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|READONLY|CORRUPT|NOTADB)/.test(error.code);
