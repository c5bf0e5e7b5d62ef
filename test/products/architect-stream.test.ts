import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { composeOf } from "../../src/products/architect/compose.ts";
import { readIntake } from "../../src/products/architect/intake.ts";
import type { Composition } from "../../src/products/architect/schema.ts";
import { type ArchitectEvents, tellComposition } from "../../src/products/architect/stream.ts";
import { createEventStreams } from "../../src/web/sse.ts";
import { askArchitect, begun, eventsIn, openArchitect, told, usualIntake } from "../support/architect-world.ts";
import { type Firm, refusal, until, type World } from "../support/harness.ts";

let world: World;
let firm: Firm;
beforeAll(async () => {
  world = await openArchitect();
  firm = await world.firm();
});
afterAll(() => world[Symbol.asyncDispose]());

const stream = (solution_id: string, last?: string, on = world, as = firm.key) =>
  on.ask("/v1/solution-architect/compose/stream", {
    as,
    body: { solution_id },
    ...(last !== undefined && { headers: { "last-event-id": last } }),
  });
const eventsOf = async (solution_id: string, last?: string, on = world) =>
  eventsIn(await (await stream(solution_id, last, on)).text());

describe("a composition as a stream", () => {
  test("reports its stages in order and each section, and ends with the document of `compose`", async () => {
    const { solution_id } = await begun(world, firm);
    const response = await stream(solution_id);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const events = eventsIn(await response.text());
    const composed = await told<Composition>(askArchitect(world, firm, "compose", { solution_id }));
    expect(events[0]).toMatchObject({ event: "started", data: { solution_id, events: events.length } });
    expect(events.filter(({ event }) => event === "stage").map(({ data }) => data)).toMatchObject(
      ["intake", "match", "price", "risk", "draft", "verify"].map((stage) => ({ stage })),
    );
    const sections = events.filter(({ event }) => event === "partial").map(({ data }) => data);
    expect(sections).toEqual(composed.sections);
    expect(events.at(-1)).toMatchObject({ event: "completed", data: { ...composed } });
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test("requires access, and is refused before the first byte", async () => {
    const { solution_id } = await begun(world, firm);
    const docsOnly = await world.key(firm, ["docs:read"]);
    expect(await refusal(await stream(solution_id, undefined, world, "nobody"))).toEqual([401, "invalid_api_key"]);
    expect(await refusal(await stream(solution_id, undefined, world, docsOnly.secret))).toEqual([403, "missing_scope"]);
    expect(await refusal(await stream(crypto.randomUUID()))).toEqual([404, "not_found"]);
  });

  test("resumes after the reader's last event, and is empty after the end", async () => {
    const { solution_id } = await begun(world, firm);
    const all = await eventsOf(solution_id);
    for (const place of [0, 4, all.length - 2])
      expect(await eventsOf(solution_id, all[place]?.id)).toEqual(all.slice(place + 1));
    expect(await eventsOf(solution_id, all.at(-1)?.id)).toEqual([]);
  });

  for (const last of ["nonsense", "0123456789abcdef-3", "-1", "9".repeat(300)])
    test(`restarts if the last event id is not one of its own: ${last.slice(0, 20)}`, async () => {
      const { solution_id } = await begun(world, firm);
      expect((await eventsOf(solution_id, last))[0]?.event).toBe("started");
    });

  test("restarts if the design was changed in the meantime", async () => {
    const { solution_id } = await begun(world, firm);
    const before = await eventsOf(solution_id);
    const choices = [{ need: "sourced_answers", product: "insurance-assistant" }];
    await told(askArchitect(world, firm, "design", { solution_id, choices }));
    const after = await eventsOf(solution_id, before[5]?.id);
    expect(after[0]?.event).toBe("started");
    expect(after[0]?.id).not.toBe(before[0]?.id);
  });

  test("resumes after a restart of the server", async () => {
    const { solution_id } = await begun(world, firm);
    const all = await eventsOf(solution_id);
    await using next = await world.restart();
    expect(await eventsOf(solution_id, all[6]?.id, next)).toEqual(all.slice(7));
  });

  test("is abandoned when its reader disconnects, and leaves nothing open", async () => {
    const { solution_id } = await begun(world, firm);
    const response = await stream(solution_id);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await until(() => world.app.streams.unread() === 0, "no stream is left");
  });

  test("opens 500 times at once, and each reader gets all of it", async () => {
    const { solution_id } = await begun(world, firm);
    const wanted = await eventsOf(solution_id);
    const open = await Promise.all(Array.from({ length: 500 }, () => stream(solution_id)));
    expect((await world.ask("/health")).status).toBe(200);
    const ends = await Promise.all(open.map(async (response) => eventsIn(await response.text()).length));
    expect(new Set(ends)).toEqual(new Set([wanted.length]));
  });
});

describe("over a socket", () => {
  /** Requests a composition's stream over a real connection, without reading it. */
  function connected(port: number, solution_id: string): Socket {
    const body = JSON.stringify({ solution_id });
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    socket.write(
      [
        "POST /v1/solution-architect/compose/stream HTTP/1.1",
        ...["host: assay.test", "connection: close", "content-type: application/json"],
        ...[`authorization: Bearer ${firm.key}`, `content-length: ${body.length}`, "", body],
      ].join("\r\n"),
    );
    return socket;
  }
  /** Serves the app on a real port. */
  function served() {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request, own) => world.app.fetch(request, own),
    });
    return { port: Number(server.port), [Symbol.asyncDispose]: () => server.stop(true) };
  }
  const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

  test("a reader that takes one byte at a time gets every event, and others are served meanwhile", async () => {
    await using server = served();
    const { solution_id } = await begun(world, firm);
    const wanted = await eventsOf(solution_id);
    const socket = connected(server.port, solution_id);
    let [text, answered] = ["", 0];
    socket.on("readable", () => undefined);
    const ended = new Promise((resolve) => socket.once("end", resolve)).then(() => true);
    const isOver = () => Promise.race([ended, soon().then(() => false)]);
    while (!(await isOver())) {
      const byte: Buffer | null = socket.read(1);
      text += byte?.toString("latin1") ?? "";
      if (text.length % 1_000 === 500 && byte) answered += Number((await world.ask("/health")).ok);
    }
    const sent = Buffer.from(text, "latin1").toString();
    expect(eventsIn(sent.replaceAll(/\r\n[0-9a-f]+\r\n/g, "")).map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    expect(answered).toBeGreaterThan(5);
    await until(() => world.app.streams.unread() === 0, "no stream is left");
  }, 600_000);

  test("a reader that disconnects midway leaves nothing open, and the next one gets the rest", async () => {
    await using server = served();
    const { solution_id } = await begun(world, firm);
    const all = await eventsOf(solution_id);
    const socket = connected(server.port, solution_id);
    let text = "";
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes(`${all[3]?.id}`)) socket.destroy();
    });
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
    await until(() => world.app.streams.unread() === 0, "no stream is left");
    expect(await eventsOf(solution_id, all[3]?.id)).toEqual(all.slice(4));
  });
});

test("a failure after the first byte is an event, without its cause", async () => {
  const streams = createEventStreams(world.clock);
  const reading = readIntake(usualIntake);
  const broken = { ...reading, needs: reading.needs.map((need) => ({ ...need, id: "" })), constraints: [] };
  const causes: unknown[] = [];
  const known = { solution_id: crypto.randomUUID(), intake: usualIntake, reading: broken, held: [], choices: [] };
  const failed = (error: unknown) => {
    causes.push(error);
    return { code: "internal_error", message: "Unexpected." };
  };
  // Products that can't be read, as an internal error would leave them.
  const products = new Proxy<never[]>([], {
    get() {
      throw new Error("the secret cause");
    },
  });
  const compose = async () => composeOf({ ...known, products });
  const begin = tellComposition({ told: compose, compose }, { turn: world.clock.nextTurn, failed });
  const text = await streams.open<ArchitectEvents>(new Request("http://assay.test/"), begin).text();
  expect(eventsIn(text)).toEqual([
    { id: "", event: "error", data: { code: "internal_error", message: "Unexpected." } },
  ]);
  expect([text.includes("secret"), causes.length]).toEqual([false, 1]);
});
