import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { serveRoutes } from "../../src/web/adapter.ts";
import { defineRoute, type Route } from "../../src/web/define-route.ts";
import { createEdge } from "../../src/web/edge.ts";
import { prerender, respond } from "../../src/web/prerendered.ts";
import { refusal, World } from "../support/harness.ts";

/** Responses of a public list to callers that have it cached. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world[Symbol.asyncDispose]());

const path = "/v1/capabilities";
const tagOf = async (address = path): Promise<string> => (await world.ask(address)).headers.get("etag") ?? "";

test("a caller with a current list gets 304 with an id and without a body, until a gate changes it", async () => {
  const etag = await tagOf();
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const answer = await world.ask(path, { headers: { "if-none-match": held } });
    expect([held, answer.status, await answer.text()]).toEqual([held, 304, ""]);
    expect(answer.headers.get("etag")).toBe(etag);
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  }
  await world.closeGate("echo");
  const changed = await world.ask(path, { headers: { "if-none-match": etag } });
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).not.toBe(etag);
});

test("another request is not revalidated: a filter, an unknown parameter, a slash, another method", async () => {
  const etag = await tagOf();
  const headers = { "if-none-match": etag };
  const statusOf = async (address: string, method?: string) =>
    (await world.ask(address, { headers, ...(method && { method }) })).status;
  expect(await statusOf(`${path}?q=nothing-like-it`)).toBe(200);
  expect(await statusOf(`${path}?unknown=1`)).toBe(422);
  expect(await statusOf(`${path}/unheard-of`)).toBe(404);
  expect(await statusOf(path, "POST")).toBe(405);
  expect(await statusOf(path, "HEAD")).toBe(304);
  const filtered = await tagOf(`${path}?q=nothing-like-it`);
  expect((await world.ask(path, { headers: { "if-none-match": filtered } })).status).toBe(200);
});

describe("a prerendered public response", () => {
  const edgeOf = (route: Route) => {
    const parts = { access: { authorize: () => undefined }, log: createLog({ now: () => 0 }, "error", () => {}) };
    return createEdge(serveRoutes([route], { ...parts, runtime: systemRuntime }), [route], { runtime: systemRuntime });
  };
  const served = (prerendered: NonNullable<Route["prerendered"]>) =>
    edgeOf(
      defineRoute({
        method: "GET",
        path: "/it",
        access: { credential: "none" },
        detail: "hidden",
        prerendered,
        handler: async ({ request }) => respond(request, await prerendered()),
      }),
    );
  const asked = () => new Request("http://assay.test/it", { headers: { "if-none-match": "*" } });

  test("is revalidated before routing, synchronously or after a wait", async () => {
    const body = prerender({ items: [] });
    expect(served(() => body)(asked())).toBeInstanceOf(Response);
    expect((await served(async () => body)(asked())).status).toBe(304);
  });

  test("is left to the router if it fails, which returns the failure", async () => {
    const fails = () => {
      throw new Error("the database is gone");
    };
    for (const prerendered of [fails, async () => fails()])
      expect(await refusal(await served(prerendered)(asked()))).toEqual([500, "internal_error"]);
  });

  test("must be a GET without a credential: any other fails at startup", () => {
    const route = {
      method: "GET",
      path: "/it",
      detail: "hidden",
      prerendered: () => prerender(""),
      handler: () => "",
    } as const;
    expect(() => edgeOf({ ...route, access: { credential: "Platform", scopes: ["account:read"] } })).toThrow(
      "/it is served",
    );
    expect(() => edgeOf({ ...route, method: "POST", access: { credential: "none" } })).toThrow("/it is served");
  });
});
