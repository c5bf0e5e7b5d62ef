import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { invalid } from "../../src/platform/errors.ts";
import type { ErrorBody } from "../../src/web/errors.ts";
import { BodyTurns, readJson } from "../../src/web/json-body.ts";
import type { OpenApi } from "../../src/web/openapi-document.ts";
import { errorIn, type Firm, freshKey, World } from "../support/harness.ts";

/** What is run, stored and signed is exactly what was sent: anything ambiguous is refused. */
let world: World;
let firm: Firm;
beforeAll(async () => {
  world = await World.open();
  firm = await world.firm();
});
afterAll(() => world[Symbol.asyncDispose]());

const runs = "/v1/capabilities/echo/runs";
const json = "application/json";

const send = (body: string | Uint8Array<ArrayBuffer>, type = json, path = runs) =>
  world.ask(path, { as: firm.key, body, headers: { "content-type": type, "idempotency-key": freshKey() } });
/** Returns `{"input":{"text":"…"}}` containing these bytes. */
const textOf = (...bytes: readonly number[]) =>
  Uint8Array.from([...Buffer.from('{"input":{"text":"a'), ...bytes, ...Buffer.from('"}}')]);
const detailsOf = async (answer: Promise<Response>) => (await errorIn(await answer)).details;
const inputOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { input: unknown }).input;

describe("a body", () => {
  test.each([
    ["Latin-1", [0xe9]],
    ["a truncated character", [0xf0, 0x9f, 0x98]],
    ["an overlong form", [0xc0, 0x80]],
    ["half a surrogate pair", [0xed, 0xa0, 0x80]],
    ["a lone continuation byte", [0x80]],
  ])("that is not UTF-8 is refused: %s", async (_, bytes) => {
    expect(await detailsOf(send(textOf(...bytes)))).toEqual([{ path: "/body", message: "must be UTF-8" }]);
  });

  test("that is not UTF-8 is refused if it is large, and if its length is not stated", async () => {
    const large = Uint8Array.from([...new Uint8Array(70_000).fill(0x20), ...textOf(0xff)]);
    const turns = new BodyTurns(world.clock);
    const request = new Request("http://assay.test", {
      method: "POST",
      body: large,
      headers: { "content-type": json },
    });
    expect(await readJson(request, turns).catch((error) => error)).toMatchObject(invalid("/body", "must be UTF-8"));
    const body = new Blob([textOf(0xff)]).stream();
    const streamed = world.ask(runs, { as: firm.key, body, headers: { "idempotency-key": freshKey() } });
    expect(await detailsOf(streamed)).toEqual([{ path: "/body", message: "must be UTF-8" }]);
  });

  test("in UTF-8 is accepted unchanged, even with a byte order mark or U+FFFD itself", async () => {
    for (const text of ["žluťoučký kůň 😀", "\ufffd", "日本語"])
      expect(await inputOf(send(JSON.stringify({ input: { text } })))).toEqual({ text });
    expect(await inputOf(send(Uint8Array.from([0xef, 0xbb, 0xbf, ...textOf(0x62)])))).toEqual({ text: "ab" });
  });

  test("that is compressed is refused at the header that says so", async () => {
    const body = Bun.gzipSync(Buffer.from('{"input":{"text":"a"}}'));
    for (const encoding of ["gzip", "br", "GZIP"]) {
      const headers = { "content-type": json, "content-encoding": encoding, "idempotency-key": freshKey() };
      expect(await detailsOf(world.ask(runs, { as: firm.key, body, headers }))).toEqual([
        { path: "/header/content-encoding", message: "must be absent: compressed bodies are not accepted" },
      ]);
    }
  });

  test("declared in another encoding is refused", async () => {
    const wrong = [{ path: "/header/content-type", message: "must be application/json in UTF-8" }];
    for (const charset of ["iso-8859-1", "utf-16", '"windows-1250"', "utf-8859", " latin1 ; charset=utf-8"])
      expect([charset, await detailsOf(send("{}", `${json};charset=${charset}`))]).toEqual([charset, wrong]);
    for (const type of [json, `${json};charset=utf-8`, `${json}; charset="UTF-8"`, `${json}; CharSet=utf8; a=b`])
      expect([type, (await send('{"input":{"text":"a"}}', type)).status]).toEqual([type, 202]);
  });

  test("is refused at an integer that would lose precision", async () => {
    const message = "must be a whole number that a double represents exactly, as it does all up to 9007199254740991";
    expect(await detailsOf(send('{"input":{"text":"a"},"maximum_credits":12345678901234567890}'))).toEqual([
      { path: "/body/maximum_credits", message },
    ]);
    expect(await detailsOf(send('{"input":{"text":"a","list":[1,9007199254740993]}}'))).toEqual([
      { path: "/body/input/list/1", message },
    ]);
    expect((await send('{"input":{"text":"12345678901234567890"},"maximum_credits":9007199254740991}')).status).toBe(
      202,
    );
  });
});

describe("routes that read their request themselves refuse the same", () => {
  test.each([
    [textOf(0xff), "The body must be UTF-8."],
    ['{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}', "The body must be a whole number"],
  ])("/mcp: %#", async (body, message) => {
    const answer = await send(body, json, "/mcp");
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: -32_700, message: expect.stringContaining(message) } });
  });

  test("the registration of a client", async () => {
    const answer = await send(textOf(0xff), json, "/oauth/register");
    expect(await answer.json()).toMatchObject({
      error: "invalid_client_metadata",
      error_description: "The body must be UTF-8.",
    });
  });
});

describe("a query", () => {
  test.each([
    ["q=%ff", "q"],
    ["q=%C5", "q"],
    ["q=100%", "q"],
    ["q=%zz", "q"],
  ])("that is not percent-encoded UTF-8 is refused: %s", async (query, name) => {
    const details = await detailsOf(world.ask(`/v1/capabilities?${query}`));
    expect(details).toEqual([{ path: `/query/${name}`, message: "must be percent-encoded UTF-8" }]);
  });

  test("with a repeated parameter is refused, however its name is written", async () => {
    for (const [path, name] of [
      ["/v1/capabilities?status=live&status=pilot", "status"],
      ["/v1/capabilities?q=echo&st%61tus=live&status=live", "status"],
      ["/v1/runs?limit=5&limit=6", "limit"],
      ["/v1/docs/search?q=run&q=key", "q"],
    ]) {
      const details = await detailsOf(world.ask(`${path}`, { as: firm.key }));
      expect([path, details]).toEqual([path, [{ path: `/query/${name}`, message: "must be given once" }]]);
    }
  });

  test("with blanks and letters of every kind is accepted", async () => {
    for (const query of [
      "q=a+b%20c",
      "q=%C5%BElu%C5%A5ou%C4%8Dk%C3%BD",
      "q=žluťoučký",
      "q=",
      "q=a=b",
      "q=a%26b",
      "&q=a&",
    ])
      expect([query, (await world.ask(`/v1/capabilities?${query}`)).status]).toEqual([query, 200]);
  });

  test("has no list parameters, so that none may be repeated", async () => {
    const document = (await (await world.ask("/openapi-public.json")).json()) as OpenApi;
    const lists = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ parameters = [] }) => parameters)
      .filter(
        (parameter) => parameter.in === "query" && "type" in parameter.schema && parameter.schema.type === "array",
      );
    expect(lists).toEqual([]);
  });
});

describe("an idempotency key", () => {
  /** Returns the response to a run whose head has these lines, which client libraries would merge. */
  async function answerTo(lines: readonly string[], path = runs): Promise<{ status: number; body: ErrorBody }> {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: world.app.fetch });
    const heard = Promise.withResolvers<string>();
    const body = '{"input":{"text":"a"}}';
    const head = [
      `POST ${path} HTTP/1.1`,
      ...["host: assay.test", `authorization: Bearer ${firm.key}`, "content-type: application/json"],
      ...[`content-length: ${body.length}`, "connection: close", ...lines],
    ];
    let text = "";
    const socket = connect({ port: server.port ?? 0, host: "127.0.0.1" }, () =>
      socket.write(`${head.join("\r\n")}\r\n\r\n${body}`),
    );
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("close", () => heard.resolve(text));
    socket.on("error", heard.reject);
    const answer = await heard.promise;
    await server.stop(true);
    return { status: Number(answer.slice(9, 12)), body: JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) };
  }

  test("that is sent twice is refused, whether the same or another", async () => {
    for (const path of [runs, "/v1/use-cases/triage/runs"])
      for (const second of ["key-number-one", "key-number-two"]) {
        const { status, body } = await answerTo(
          ["idempotency-key: key-number-one", `Idempotency-Key: ${second}`],
          path,
        );
        expect(status).toBe(422);
        expect(body.error.details).toEqual([
          {
            path: "/header/idempotency-key",
            message: "must be sent once, and must not contain a comma followed by a space",
          },
        ]);
      }
  });

  test("may contain commas and blanks", async () => {
    for (const key of ["order 7,line 2", "first,second"])
      expect((await answerTo([`idempotency-key: ${key}`])).status).toBe(202);
  });
});
