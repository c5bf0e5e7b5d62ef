import { type Static, Type as T, type TSchema } from "@sinclair/typebox";
import { fail, type HealthCheck, ok, warn } from "../../platform/health-check.ts";
import { isHttpUrl } from "../../platform/validate.ts";
import { CommandError, type Io } from "../io.ts";
import { conforms, parsed } from "./http.ts";
import { harmless } from "./screen.ts";
import { clientSettings } from "./settings.ts";
import { send, type Talk, Unreachable } from "./transport.ts";

/** `assay doctor --mcp`: takes the steps of an MCP client before its first tool call, and finds where they fail. */

const ResourceMetadata = T.Object({
  resource: T.String(),
  authorization_servers: T.Array(T.String(), { minItems: 1 }),
  scopes_supported: T.Optional(T.Array(T.String())),
});
const ServerMetadata = T.Object({
  issuer: T.String(),
  authorization_endpoint: T.String(),
  token_endpoint: T.String(),
  registration_endpoint: T.Optional(T.String()),
  client_id_metadata_document_supported: T.Optional(T.Boolean()),
  code_challenge_methods_supported: T.Optional(T.Array(T.String())),
  response_types_supported: T.Optional(T.Array(T.String())),
});
type ServerMetadata = Static<typeof ServerMetadata>;
const Initialized = T.Object({
  result: T.Object({ protocolVersion: T.String(), serverInfo: T.Object({ name: T.String(), version: T.String() }) }),
});
const ToolList = T.Object({ result: T.Object({ tools: T.Array(T.Object({ name: T.String() })) }) });

const revision = "2025-11-25";
const setBaseUrl = "Set base_url (ASSAY_BASE_URL of the server) to the address that clients use, and restart it.";

/** The checks made so far. `add` returns false if no later check makes sense. */
class Walk {
  readonly checks: HealthCheck[] = [];

  constructor(readonly talk: Talk) {}

  add(check: HealthCheck): boolean {
    this.checks.push(check);
    return check.state !== "fail";
  }
}

const isLocal = ({ hostname }: URL): boolean => ["127.0.0.1", "localhost", "[::1]"].includes(hostname);

/** Returns the metadata's URL by RFC 9728 and RFC 8414: the well-known part goes between host and path. */
function wellKnown(name: string, of: string): string {
  const { origin, pathname } = new URL(of);
  return `${origin}/.well-known/${name}${pathname === "/" ? "" : pathname.replace(/\/$/, "")}`;
}

/** Returns the last JSON-RPC message of an answer, which is JSON or a stream of events. */
function messageIn(response: Response, text: string): unknown {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return parsed(text);
  const events = [...text.matchAll(/^data: ?(.*)$/gm)].flatMap(([, data = ""]) => (data === "" ? [] : [data]));
  return parsed(events.at(-1) ?? "");
}

function call({ talk }: Walk, url: string, method: string, params: object, secret?: string) {
  return send(talk, url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(method === "initialize" ? {} : { "mcp-protocol-version": revision }),
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "assay doctor", version: "1" } };

async function metadata<S extends TSchema>(
  { talk }: Walk,
  about: string,
  url: string,
  schema: S,
): Promise<Static<S> | HealthCheck> {
  const [response, text] = await send(talk, url, { headers: { accept: "application/json" } });
  if (!response.ok)
    return fail(
      about,
      `${url} answered ${response.status}`,
      "A proxy in front of the server must forward /.well-known.",
    );
  const body = parsed(text);
  if (conforms(schema, body)) return body;
  return fail(
    about,
    `${url} contains no such metadata`,
    "Make sure that a proxy in front of the server does not answer in its place.",
  );
}

const isCheck = (value: unknown): value is HealthCheck =>
  typeof value === "object" && value !== null && "state" in value;

/** Checks the 401 that directs a client to the metadata. Returns the URL of the resource metadata. */
async function challenge(walk: Walk, url: string): Promise<string | undefined> {
  const [response] = await call(walk, url, "initialize", hello);
  walk.add(ok("server", `answers at ${new URL(url).origin}`));
  const about = "challenge";
  if (response.status >= 300 && response.status < 400)
    walk.add(fail(about, `${response.status}, a redirect`, "Give clients the address that it leads to."));
  else if (response.status === 404)
    walk.add(
      fail(about, "404: there is no MCP endpoint", "The address must end in /mcp, and a proxy must forward it."),
    );
  else if (response.status !== 401)
    walk.add(fail(about, `${response.status} instead of 401`, "Without a credential the server must ask for one."));
  else {
    const header = response.headers.get("www-authenticate") ?? "";
    const named = /resource_metadata="([^"]+)"/.exec(header)?.[1];
    if (named && isHttpUrl(named)) {
      walk.add(ok(about, "401, with the address of the metadata"));
      return named;
    }
    walk.add(warn(about, "401 without resource_metadata", "A proxy must forward WWW-Authenticate."));
    return wellKnown("oauth-protected-resource", url);
  }
  return undefined;
}

async function resource(walk: Walk, url: string, at: string): Promise<string | undefined> {
  const about = "resource metadata";
  const found = await metadata(walk, about, at, ResourceMetadata);
  if (isCheck(found)) {
    walk.add(found);
    return undefined;
  }
  if (found.resource !== url)
    return void walk.add(fail(about, `it is for ${harmless(found.resource)}, not for ${url}`, setBaseUrl));
  walk.add(ok(about, `${found.scopes_supported?.length ?? 0} scopes`));
  return found.authorization_servers[0];
}

async function authorization(walk: Walk, issuer: string): Promise<ServerMetadata | undefined> {
  const about = "authorization server";
  if (!isHttpUrl(issuer)) return void walk.add(fail(about, "its address is not a URL", setBaseUrl));
  const found = await metadata(walk, about, wellKnown("oauth-authorization-server", issuer), ServerMetadata);
  if (isCheck(found)) return void walk.add(found);
  if (found.issuer !== issuer)
    return void walk.add(fail(about, `it calls itself ${harmless(found.issuer)}, not ${harmless(issuer)}`, setBaseUrl));
  walk.add(ok(about, harmless(issuer)));
  walk.add(
    found.code_challenge_methods_supported?.includes("S256")
      ? ok("PKCE", "S256")
      : fail("PKCE", "S256 is not advertised", "Clients refuse a server without it. Update the server."),
  );
  return found;
}

/** Checks whether a client can register, with an invalid request, so that nothing is registered. */
async function registration(walk: Walk, { registration_endpoint: at, ...server }: ServerMetadata): Promise<void> {
  const about = "registration";
  const documents = server.client_id_metadata_document_supported ? ["client metadata documents"] : [];
  if (at === undefined || !isHttpUrl(at)) {
    const none = fail(about, "not advertised", "Clients need it to register. Update the server.");
    return void walk.add(documents.length > 0 ? ok(about, documents.join()) : none);
  }
  const headers = { "content-type": "application/json", accept: "application/json" };
  const [response] = await send(walk.talk, at, { method: "POST", headers, body: "{}" });
  walk.add(
    response.status === 400 || response.status === 429
      ? ok(about, ["dynamic", ...documents].join(" and "))
      : fail(about, `its endpoint answered ${response.status}`, "A proxy in front of the server must forward it."),
  );
}

/** Connects as the stdio bridge does, with the stored key if it is for this server. */
async function connect(walk: Walk, io: Io, url: string): Promise<void> {
  const { credential, baseUrl } = await clientSettings({ ...io, err: () => {} }, {});
  if (!credential || `${baseUrl}/mcp` !== url)
    return void walk.add(
      warn("connection", "not tried: there is no API key for this server", "Run `assay login`, then try again."),
    );
  const about = `connection with ${credential.origin}`;
  const [response, text] = await call(walk, url, "initialize", hello, credential.secret);
  const answer = messageIn(response, text);
  if (!conforms(Initialized, answer)) {
    const advice = response.status === 401 ? "The key is not valid here: run `assay login`." : "See the server's log.";
    return void walk.add(fail(about, `initialize answered ${response.status}`, advice));
  }
  const { serverInfo, protocolVersion } = answer.result;
  walk.add(ok(about, harmless(`${serverInfo.name} ${serverInfo.version}, protocol ${protocolVersion}`)));
  const [listed, list] = await call(walk, url, "tools/list", {}, credential.secret);
  const tools = messageIn(listed, list);
  if (!conforms(ToolList, tools))
    return void walk.add(fail("tools", `tools/list answered ${listed.status}`, "See the server's log."));
  const { length } = tools.result.tools;
  const none = warn("tools", "none", "The key has no scope that a tool needs: create one with more scopes.");
  walk.add(length > 0 ? ok("tools", `${length} for this key`) : none);
}

/** Returns the endpoint's URL: the one given, or `/mcp` below it if it is an installation's address. */
async function endpointAt(walk: Walk, asked: string): Promise<string> {
  if (/\/mcp\/?$/.test(new URL(asked).pathname)) return asked;
  const [response] = await call(walk, asked, "initialize", hello);
  if (response.status !== 404 && response.status !== 405) return asked;
  const below = `${asked.replace(/\/+$/, "")}/mcp`;
  walk.add(ok("address", `${below}, since ${asked} does not serve MCP`));
  return below;
}

/** Checks each step of a connection to an MCP endpoint as a client would. Registers and changes nothing. */
export async function walkMcp(io: Io, given: string | undefined): Promise<readonly HealthCheck[]> {
  const asked = given ?? `${(await clientSettings({ ...io, err: () => {} }, {})).baseUrl}/mcp`;
  if (!isHttpUrl(asked)) throw new CommandError(2, "--mcp takes an absolute http or https URL.", "It ends in /mcp");
  const walk = new Walk(io);
  try {
    const url = await endpointAt(walk, asked);
    const address = new URL(url);
    const plain = address.protocol === "http:" && !isLocal(address);
    if (plain)
      walk.add(
        warn(
          "address",
          url,
          "Clients refuse plain http: run a TLS-terminating proxy in front of it, and set base_url to https.",
        ),
      );
    const at = await challenge(walk, url);
    const issuer = at && (await resource(walk, url, at));
    const server = issuer && (await authorization(walk, issuer));
    if (server) await registration(walk, server);
    if (at) await connect(walk, io, url);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const usual = "Check that it is running, and that the address and the port are right.";
    walk.add(fail("server", error.message, error instanceof Unreachable ? usual : (error.hint ?? usual)));
  }
  return walk.checks;
}
