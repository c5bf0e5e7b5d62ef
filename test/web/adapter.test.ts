import { expect, test } from "bun:test";
import { catalogueRoutes } from "../../src/products/catalogue/routes.ts";
import { runRoutes } from "../../src/runs/routes.ts";
import { serveRoutes } from "../../src/web/adapter.ts";
import { World } from "../support/harness.ts";

test("for each route the framework prepares what it names, and cookies for none", async () => {
  await using world = await World.open();
  const { parts } = world.app;
  const { routes } = serveRoutes([...runRoutes(parts), ...catalogueRoutes(parts)], parts.access, parts.log);
  const preparing = (what: string) =>
    routes.filter((route) => String(route.compile()).includes(what)).map(({ method, path }) => `${method} ${path}`);
  expect(routes).toHaveLength(9);
  expect(preparing("parseCookie")).toEqual([]);
  expect(preparing("parseQuery")).toEqual(["GET /v1/runs", "GET /v1/capabilities"]);
  expect(preparing("c.headers=")).toEqual(["POST /v1/capabilities/:slug/runs"]);
});
