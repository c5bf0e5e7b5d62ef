import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openWorld, type World } from "../support/client-cli-world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Responses of a stand-in for a server behind a proxy, each part of which may be broken. */
interface Setup {
  readonly challenge?: (base: string) => Response;
  readonly resource?: (base: string) => object;
  readonly issuer?: (base: string) => object;
  readonly registration?: number;
}

const serverOf = (base: string) => ({
  issuer: base,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  registration_endpoint: `${base}/register`,
  code_challenge_methods_supported: ["S256"],
  response_types_supported: ["code"],
});
const challengeOf = (base: string) =>
  new Response(null, {
    status: 401,
    headers: { "www-authenticate": `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"` },
  });

function setup({ challenge, resource, issuer, registration = 400 }: Setup) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request): Response {
      const { origin, pathname } = new URL(request.url);
      if (pathname === "/mcp") return (challenge ?? challengeOf)(origin);
      if (pathname === "/.well-known/oauth-protected-resource/mcp")
        return Response.json(resource?.(origin) ?? { resource: `${origin}/mcp`, authorization_servers: [origin] });
      if (pathname === "/.well-known/oauth-authorization-server")
        return Response.json(issuer?.(origin) ?? serverOf(origin));
      return new Response(null, { status: pathname === "/register" ? registration : 404 });
    },
  });
  return { url: `http://127.0.0.1:${server.port}/mcp`, [Symbol.asyncDispose]: () => server.stop(true) };
}

describe("assay doctor --mcp", () => {
  test("checks the whole way to the tools, and changes nothing", async () => {
    const clients = async () => (await world.assay(["doctor", "--mcp", "--json"])).out;
    const { code, out } = await world.assay(["doctor", "--mcp"]);
    expect(code).toBe(0);
    for (const about of ["server", "challenge", "resource metadata", "authorization server", "PKCE", "registration"])
      expect(out).toContain(`ok    ${about}: `);
    expect(out).toMatch(/ok {4}connection with ASSAY_API_KEY: assay .*protocol 2025-11-25/);
    expect(out).toMatch(/ok {4}tools: \d+ for this key/);
    expect(out).not.toContain(world.key.all);
    expect(JSON.parse(await clients())).toMatchObject({ ok: true });
  });

  test("accepts an installation's address for the endpoint below it", async () => {
    for (const address of [world.baseUrl, `${world.baseUrl}/`]) {
      const { code, out } = await world.assay(["doctor", "--mcp", address]);
      expect([address, code]).toEqual([address, 0]);
      expect(out).toContain(`ok    address: ${world.baseUrl}/mcp, since ${address} does not serve MCP`);
      expect(out).toMatch(/ok {4}tools: \d+ for this key/);
    }
  });

  test("checks without a key whatever needs none", async () => {
    const { code, out } = await world.assay(["doctor", "--mcp", `${world.baseUrl}/mcp`], {
      env: { ASSAY_API_KEY: "" },
    });
    expect(code).toBe(0);
    expect(out).toContain("warn  connection: not tried");
    expect(out).toContain("assay login");
  });

  test("distinguishes an invalid key from a failed connection", async () => {
    const env = { ASSAY_API_KEY: `assay_sk_${"x".repeat(47)}` };
    const { code, out } = await world.assay(["doctor", "--mcp"], { env });
    expect(code).toBe(1);
    expect(out).toContain("FAIL  connection with ASSAY_API_KEY: initialize answered 401");
    expect(out).toContain("ok    PKCE");
  });

  const broken: Readonly<Record<string, readonly [Setup, string]>> = {
    "a proxy that has another address than the server thinks": [
      { resource: () => ({ resource: "http://inside:8787/mcp", authorization_servers: ["http://inside:8787"] }) },
      "FAIL  resource metadata: it is for http://inside:8787/mcp",
    ],
    "a server that asks for nothing": [{ challenge: () => Response.json({}) }, "FAIL  challenge: 200 instead of 401"],
    "a redirect": [
      { challenge: () => Response.redirect("https://elsewhere.example/") },
      "FAIL  challenge: 302, a redirect",
    ],
    "a path without an endpoint": [{ challenge: () => new Response(null, { status: 404 }) }, "FAIL  challenge: 404"],
    "a proxy that drops the challenge": [
      { challenge: () => new Response(null, { status: 401 }) },
      "warn  challenge: 401 without resource_metadata",
    ],
    "metadata that is none": [{ issuer: () => ({}) }, "FAIL  authorization server: "],
    "an issuer of another name": [
      { issuer: (base) => ({ ...serverOf(base), issuer: "https://other.example" }) },
      "FAIL  authorization server: it calls itself https://other.example",
    ],
    "no PKCE": [
      { issuer: (base) => ({ ...serverOf(base), code_challenge_methods_supported: ["plain"] }) },
      "FAIL  PKCE: S256 is not advertised",
    ],
    "no registration": [
      { issuer: (base) => ({ ...serverOf(base), registration_endpoint: undefined }) },
      "FAIL  registration: not advertised",
    ],
    "a registration that does not answer": [{ registration: 502 }, "FAIL  registration: its endpoint answered 502"],
  };
  for (const [what, [given, told]] of Object.entries(broken))
    test(`reports ${what}, with a hint`, async () => {
      await using server = setup(given);
      const { code, out } = await world.assay(["doctor", "--mcp", server.url]);
      expect(out).toContain(told);
      expect(out).toMatch(new RegExp(`${told.slice(0, 4)} .*\n {6}\\S`));
      expect(code).toBe(told.startsWith("FAIL") ? 1 : 0);
    });

  test("distinguishes a server that is down from a missing address", async () => {
    const down = await world.assay(["doctor", "--mcp", "http://127.0.0.1:1/mcp"]);
    expect([down.code, down.out]).toEqual([1, expect.stringContaining("No server answers")]);
    expect((await world.assay(["doctor", "--mcp", "nonsense"])).code).toBe(2);
  });
});
