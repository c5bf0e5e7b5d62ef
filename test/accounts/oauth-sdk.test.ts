import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as second from "@modelcontextprotocol/client";
import { type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { present } from "../../src/platform/assert.ts";
import { World } from "../support/harness.ts";
import { decide, landing, signedIn } from "../support/oauth-world.ts";

/** The SDK's own clients of both generations, over a socket, since most MCP programs are built on them. */

let world: World;
let server: ReturnType<typeof Bun.serve>;
let base: string;
let cookie: string;

beforeAll(async () => {
  let answer: (request: Request) => Promise<Response> | Response = () => new Response();
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => answer(request) });
  base = `http://127.0.0.1:${server.port}`;
  world = await World.open(undefined, { baseUrl: base });
  answer = (request) => world.app.fetch(request);
  cookie = await signedIn(world, (await world.firm()).people.owner);
});
afterAll(async () => {
  await server.stop(true);
  await world[Symbol.asyncDispose]();
});

const redirectUrl = "http://localhost:8976/oauth/callback";

/** A program that keeps everything in memory, and leaves the browser's part to the test. */
class Program implements OAuthClientProvider {
  private readonly kept = new Map<string, unknown>();
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    ...{ client_name: "SDK", redirect_uris: [redirectUrl], grant_types: ["authorization_code", "refresh_token"] },
    ...{ response_types: ["code"], token_endpoint_auth_method: "client_secret_post" },
  };
  address: URL | undefined;

  state = () => "the-state";
  clientInformation = () => this.kept.get("client") as never;
  saveClientInformation = (client: unknown) => void this.kept.set("client", client);
  tokens = () => this.kept.get("tokens") as never;
  saveTokens = (tokens: unknown) => void this.kept.set("tokens", tokens);
  redirectToAuthorization(url: URL): void {
    this.address = url;
  }
  saveCodeVerifier = (verifier: string) => void this.kept.set("verifier", verifier);
  codeVerifier = () => String(this.kept.get("verifier"));
  saveDiscoveryState = (found: unknown) => void this.kept.set("discovery", found);
  discoveryState = () => this.kept.get("discovery") as never;
  get accessToken(): string {
    return (this.kept.get("tokens") as { access_token: string }).access_token;
  }
  /** Makes the access token invalid, as it is after a quarter of an hour. */
  spoil(): void {
    this.kept.set("tokens", { ...(this.kept.get("tokens") as object), access_token: "spoilt" });
  }
}

/** Approves some of the requested scopes as the person in the browser. */
async function allowed(program: Program, scopes: readonly string[]): Promise<URLSearchParams> {
  const { pathname, search } = present(program.address, "an address to open");
  const page = await (await world.ask(pathname + search, { headers: { cookie } })).text();
  const own = { origin: base, "sec-fetch-site": "same-origin" };
  const { at, said } = landing(await decide(world, cookie, page, { scopes, headers: own }));
  expect(at).toBe(redirectUrl);
  expect(said.state).toBe("the-state");
  return new URLSearchParams(said);
}

describe("the SDK's client", () => {
  test("of the first generation discovers the server, is authorised, calls, and refreshes", async () => {
    const program = new Program();
    const transport = () => new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { authProvider: program });
    const first = transport();
    await expect(new Client({ name: "t", version: "1" }).connect(first)).rejects.toThrow(UnauthorizedError);
    expect(program.address?.searchParams.get("scope")).toContain("validator:run");
    expect(program.address?.searchParams.get("resource")).toBe(`${base}/mcp`);
    const said = await allowed(program, ["docs:read", "runs:read"]);
    await first.finishAuth(said.get("code") ?? "");
    const names = async () => {
      const client = new Client({ name: "t", version: "1" });
      await client.connect(transport());
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name);
    };
    expect(await names()).toContain("search_docs");
    const before = program.accessToken;
    program.spoil();
    expect(await names()).toContain("get_doc");
    expect([before, "spoilt"]).not.toContain(program.accessToken);
  });

  test("of the second generation does the same, and verifies the issuer", async () => {
    const program = new Program();
    const transport = () => new second.StreamableHTTPClientTransport(new URL(`${base}/mcp`), { authProvider: program });
    const first = transport();
    const client = () => new second.Client({ name: "t", version: "1" });
    await expect(client().connect(first)).rejects.toThrow();
    await first.finishAuth(await allowed(program, ["docs:read"]));
    const connected = client();
    await connected.connect(transport());
    const { tools } = await connected.listTools();
    expect(tools.map(({ name }) => name)).toContain("search_docs");
    await connected.close();
  });
});
