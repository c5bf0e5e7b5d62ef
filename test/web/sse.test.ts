import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import type { Server } from "bun";
import { minute, second } from "../../src/platform/clock.ts";
import { createEventStreams, type EventStream, type EventStreams, keepAliveMs } from "../../src/web/sse.ts";
import { until } from "../support/harness.ts";
import { type TestRuntime, testRuntime } from "../support/runtime.ts";

/** Real streams over real sockets; only the clock is the test's. */

interface Events {
  readonly progress: { readonly done: number; readonly of?: string };
  readonly end: null;
}

let clock: TestRuntime;
let streams: EventStreams;
let server: Server<undefined>;
/** The streams opened, each with its Last-Event-ID. */
let opened: { readonly stream: EventStream<Events>; readonly last: string | undefined }[];

beforeEach(() => {
  clock = testRuntime();
  streams = createEventStreams(clock);
  opened = [];
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => streams.open<Events>(request, (stream, last) => void opened.push({ stream, last })),
  });
});
afterEach(() => server.stop(true));

/** Opens a stream; returns both the client's and the server's side. */
async function openOne(headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  const response = await fetch(server.url, { headers, signal: leaving.signal });
  const reader = response.body?.getReader();
  const newest = opened.at(-1);
  if (!reader || !newest) throw new Error("no stream was opened");
  let heard = "";
  const read = async (): Promise<boolean> => {
    const { value, done } = await reader.read();
    heard += new TextDecoder().decode(value);
    return !done;
  };
  return {
    ...newest,
    response,
    leave: () => leaving.abort(),
    heard: () => heard,
    /** Reads until `text` has arrived. */
    async reads(text: string): Promise<void> {
      while (!heard.includes(text)) expect(await read()).toBe(true);
      heard = heard.slice(heard.indexOf(text) + text.length);
    },
    /** Reads to the end and returns the rest. */
    async rest(): Promise<string> {
      while (await read());
      return heard;
    },
  };
}

test("events carry their names, ids and data, and nothing after the end", async () => {
  const { stream, rest, response } = await openOne();
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("cache-control")).toBe("no-store");
  stream.send("progress", { done: 1, of: "a\nb" }, "7");
  stream.send("end", null);
  stream.end();
  stream.send("end", null);
  expect(await rest()).toBe(':\n\nid: 7\nevent: progress\ndata: {"done":1,"of":"a\\nb"}\n\nevent: end\ndata: null\n\n');
  expect(stream.ended.aborted).toBe(true);
  await until(() => server.pendingRequests === 0, "nothing is open");
});

test("a reader that reconnects states its last event", async () => {
  expect((await openOne({ "last-event-id": "41" })).last).toBe("41");
  expect((await openOne()).last).toBeUndefined();
});

test.each(["a\nb", "a\rb", "a\0b"])("an id is one line: %j is refused", async (id) => {
  const { stream } = await openOne();
  expect(() => stream.send("end", null, id)).toThrow("one line");
});

test("an idle stream stays open for more than a minute", async () => {
  expect(keepAliveMs).toBe(15 * second);
  const { stream, reads } = await openOne();
  await reads(":\n\n");
  for (let silent = 0; silent <= 2 * minute; silent += keepAliveMs) {
    clock.advance(keepAliveMs);
    await reads(":\n\n");
  }
  stream.send("progress", { done: 1 });
  await reads('data: {"done":1}\n\n');
});

describe("a stream ends", () => {
  test("when its reader disconnects", async () => {
    const { stream, leave, reads } = await openOne();
    await reads(":\n\n");
    leave();
    await until(() => stream.ended.aborted, "the stream ends");
    await until(() => server.pendingRequests === 0 && streams.unread() === 0, "nothing is open");
  });

  test("when the server stops, as does each that is opened later", async () => {
    const [one, two] = [await openOne(), await openOne()];
    one.stream.send("progress", { done: 1 });
    streams.endAll();
    expect(streams.ending.aborted).toBe(true);
    expect(await one.rest()).toEndWith('data: {"done":1}\n\n');
    expect(await two.rest()).toBe(":\n\n");
    expect(await (await fetch(server.url)).text()).toBe(":\n\n");
    expect(opened).toHaveLength(2);
    await until(() => server.pendingRequests === 0 && streams.unread() === 0, "nothing is open");
  });

  test("when its start fails", () => {
    const begin = () => {
      throw new Error("it can't begin");
    };
    expect(() => streams.open(new Request("http://assay.test"), begin)).toThrow("it can't begin");
    streams.endAll();
    expect(streams.unread()).toBe(0);
  });
});

describe("a stalled reader", () => {
  const text = "x".repeat(10_000);

  /** Opens a socket that stops reading after the first bytes. */
  async function openStuck() {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket: Socket = connect(Number(server.port), "127.0.0.1");
    socket.once("data", () => {
      socket.pause();
      resolve();
    });
    socket.write("GET / HTTP/1.1\r\nhost: assay.test\r\nconnection: close\r\n\r\n");
    await promise;
    const newest = opened.at(-1);
    if (!newest) throw new Error("no stream was opened");
    return { socket, stream: newest.stream };
  }

  /** Sends until the stream ends it; returns the number of bytes sent. */
  async function sendUntilEnded(stream: EventStream<Events>): Promise<number> {
    let sent = 0;
    await until(() => {
      if (!stream.ended.aborted) stream.send("progress", { done: sent++, of: text });
      return stream.ended.aborted;
    }, "the stream ends");
    return sent * text.length;
  }

  test("loses its stream before its backlog grows, and does not delay shutdown", async () => {
    const { socket, stream } = await openStuck();
    // The system buffers some of it; our own share is at most a megabyte.
    expect(await sendUntilEnded(stream)).toBeLessThan(64_000_000);
    expect(streams.unread()).toBe(1);
    expect(server.pendingRequests).toBe(1);
    socket.destroy();
    await until(() => streams.unread() === 0 && server.pendingRequests === 0, "it is gone");
  });

  test("gets whole events and the end once it reads again", async () => {
    const { socket, stream } = await openStuck();
    await sendUntilEnded(stream);
    let body = "";
    socket.on("data", (bytes) => {
      body += bytes.toString();
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.resume();
    await closed;
    const lines = body.split("\n").filter((line) => line.startsWith("data: "));
    expect(lines.length).toBeGreaterThan(0);
    for (const [i, line] of lines.entries())
      expect(line.startsWith(`data: {"done":${i},`) && line.endsWith('"}')).toBe(true);
    await until(() => streams.unread() === 0, "nothing waits to be read");
  });
});
