import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Runtime } from "../../src/platform/runtime.ts";
import type { Thread } from "../../src/platform/threads.ts";
import type { Bound } from "../compiled-statement.ts";
import type { Tables } from "../schema/tables.ts";
import type { Db } from "../store.ts";
import { tenancy } from "../tenancy.ts";
import type { Outcome, Transition } from "../transition.ts";
import { GroupInDoubt, type GroupWriter, type OpenTransaction } from "./group-writer.ts";
import { type OpenFiles, takenAway } from "./open-files.ts";
import type { Statements } from "./statements.ts";
import { DatabaseError, type FromWriter, type ToWriter } from "./writer-messages.ts";

/** Maximum duration of a transaction of single queries, in milliseconds, because it blocks other writers. */
const transactionDeadlineMs = 30_000;

/** Sends a transaction's queries to the thread. Once the transaction has ended, later queries are rejected. */
class RemoteConnection implements DatabaseConnection {
  isOpen = true;
  constructor(private readonly ask: (message: ToWriter) => Promise<FromWriter>) {}

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.isOpen) throw new Error("the transaction has ended");
    const answer = await this.ask({ ask: "execute", sql, parameters: parameters as readonly Bound[] });
    if (!("executed" in answer)) throw new Error("unexpected answer from the writer thread");
    const { rows, changes } = answer.executed;
    return { rows: rows as R[], numAffectedRows: BigInt(changes) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}

function databaseOn(connection: RemoteConnection): Db {
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    beginTransaction: async () => undefined,
    commitTransaction: async () => undefined,
    rollbackTransaction: async () => undefined,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  };
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [tenancy],
  });
}

/** How long a caller waits for the thread, whose disk may hang, in milliseconds. */
const answerDeadlineMs = 30_000;

interface Asked {
  readonly resolve: (answer: FromWriter) => void;
  readonly reject: (error: unknown) => void;
  readonly disarm: () => void;
}

/** Nothing can be written any more: the thread has ended, or a sync has failed. */
class WriterGone extends DatabaseError {
  constructor(message: string) {
    super({ message, code: "SQLITE_IOERR" });
  }
}

/** The thread did not answer in time. It may answer later. */
class AnswerOverdue extends DatabaseError {
  constructor(readonly answer: Promise<FromWriter>) {
    super({ message: "the disk does not respond", code: "SQLITE_BUSY" });
  }
}

function outcomesOf(answer: FromWriter): readonly (Outcome | Error)[] {
  if (!("outcomes" in answer)) throw new WriterGone("unexpected answer from the writer thread");
  return answer.outcomes.map((one) => ("error" in one ? new DatabaseError(one.error) : one));
}

/** Interval at which the files are checked when nothing is written, in milliseconds. */
const lookEveryMs = 1_000;

interface RemoteOptions {
  readonly runtime: Runtime;
  readonly file: string;
  /** The files' identities when the store opened them. */
  readonly files: OpenFiles;
  readonly statements: () => Statements;
  /** Called once, when nothing can be written any more. */
  readonly onFailure: (error: Error) => void;
}

/**
 * The writing connection in a worker thread: the event loop hands groups over and never waits for the disk. The first
 * write starts the thread.
 */
export class RemoteWriter implements GroupWriter {
  private thread: Thread | undefined;
  private readonly asked: Asked[] = [];
  private failed: Error | undefined;
  private current: { readonly connection: RemoteConnection; readonly disarm: () => void } | undefined;

  private stopLooking: () => void = () => undefined;

  constructor(private readonly options: RemoteOptions) {
    this.lookLater();
  }

  /** Schedules the next check of the files: a WAL deleted between two writes would be lost when the process exits. */
  private lookLater(): void {
    this.stopLooking = this.options.runtime.after(lookEveryMs, () => {
      if (takenAway(this.options.files)) this.send({ ask: "look" }).catch(() => undefined);
      else this.lookLater();
    });
  }

  private start(): Thread {
    const { runtime, file, files, statements } = this.options;
    const thread = runtime.thread("writer", {
      message: (data) => this.answered(data as FromWriter),
      ended: (cause) => this.fail(new WriterGone(`the writer thread has ended: ${String(cause)}`)),
    });
    this.thread = thread;
    // If the file cannot be opened, a fatal answer follows; a slow open is waited for.
    this.send({ ask: "open", file, files, statements: statements() }).catch(() => undefined);
    return thread;
  }

  private answered(answer: FromWriter): void {
    const asked = this.asked.shift();
    asked?.disarm();
    if (this.asked.length === 0) this.thread?.keepAlive(false);
    if (!("error" in answer)) {
      asked?.resolve(answer);
      return;
    }
    const error = new DatabaseError(answer.error);
    asked?.reject(error);
    if (answer.fatal) this.fail(error);
  }

  private fail(error: Error): void {
    if (this.failed) return;
    this.failed = error;
    this.stopLooking();
    for (const { reject, disarm } of this.asked.splice(0)) {
      disarm();
      reject(error);
    }
    this.options.onFailure(error);
  }

  private send(message: ToWriter): Promise<FromWriter> {
    if (this.failed) return Promise.reject(this.failed);
    const thread = this.thread ?? this.start();
    const { promise: answer, resolve, reject } = Promise.withResolvers<FromWriter>();
    return new Promise((answered, refused) => {
      answer.then(answered, refused);
      if (this.asked.length === 0) thread.keepAlive(true);
      const late = () => refused(new AnswerOverdue(answer));
      this.asked.push({ resolve, reject, disarm: this.options.runtime.after(answerDeadlineMs, late) });
      thread.post(message);
    });
  }

  async commit(transitions: readonly Transition[]): Promise<readonly (Outcome | Error)[]> {
    try {
      return outcomesOf(await this.send(JSON.stringify(transitions)));
    } catch (error) {
      throw error instanceof AnswerOverdue ? new GroupInDoubt(error.answer.then(outcomesOf)) : error;
    }
  }

  async begin(): Promise<OpenTransaction> {
    try {
      await this.send({ ask: "begin" });
    } catch (error) {
      // If it begins after all, too late for its caller, it would block all other writers for ever.
      this.send({ ask: "end", commit: false }).catch(() => undefined);
      throw error;
    }
    const connection = new RemoteConnection((message) => this.send(message));
    const { promise: expired, reject } = Promise.withResolvers<never>();
    // Prevents an unhandled rejection when the work finishes in time.
    expired.catch(() => undefined);
    const late = () => reject(new DatabaseError({ message: "the transaction took too long", code: "SQLITE_BUSY" }));
    const disarm = this.options.runtime.after(transactionDeadlineMs, late);
    this.current = { connection, disarm };
    return { tx: databaseOn(connection), expired };
  }

  async end(commit: boolean): Promise<void> {
    this.current?.disarm();
    // Rejects further queries of a transaction that hangs, because another one may be open by then.
    if (this.current) this.current.connection.isOpen = false;
    this.current = undefined;
    await this.send({ ask: "end", commit });
  }

  failure(): Error | undefined {
    return this.failed;
  }

  async close(): Promise<void> {
    this.stopLooking();
    if (!this.thread || this.failed) return;
    await this.send({ ask: "close" });
    this.thread.end();
  }
}
