import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ConfigurationError, type Settings, trustedProxiesOf } from "../../src/config/settings.ts";
import { originAddress } from "../../src/web/client-address.ts";
import { World } from "../support/harness.ts";

const proxies = ["127.0.0.1", "10.0.0.2"];

describe("the client's address", () => {
  test("is the peer of the socket, whatever headers an untrusted peer sends", () => {
    fc.assert(
      fc.property(fc.string(), (header) => expect(originAddress("198.51.100.7", header, proxies)).toBe("198.51.100.7")),
    );
    expect(originAddress("127.0.0.1", "203.0.113.9", [])).toBe("127.0.0.1");
  });

  test("is the last address before the trusted proxies", () => {
    expect(originAddress("127.0.0.1", "203.0.113.9", proxies)).toBe("203.0.113.9");
    expect(originAddress("::ffff:127.0.0.1", "192.0.2.1, 203.0.113.9 , 10.0.0.2", proxies)).toBe("203.0.113.9");
    expect(originAddress("127.0.0.1", "2001:db8::7", proxies)).toBe("2001:db8::7");
  });

  test("is the last proxy if the value before it is not an address", () => {
    for (const header of [null, "", "unknown", "203.0.113.9, _hidden", "203.0.113.9,"])
      expect(originAddress("127.0.0.1", header, proxies)).toBe("127.0.0.1");
  });

  test("is configured with addresses only", () => {
    const of = (trusted_proxies: string) => trustedProxiesOf({ trusted_proxies } as Settings);
    expect(of("127.0.0.1,::1")).toEqual(["127.0.0.1", "::1"]);
    for (const wrong of ["10.0.0", "127.0.0.1,", "::1::"]) expect(() => of(wrong)).toThrow(ConfigurationError);
  });
});

/** Requests that the server replaces with another one on the way to the route, which must keep the client's address. */
const kinds: Readonly<Record<string, () => RequestInit>> = {
  "a GET": () => ({}),
  "a HEAD": () => ({ method: "HEAD" }),
  "a body of untold length": () => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new ReadableStream({
      async pull(controller) {
        await Promise.resolve();
        controller.enqueue(new TextEncoder().encode("{}"));
        controller.close();
      },
    }),
  }),
};

test.each(Object.entries(kinds))(
  "trusted through a proxy, a client that guesses with %s is rate-limited alone",
  async (_, made) => {
    await using world = await World.open(undefined, { trustedProxies: ["127.0.0.1"] });
    const { key } = await world.firm();
    await using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request, self) => world.app.fetch(request, self),
    });
    async function ask(from: string, key: string): Promise<number> {
      const { headers, ...init } = made();
      const path = init.method === "POST" ? "/v1/capabilities/echo/runs" : "/v1/me";
      const own = { authorization: `Bearer ${key}`, "x-forwarded-for": from };
      return (await fetch(new URL(path, server.url), { ...init, headers: { ...headers, ...own } })).status;
    }
    for (let tries = 0; tries < 200; tries++) expect(await ask("203.0.113.66", "assay_sk_guess")).toBe(401);
    expect(await ask("203.0.113.66", "assay_sk_guess")).toBe(429);
    expect([200, 422]).toContain(await ask("203.0.113.7", key));
  },
);
