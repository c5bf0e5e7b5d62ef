import { assert } from "../platform/assert.ts";
import { type Clock, second } from "../platform/clock.ts";

/** Server-sent events (WHATWG HTML, 9.2): streams that end with their reader, or with the server. */

/** The media type of a stream. */
export const eventStream = "text/event-stream";

/** How often a stream that is silent says that it is there, in milliseconds. */
export const keepAliveMs = 15 * second;

/** Bytes that may wait for a slow reader; a stream with more ends, and its reader may come back for the rest. */
const unreadAtMost = 1_048_576;

/** A stream as its noun sees it. `Events` names the events, each with its data. */
export interface EventStream<Events extends object> {
  /** Sends an event with its data as JSON; nothing once the stream has ended. A reader that comes back names the last id. */
  send<Name extends keyof Events & string>(event: Name, data: Events[Name], id?: string): void;
  /** Ends the stream once its reader has taken what was sent. */
  end(): void;
  /** Aborted when nothing more can be sent: ended, the reader gone or too slow, the server stopping. */
  readonly ended: AbortSignal;
}

/** Called with the new stream, and with the `Last-Event-ID` of a reader that comes back. */
export type Begin<Events extends object> = (stream: EventStream<Events>, lastEventId: string | undefined) => void;

/** All streams of a server. */
export interface EventStreams {
  /** Opens a stream as the answer to a request. */
  open<Events extends object>(request: Request, begin: Begin<Events>): Response;
  /** Ends every stream, and each that is opened later. */
  endAll(): void;
  /** Aborted by `endAll`: what makes a caller wait lets go of it then. */
  readonly ending: AbortSignal;
  /** Streams that have ended and whose readers have not taken what was sent: a stop does not wait for them. */
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

/** Text on its way to one reader, handed over as it is asked for. */
class Outbox {
  readonly #ended = new AbortController();
  readonly #waiting: Uint8Array[] = [];
  #bytes = 0;
  #reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isClosed = false;
  /** What is answered. */
  readonly body = new ReadableStream<Uint8Array>(
    {
      // Asked for more only once the socket has taken the last.
      pull: (reader) => {
        this.#reader = reader;
        this.#handOver();
      },
      cancel: () => this.discard(),
    },
    { highWaterMark: 0 },
  );

  /** `onClosed` is called once, when the reader has taken everything or has gone. */
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

  /** The reader has gone. */
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

/** Made once for a server. `clock` times the comments that keep silent streams open. */
export function createEventStreams(clock: Clock): EventStreams {
  const ending = new AbortController();
  const open = new Set<Outbox>();

  /** A comment now and again, until the end. */
  function keepAlive(outbox: Outbox): void {
    let cancel: () => void;
    const arm = () => {
      cancel = clock.after(keepAliveMs, () => {
        // A client that has not read the last event would not read this one.
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
      // The first bytes let the headers go out.
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
