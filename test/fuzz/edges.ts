import { connect } from "node:net";
import { canary, hostileBodies, hostileHeaders, hostileQueries, hostileSegments, hostileValues } from "./hostile.ts";
import type { Finding, Probe } from "./probe.ts";

/** Hostile requests for everything outside the OpenAPI document: `/mcp`, pages, unknown paths, and raw bytes. */

const methods = [
  "initialize",
  "ping",
  "server/discover",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "subscriptions/listen",
  "tasks/get",
  "notifications/initialized",
  "notifications/cancelled",
  "__proto__",
  canary,
];

const tools = ["list_capabilities", "get_capability", "quote_use_case", "get_run", "search_docs", "ask_insurance"];

const call = (method: unknown, params: string, id = "1"): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`;

/** Returns requests for `/mcp` with a connection's token. */
export function mcpProbes(token: string): Probe[] {
  const good = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const on = "POST /mcp";
  const post = (what: string, body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}): Probe => ({
    on,
    what,
    method: "POST",
    path: "/mcp",
    headers: { ...good, ...headers },
    body,
  });
  const parameters = hostileValues.map((params, i) => ({ params, i }));
  return [
    ...hostileBodies.map((body, i) => post(`hostile body ${i}`, body)),
    ...methods.flatMap((method) => parameters.map(({ params, i }) => post(`${method} ${i}`, call(method, params)))),
    ...tools.flatMap((name) =>
      parameters.map(({ params, i }) =>
        post(`${name} ${i}`, call("tools/call", `{"name":"${name}","arguments":${params}}`)),
      ),
    ),
    ...parameters.map(({ params, i }) => post(`id ${i}`, call("ping", "{}", params))),
    ...parameters.map(({ params, i }) => post(`_meta ${i}`, call("tools/list", `{"_meta":${params}}`))),
    ...parameters.map(({ params, i }) => post(`method ${i}`, `{"jsonrpc":"2.0","id":1,"method":${params}}`)),
    ...parameters.map(({ params, i }) => post(`uri ${i}`, call("resources/read", `{"uri":${params}}`))),
    ...parameters.map(({ params, i }) => post(`cursor ${i}`, call("resources/list", `{"cursor":${params}}`))),
    post("batch of 51", `[${Array.from({ length: 51 }, () => call("ping", "{}")).join()}]`),
    post("batch of nothing", "[]"),
    post("batch of rubbish", `[1,null,"${canary}",[],{}]`),
    { ...post("protocol version", call("tools/list", "{}"), { "mcp-protocol-version": canary }), echoes: true },
    post("stateless without its headers", call("tools/list", "{}"), { "mcp-protocol-version": "2026-07-28" }),
    post("method header", call("tools/list", "{}"), { "mcp-method": canary, "mcp-name": canary }),
    post("session", call("tools/list", "{}"), { "mcp-session-id": canary }),
    post("no accept", call("tools/list", "{}"), { accept: canary }),
    ...hostileHeaders.map((headers, i) => ({
      ...post(`hostile headers ${i}`, call("tools/list", "{}"), headers),
      guesses: headers.authorization !== undefined,
    })),
  ];
}

const pages = [
  "/",
  "/docs",
  "/console",
  "/sign-in",
  "/sign-up",
  "/forgot-password",
  "/reset-password",
  "/verify-email",
  "/account",
  "/favicon.ico",
  "/robots.txt",
  "/session",
  "/mcp",
  "/.well-known/",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-authorization-server/x",
];
const folders = ["/", "/docs/", "/docs/assets/", "/pages/assets/", "/console/", "/.well-known/", "/v1/", "/auth/v1/"];
const strangeMethods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"];

/** Returns requests for pages, assets and unknown paths. */
export const pageProbes = (): Probe[] => [
  ...pages.flatMap((path) =>
    strangeMethods.map((method) => ({
      on: `${method} ${path}`,
      what: "as it is",
      method,
      path,
      ...(method.startsWith("P") && { body: `{"a":"${canary}"}` }),
    })),
  ),
  ...pages.flatMap((path) => [
    ...["redirect_to", "problem", "token", "code"].flatMap(hostileQueries).map((query) => ({
      on: `GET ${path}`,
      what: `hostile query ${query.slice(0, 40)}`,
      method: "GET",
      path: `${path}?${query}`,
    })),
    ...hostileHeaders.map((headers, i) => ({
      on: `GET ${path}`,
      what: `hostile headers ${i}`,
      method: "GET",
      path,
      headers,
      guesses: headers.authorization !== undefined,
    })),
  ]),
  ...folders.flatMap((folder) =>
    hostileSegments.flatMap((segment) =>
      [segment, `${segment}/${segment}`].map((rest) => ({
        on: `GET ${folder}*`,
        what: `hostile path ${rest.slice(0, 40)}`,
        method: "GET",
        path: folder + rest,
      })),
    ),
  ),
];

const host = "Host: 127.0.0.1";
/** Bytes that no client library sends. */
const raw: readonly string[] = [
  "\r\n\r\n",
  "GET\r\n\r\n",
  `GET /health HTTP/1.1\r\n\r\n`,
  `GET /health HTTP/1.0\r\n\r\n`,
  `GET /health HTTP/9.9\r\n${host}\r\n\r\n`,
  `GET /health HTTP/1.1\r\nHost: a b\r\n\r\n`,
  `GET /health HTTP/1.1\r\nHost: [::\r\n\r\n`,
  `GET /health HTTP/1.1\r\nHost: %%%\r\n\r\n`,
  `GET /health HTTP/1.1\r\nHost: x:99999999\r\n\r\n`,
  `GET /health HTTP/1.1\r\nHost: a@b/c?d#e\r\n\r\n`,
  `GET /health HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n`,
  `GET /health HTTP/1.1\r\n${host}\r\n${host}\r\n\r\n`,
  `GET http://other.example/health HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET //health HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET health HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /v1/../health HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /health#a?b HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /v1/docs/\xff\xfe HTTP/1.1\r\n${host}\r\n\r\n`,
  `GET /v1/docs/a%2 HTTP/1.1\r\n${host}\r\n\r\n`,
  `OPTIONS * HTTP/1.1\r\n${host}\r\n\r\n`,
  `CONNECT 127.0.0.1:1 HTTP/1.1\r\n${host}\r\n\r\n`,
  `${canary} /health HTTP/1.1\r\n${host}\r\n\r\n`,
  `TRACE /health HTTP/1.1\r\n${host}\r\nX: ${canary}\r\n\r\n`,
  `GET /health HTTP/1.1\r\n${host}\r\nX: a\x00b\r\n\r\n`,
  `GET /health HTTP/1.1\r\n${host}\r\n${"X: y\r\n".repeat(3_000)}\r\n`,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nContent-Length: -1\r\n\r\n`,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nContent-Length: 1e3\r\n\r\n`,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nContent-Length: 99999999999999999999\r\n\r\n{}`,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nTransfer-Encoding: gzip, identity\r\n\r\n{}`,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nExpect: ${canary}\r\nContent-Length: 2\r\n\r\n{}`,
  `POST /auth/v1/logout HTTP/1.1\r\n${host}\r\nContent-Length: 50\r\n\r\n{`,
];
export const rawCount = raw.length;

/** How long the server may keep a connection open after the peer has shut down its side, in milliseconds. */
const rawPatienceMs = 3_000;

function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.end(Buffer.from(bytes, "latin1")));
    const end = () => {
      socket.destroy();
      resolve(heard);
    };
    socket.setTimeout(rawPatienceMs, end);
    socket.on("data", (data) => {
      heard += data.toString("latin1");
    });
    socket.on("close", end);
    socket.on("error", end);
  });
}

/** Sends the raw bytes. An error response or a closed connection is correct; a server error or an echo is a finding. */
export async function rawFindings(base: string): Promise<Finding[]> {
  const port = Number(new URL(base).port);
  const findings: Finding[] = [];
  for (const bytes of raw) {
    const heard = await exchange(port, bytes);
    const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(heard) ?? [];
    const on = "raw bytes";
    const what = JSON.stringify(bytes.slice(0, 80));
    if (Number(status) >= 500 && status !== "505") findings.push({ on, what, problem: `status ${status}` });
    if (heard.includes(canary)) findings.push({ on, what, problem: "echoes what was sent" });
  }
  return findings;
}
