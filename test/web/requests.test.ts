import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenApi } from "../../src/web/openapi-document.ts";
import { errorIn, type Firm, freshKey, refusal, World } from "../support/harness.ts";
import { operationsOf } from "../support/operations.ts";
import { OperatorBrowser } from "../support/operator-browser.ts";

let world: World;
let firm: Firm;
beforeAll(async () => {
  world = await World.open();
  firm = await world.firm();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("HEAD", () => {
  test("returns the length of GET on every path, over a real connection", async () => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request, socket) => world.app.fetch(request, socket),
    });
    const document = (await (await world.ask("/openapi-public.json")).json()) as OpenApi;
    const { id } = await world.settled(firm);
    const paths = Object.keys(document.paths).map((path) => path.replace("{run_id}", id).replace("{slug}", "echo"));
    const headers = { authorization: `Bearer ${firm.key}` };
    for (const path of [...paths, "/nothing", "/"]) {
      const url = new URL(path, server.url);
      const [got, head] = await Promise.all(
        ["GET", "HEAD"].map((method) => fetch(url, { method, headers, redirect: "manual" })),
      );
      const length = (await got?.arrayBuffer())?.byteLength;
      const stated = Number(head?.headers.get("content-length") ?? 0);
      // A route without GET answers 405.
      if (got?.status !== 405)
        expect({ path, status: head?.status, stated }).toEqual({ path, status: got?.status ?? 0, stated: length ?? 0 });
    }
    await server.stop(true);
  });
});

describe("an unknown query parameter", () => {
  test("is refused by name on every API route", async () => {
    let asked = 0;
    const operator = await OperatorBrowser.open(world);
    for (const { method, path, open, takes, operation } of await operationsOf(world)) {
      if (path.startsWith("/auth/v1/") || path.startsWith("/oauth/") || path === "/mcp") continue;
      const browsed = path.startsWith("/v1/operator");
      const as = open || browsed ? undefined : takes.keys ? firm.key : firm.people.owner.token;
      const address = path.replace(/{\w+}/g, () => Bun.randomUUIDv7());
      const required = (operation.parameters ?? []).filter((p) => p.in === "query" && p.required);
      const query = new URLSearchParams({
        ...Object.fromEntries(required.map(({ name }) => [name, "xx"])),
        nonsense: "1",
      });
      const body = operation.requestBody ? {} : undefined;
      const answer = await (browsed ? operator : world).ask(`${address}?${query}`, { method, as, body });
      const on = `${method} ${path}`;
      // A caller without permission gets 403 first.
      if (answer.status === 403) continue;
      asked++;
      expect({ on, status: answer.status }).toEqual({ on, status: 422 });
      expect((await errorIn(answer)).details?.map((detail) => detail.path)).toContain("/query/nonsense");
    }
    expect(asked).toBeGreaterThan(40);
  });

  test("is ignored where links and third-party clients add some", async () => {
    expect((await world.ask("/sign-in?utm_source=mail")).status).toBe(200);
  });
});

describe("an id in upper case", () => {
  test("is equal to the same id in lower case in a path, a query and a body", async () => {
    const { id } = await world.settled(firm);
    const run = await world.ask(`/v1/runs/${id.toUpperCase()}`, { as: firm.key });
    expect(await run.json()).toMatchObject({ id });
    const [workspace] = firm.workspaces;
    const listed = await world.ask(`/v1/runs?workspace_id=${workspace.toUpperCase()}`, { as: firm.key });
    expect(await listed.json()).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ id })]) });
    const key = freshKey();
    const start = (workspace_id: string) => world.start(firm, { key, with: { workspace_id } });
    const made = await start(workspace.toUpperCase());
    expect(await made.json()).toMatchObject({ workspace_id: workspace });
    expect((await start(workspace)).headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("a date that does not exist", () => {
  const impossible = ["2030-02-30", "2029-02-29", "2030-04-31", "2030-13-01", "2030-00-10", "2030-01-00"];

  test("is refused in a query", async () => {
    for (const from of impossible)
      expect(await refusal(await world.ask(`/v1/runs?from=${from}`, { as: firm.key }))).toEqual([
        422,
        "validation_error",
      ]);
    expect((await world.ask("/v1/runs?from=2028-02-29", { as: firm.key })).status).toBe(200);
  });

  test("is refused in a timestamp of a body, at its path", async () => {
    const create = (expires_at: string) =>
      world.ask("/v1/developer/api-keys", {
        as: firm.people.owner.token,
        body: { name: "dated", scopes: ["runs:read"], workspace_id: firm.workspaces[0], expires_at },
      });
    for (const day of impossible) {
      const { details } = await errorIn(await create(`${day}T00:00:00Z`));
      expect([day, details?.[0]?.path]).toEqual([day, "/body/expires_at"]);
    }
    for (const instant of ["2028-02-28T24:00:00Z", "2028-02-28T10:00:00", "2028-02-28T10:00:00+25:00"]) {
      const { details } = await errorIn(await create(instant));
      expect([instant, details?.[0]?.path]).toEqual([instant, "/body/expires_at"]);
    }
    const leap = (await (await create("2028-02-29T12:00:00+02:00")).json()) as { expires_at: string };
    expect(leap.expires_at).toBe("2028-02-29T10:00:00.000Z");
  });
});

describe("an insufficient credential", () => {
  test("is told the missing scope, in the body and as RFC 6750 requires", async () => {
    const { secret } = await world.key(firm, ["docs:read"]);
    const answer = await world.ask("/v1/runs", { as: secret });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="runs:read"');
    expect(await errorIn(answer)).toMatchObject({
      code: "missing_scope",
      details: [{ path: "/header/authorization", message: "needs the scope runs:read" }],
    });
  });

  test("is told every sufficient scope, and the role if no scope suffices", async () => {
    const { secret } = await world.key(firm, ["docs:read"]);
    const cancel = await world.ask(`/v1/runs/${Bun.randomUUIDv7()}/cancel`, { method: "POST", as: secret });
    expect((await errorIn(cancel)).details?.[0]?.message).toBe("needs the scope capabilities:run or use-cases:run");
    const decide = await world.ask(`/v1/runs/${Bun.randomUUIDv7()}/approval`, {
      as: firm.people.member.token,
      body: { decision: "approve" },
    });
    expect((await errorIn(decide)).details?.[0]?.message).toBe("needs a person with the role owner or approver");
  });
});
