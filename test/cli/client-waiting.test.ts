import { afterAll, beforeAll, expect, test } from "bun:test";
import { marketValidator } from "../../src/products/capabilities/market-validator/manifest.ts";
import { openWorld, type World } from "../support/client-cli-world.ts";
import { bicycles } from "../support/validator-world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld([marketValidator]);
});
afterAll(() => world.close());

/** A proxy for the server that passes the path and query of each read to `looked`. */
function proxy(looked: (look: string) => Promise<void> | void) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (request.method === "GET" && /^\/v1\/.+\/[0-9a-f-]{36}$/.test(pathname)) await looked(pathname + search);
      const headers = new Headers(request.headers);
      headers.delete("host");
      const { method } = request;
      const body = method === "GET" ? null : await request.arrayBuffer();
      return fetch(world.baseUrl + pathname + search, { method, headers, body });
    },
  });
  return {
    base: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const commands: readonly [noun: string, key: "all" | "validator", args: readonly string[]][] = [
  ["run", "all", ["run", "priced", "--set", "text=abc", "--wait"]],
  ["job", "all", ["analyze", "https://example.com/", "--wait"]],
  ["validation", "validator", ["validate", "--market", "CZ", "--hypothesis", bicycles, "--wait"]],
];
const given = (base: string, key: "all" | "validator") => ({
  env: { ASSAY_BASE_URL: base, ASSAY_API_KEY: world.key[key] },
});

for (const [noun, key, args] of commands) {
  test(`waiting for the end of a ${noun} is done by the server`, async () => {
    const looks: string[] = [];
    await using between = proxy((look) => void looks.push(look));
    const { code, err } = await world.assay(args, given(between.base, key));
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(looks.length).toBeGreaterThan(0);
    for (const look of looks) expect(look).toEndWith("?wait=1");
  });

  test(`Ctrl-C while waiting for a ${noun} is 130, and says how to continue`, async () => {
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await using between = proxy(() => {
      asked.resolve();
      return held.promise;
    });
    const child = world.start(args, given(between.base, key));
    await asked.promise;
    child.kill("SIGINT");
    const [code, err] = await Promise.all([child.exited, child.stderr.text()]);
    expect([code, err]).toEqual([130, expect.stringMatching(/assay (runs|jobs|validations) watch [0-9a-f-]{36}/)]);
    held.resolve();
  });
}
