import type { Transition } from "../transition.ts";
import { type FromWriter, type ToWriter, writtenError } from "./writer-messages.ts";
import { openWritingConnection, type WritingConnection } from "./writing-connection.ts";

/**
 * The worker thread that owns the writing connection and waits for the disk, so that the event loop never does. It
 * answers every message once, in order. Started by `remote-writer.ts`.
 */

declare const self: Worker;

/** Handles messages in order, on the connection that the first one opens. */
class WriterThread {
  private connection: WritingConnection | undefined;

  private opened(): WritingConnection {
    if (!this.connection) throw new Error("the database was not opened for writing");
    return this.connection;
  }

  private answer(message: ToWriter): FromWriter {
    if (typeof message === "string") {
      const outcomes = this.opened().commit(JSON.parse(message) as Transition[]);
      return { outcomes: outcomes.map((one) => (one instanceof Error ? { error: writtenError(one) } : one)) };
    }
    switch (message.ask) {
      case "open":
        this.connection = openWritingConnection(message.file, message.statements, message.files);
        return { ready: true };
      case "look":
        this.opened().look();
        return { done: true };
      case "begin":
        this.opened().begin();
        return { done: true };
      case "execute":
        return { executed: this.opened().execute(message.sql, message.parameters) };
      case "end":
        this.opened().end(message.commit);
        return { done: true };
      case "close":
        // Other connections of the process may close after this one, and would then leave the WAL behind.
        if (this.connection && !this.connection.failure()) this.connection.emptyLog();
        this.connection?.close();
        return { done: true };
    }
  }

  /** `fatal` if nothing can be written any more. */
  private failed(error: unknown): FromWriter {
    const fatal = this.connection === undefined || this.connection.failure() !== undefined;
    return { error: writtenError(error), fatal };
  }

  receive(message: ToWriter): void {
    let answered: FromWriter;
    try {
      answered = this.answer(message);
    } catch (error) {
      answered = this.failed(error);
    }
    postMessage(answered);
    if (typeof message === "string") this.tidy("a secondary index was not filled", (connection) => connection.fill());
    if (typeof message === "string" || message.ask === "end")
      this.tidy("the WAL was not checkpointed", (connection) => connection.checkpoint());
  }

  /** Does maintenance after the answer was sent. A permanent failure is reported to the next writer. */
  private tidy(failed: string, work: (connection: WritingConnection) => void): void {
    try {
      if (this.connection) work(this.connection);
    } catch (error) {
      console.error(JSON.stringify({ level: "error", message: failed, error: writtenError(error) }));
    }
  }
}

const thread = new WriterThread();
self.onmessage = ({ data }: MessageEvent<ToWriter>) => thread.receive(data);
