import type { Transition } from "../transition.ts";
import { type FromWriter, type ToWriter, writtenError } from "./writer-messages.ts";
import { openWritingConnection, type WritingConnection } from "./writing-connection.ts";

/**
 * The thread that owns the writing connection, and waits for the disk so that the event loop never does. It answers
 * every message once, in order. Started by `remote-writer.ts`.
 */

declare const self: Worker;

let connection: WritingConnection | undefined;

function opened(): WritingConnection {
  if (!connection) throw new Error("the database was not opened for writing");
  return connection;
}

function answer(message: ToWriter): FromWriter {
  if (typeof message === "string") {
    const outcomes = opened().commit(JSON.parse(message) as Transition[]);
    return { outcomes: outcomes.map((one) => (one instanceof Error ? { error: writtenError(one) } : one)) };
  }
  switch (message.ask) {
    case "open":
      connection = openWritingConnection(message.file, message.statements);
      return { ready: true };
    case "begin":
      opened().begin();
      return { done: true };
    case "execute":
      return { executed: opened().execute(message.sql, message.parameters) };
    case "end":
      opened().end(message.commit);
      return { done: true };
    case "close":
      connection?.close();
      return { done: true };
  }
}

function failed(error: unknown): FromWriter {
  return { error: writtenError(error), fatal: connection === undefined || connection.failure() !== undefined };
}

self.onmessage = ({ data }: MessageEvent<ToWriter>) => {
  let answered: FromWriter;
  try {
    answered = answer(data);
  } catch (error) {
    answered = failed(error);
  }
  postMessage(answered);
  const isCommit = typeof data === "string" || data.ask === "end";
  if (!isCommit) return;
  try {
    connection?.checkpoint();
  } catch (error) {
    // The next one who writes is told: this message has its answer already.
    console.error(JSON.stringify({ level: "error", msg: "the log was not checkpointed", error: writtenError(error) }));
  }
};
