import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import type { ErrorBody } from "../../src/web/errors.ts";
import { hostileBodies } from "../fuzz/hostile.ts";
import { errorIn, type Firm, freshKey, World } from "../support/harness.ts";
import { operationsOf } from "../support/operations.ts";

/** Regression tests for findings of `bun run fuzz`. */
let world: World;
let firm: Firm;
beforeAll(async () => {
  world = await World.open();
  firm = await world.firm();
});
afterAll(() => world[Symbol.asyncDispose]());

const send = async (body: string, path = "/v1/capabilities/echo/runs"): Promise<Response> =>
  world.app.fetch(
    new Request(`http://assay.test${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${firm.key}`,
        "content-type": "application/json",
        "idempotency-key": freshKey(),
      },
      body,
    }),
  );

/** Returns the server's response to bytes that no client library would send. */
async function answerTo(bytes: string): Promise<string> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: world.app.fetch });
  const heard = Promise.withResolvers<string>();
  let text = "";
  const socket = connect({ port: server.port ?? 0, host: "127.0.0.1" }, () => socket.end(bytes));
  socket.on("data", (data) => {
    text += data.toString();
  });
  socket.on("close", () => heard.resolve(text));
  socket.on("error", heard.reject);
  const answer = await heard.promise;
  await server.stop(true);
  return answer;
}

describe("a hostile body", () => {
  test("causes no server error in any operation, and logs none", async () => {
    const operations = (await operationsOf(world)).filter(({ operation }) => operation.requestBody);
    expect(operations.length).toBeGreaterThan(15);
    for (const { method, path, takes, operation } of operations)
      for (const [i, body] of hostileBodies.entries()) {
        const [type = ""] = Object.keys(operation.requestBody?.content ?? {});
        const bearer = takes.keys ? firm.key : firm.people.owner.token;
        const asked = new Request(`http://assay.test${path.replace(/{\w+}/g, () => crypto.randomUUID())}`, {
          method,
          headers: { authorization: `Bearer ${bearer}`, "content-type": type, "idempotency-key": freshKey() },
          body: Buffer.from(body),
        });
        const { status } = await world.app.fetch(asked);
        expect([method, path, i, status < 500]).toEqual([method, path, i, true]);
      }
    expect(world.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test("may have properties named like those of every object", async () => {
    const refused = await errorIn(
      await send('{"input":{"toString":1,"valueOf":{},"constructor":1,"text":{"toString":1}}}'),
    );
    expect(refused.code).toBe("validation_error");
    expect(refused.details?.map(({ path }) => path)).toContain("/body/input/toString");
  });

  test("with thousands of unknown properties gets twenty errors", async () => {
    const members = Array.from({ length: 3_000 }, (_, i) => `"k${i}":${i}`);
    const { details } = await errorIn(await send(`{${members.join()}}`));
    expect(details).toHaveLength(20);
  });

  test("with an endless name is reported by its prefix", async () => {
    const { details } = await errorIn(await send(`{"input":{"text":"a"},"${"k".repeat(50_000)}":1}`));
    expect(details).toEqual([{ path: `/body/${"k".repeat(194)}…`, message: "is not a property of this object" }]);
  });
});

test("a client that disconnects during a body is refused without a logged failure", async () => {
  await using world = await World.open();
  const firm = await world.firm();
  for (const told of [{ "content-length": "25" }, {}]) {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    const headers = { authorization: `Bearer ${firm.key}`, "content-type": "application/json", ...told };
    const request = new Request("http://assay.test/v1/capabilities/echo/runs", { method: "POST", body, headers });
    expect((await world.app.fetch(request)).status).toBe(422);
  }
  expect(world.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

describe("bytes that are not a request", () => {
  test("a CONNECT is 404", async () => {
    const heard = await answerTo("CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    expect(heard).toStartWith("HTTP/1.1 404");
    const { error }: ErrorBody = JSON.parse(heard.slice(heard.indexOf("{"), heard.lastIndexOf("}") + 1));
    expect(error.code).toBe("not_found");
  });
});

describe("the OpenAPI document states for each operation", () => {
  test("that too many wrong credentials are 429, and a body over the limit 413", async () => {
    for (const { method, path, takes, operation } of await operationsOf(world)) {
      const on = `${method} ${path}`;
      const statuses = Object.keys(operation.responses);
      if (takes.keys || takes.tokens) expect([on, statuses.includes("429")]).toEqual([on, true]);
      if (operation.requestBody) expect([on, statuses.includes("413")]).toEqual([on, true]);
    }
  });

  test("whether its body is optional", async () => {
    const optional = (await operationsOf(world)).filter(({ operation }) => operation.requestBody?.required === false);
    expect(optional.map(({ path }) => path)).toEqual(["/auth/v1/logout"]);
  });
});
