import { describe, expect, test } from "bun:test";
import { Type as T } from "@sinclair/typebox";
import { createLog } from "../../src/platform/log.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { catalogueRoutes } from "../../src/products/catalogue/routes.ts";
import { runRoutes } from "../../src/runs/routes.ts";
import { serveRoutes } from "../../src/web/adapter.ts";
import { defineRoute, type Route } from "../../src/web/define-route.ts";
import { refusal, World } from "../support/harness.ts";

test("for each route the framework parses what it declares, and never cookies", async () => {
  await using world = await World.open();
  const { parts } = world.app;
  const { routes } = serveRoutes([...runRoutes(parts), ...catalogueRoutes(parts)], parts);
  const preparing = (what: string) =>
    routes.filter((route) => String(route.compile()).includes(what)).map(({ method, path }) => `${method} ${path}`);
  expect(routes).toHaveLength(9);
  expect(preparing("parseCookie")).toEqual([]);
  expect(preparing("parseQuery")).toEqual(["GET /v1/runs", "GET /v1/runs/:run_id", "GET /v1/capabilities"]);
  expect(preparing("c.headers=")).toEqual(["POST /v1/capabilities/:slug/runs"]);
});

const open = { path: "/it", access: { credential: "none" }, detail: "hidden" } as const;

/** Serves one public route and records what is logged. */
function serving(route: Route) {
  const logged: string[] = [];
  const log = createLog({ now: () => 0 }, "debug", (line) => logged.push(line));
  const app = serveRoutes([route], { access: { authorize: () => undefined }, log, runtime: systemRuntime });
  const ask = async (search = "", init: RequestInit = {}) =>
    app.fetch(new Request(`http://assay.test/it${search}`, init));
  return { ask, logged };
}

describe("a route", () => {
  test("parses integers of its query from canonical decimal text only", async () => {
    const { ask } = serving(
      defineRoute({
        ...open,
        method: "GET",
        query: T.Object({ limit: T.Integer({ minimum: 1, default: 50 }), word: T.Optional(T.String()) }),
        response: { 200: T.Object({ limit: T.Integer(), word: T.Optional(T.String()) }) },
        handler: ({ query }) => query,
      }),
    );
    expect(await (await ask("?limit=7&word=7")).json()).toEqual({ limit: 7, word: "7" });
    expect(await (await ask()).json()).toEqual({ limit: 50 });
    for (const text of ["0", "-1", "07", "+7", "7.0", "1e1", "0x7", "%207", ""])
      expect([text, ...(await refusal(await ask(`?limit=${text}`)))]).toEqual([text, 422, "validation_error"]);
  });

  test("whose value does not match its schema is a logged 500 that reveals nothing of it", async () => {
    const { ask, logged } = serving(
      defineRoute({
        ...open,
        method: "GET",
        response: { 200: T.Object({ name: T.String({ maxLength: 3 }) }) },
        handler: () => ({ name: "canary" }),
      }),
    );
    const response = await ask();
    const body = await response.text();
    expect([response.status, JSON.parse(body).error.code]).toEqual([500, "internal_error"]);
    expect(body).not.toContain("canary");
    expect(logged.join("\n")).toContain("unexpected");
  });

  test("that returns another status sets it with its headers", async () => {
    const { ask } = serving(
      defineRoute({
        ...open,
        method: "POST",
        body: T.Object({ name: T.String() }),
        response: { 201: T.Object({ name: T.String() }) },
        handler: ({ body, set }) => {
          set.status = 201;
          set.headers["cache-control"] = "no-store";
          return body;
        },
      }),
    );
    const sent = { method: "POST", body: '{"name":"it"}', headers: { "content-type": "application/json" } };
    const response = await ask("", sent);
    expect([response.status, response.headers.get("cache-control")]).toEqual([201, "no-store"]);
    expect(await response.json()).toEqual({ name: "it" });
  });

  test("that reads its request itself gets it unread, whatever its content type", async () => {
    const { ask } = serving(
      defineRoute({
        ...open,
        method: "POST",
        ownInput: { form: T.Object({ a: T.String() }) },
        handler: async ({ request }) => new Response(await request.text()),
      }),
    );
    for (const type of ["application/json", "application/x-www-form-urlencoded", "text/plain"]) {
      const response = await ask("", { method: "POST", body: "a=1&{", headers: { "content-type": type } });
      expect([type, response.status, await response.text()]).toEqual([type, 200, "a=1&{"]);
    }
  });

  test("that reads its request itself can't declare a credential that would not be checked", () => {
    const unchecked = defineRoute({
      ...open,
      method: "POST",
      access: { credential: "Platform" },
      ownInput: {},
      handler: () => new Response(),
    });
    expect(() => serving(unchecked)).toThrow("/it reads its request itself, and is open");
  });
});
