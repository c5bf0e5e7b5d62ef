import { assert } from "../platform/assert.ts";
import { type Clock, second } from "../platform/clock.ts";

/** Server-sent events (WHATWG HTML, 9.2). Streams end when the reader disconnects or the server stops. */

/** The media type of a stream. */
export const eventStream = "text/event-stream";

/** Interval between keep-alive comments on a silent stream, in milliseconds. */
export const keepAliveMs = 15 * second;

/**
 * Maximum number of bytes buffered for a slow reader. A stream with more is ended; its reader may reconnect for the
 * rest.
 */
const unreadAtMost = 1_048_576;

/** A stream, as its routes use it. `Events` maps event names to their data. */
export interface EventStream<Events extends object> {
  /**
   * Sends an event with its data as JSON; does nothing once the stream has ended. A reader that reconnects sends the
   * last id.
   */
  send<Name extends keyof Events & string>(event: Name, data: Events[Name], id?: string): void;
  /** Ends the stream once its reader has received what was sent. */
  end(): void;
  /**
   * Aborts when nothing more can be sent: the stream ended, the reader disconnected or was too slow, or the server is
   * stopping.
   */
  readonly ended: AbortSignal;
}

/** Called with the new stream, and with the `Last-Event-ID` of a reader that reconnects. */
export type Begin<Events extends object> = (stream: EventStream<Events>, lastEventId: string | undefined) => void;

/** All streams of a server. */
export interface EventStreams {
  /** Returns a response that is a new stream. */
  open<Events extends object>(request: Request, begin: Begin<Events>): Response;
  /** Ends every stream, including those opened later. */
  endAll(): void;
  /** Aborted by `endAll`, so that waiting requests are released. */
  readonly ending: AbortSignal;
  /** Number of ended streams with unread data. A shutdown does not wait for them. */
  unread(): number;
}

const encoder = new TextEncoder();

function line(field: string, value: string): string {
  assert(!/[\r\n\0]/.test(value), `an event's ${field} is one line`);
  return `${field}: ${value}\n`;
}

function eventText(event: string, data: unknown, id: string | undefined): string {
  const named = id === undefined ? "" : line("id", id);
  return `${named}${line("event", event)}data: ${JSON.stringify(data)}\n\n`;
}

/** The buffered output of one reader, passed on as it is read. */
class Outbox {
  readonly #ended = new AbortController();
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isClosed = false;
  /** The response's body. */
  readonly body = new ReadableStream<Uint8Array>(
    {
      // Called only once the socket has taken the previous data.
      pull: (reader) => {
        this.#reader = reader;
        this.#handOver();
      },
      cancel: () => this.discard(),
    },
    { highWaterMark: 0 },
  );

  /** `onClosed` is called once, when the reader has received everything or has disconnected. */
  constructor(private readonly onClosed: () => void) {}

  get ended(): AbortSignal {
    return this.#ended.signal;
  }
  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  put(text: string): void {
    if (this.ended.aborted) return;
    const bytes = encoder.encode(text);
    this.#bytes += bytes.length;
    this.#waiting.push(bytes);
    this.#handOver();
    if (this.#bytes <= unreadAtMost) return;
    this.#waiting.length = 0;
    this.#bytes = 0;
    this.end();
  }

  end(): void {
    this.#ended.abort();
    this.#handOver();
  }

  /** Handles the reader's disconnection. */
  discard(): void {
    this.#waiting.length = 0;
    this.#ended.abort();
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onClosed();
  }

  #handOver(): void {
    const reader = this.#reader;
    if (!reader || this.#isClosed) return;
    const next = this.#waiting.shift();
    if (next) {
      this.#bytes -= next.length;
      this.#reader = undefined;
      reader.enqueue(next);
    } else if (this.ended.aborted) {
      reader.close();
      this.#close();
    }
  }
}

const headers = { "content-type": eventStream, "cache-control": "no-store", "x-accel-buffering": "no" };

/** Creates the streams of a server. `clock` times the keep-alive comments. */
export function createEventStreams(clock: Clock): EventStreams {
  const ending = new AbortController();
  const open = new Set<Outbox>();

  /** Sends keep-alive comments until the stream ends. */
  function keepAlive(outbox: Outbox): void {
    let cancel: () => void;
    const arm = () => {
      cancel = clock.after(keepAliveMs, () => {
        // A client that has not read the last event would not read this comment either.
        if (outbox.isEmpty) outbox.put(":\n\n");
        arm();
      });
    };
    arm();
    outbox.ended.addEventListener("abort", () => cancel(), { once: true });
  }

  return {
    open(request, begin) {
      const outbox: Outbox = new Outbox(() => void open.delete(outbox));
      open.add(outbox);
      request.signal.addEventListener("abort", () => outbox.discard(), { once: true });
      // The first bytes cause the headers to be sent.
      outbox.put(":\n\n");
      keepAlive(outbox);
      const stream: EventStream<never> = {
        send: (event, data, id) => outbox.put(eventText(event, data, id)),
        end: () => outbox.end(),
        ended: outbox.ended,
      };
      if (ending.signal.aborted) outbox.end();
      else
        try {
          begin(stream, request.headers.get("last-event-id") || undefined);
        } catch (error) {
          outbox.discard();
          throw error;
        }
      return new Response(outbox.body, { headers });
    },
    endAll() {
      ending.abort();
      for (const outbox of open) outbox.end();
    },
    ending: ending.signal,
    unread: () => [...open].filter(({ ended }) => ended.aborted).length,
  };
}
