import type { Server } from "bun";
import { assert } from "../platform/assert.ts";
import { chain, type MaybePromise } from "../platform/maybe-promise.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Tracing } from "../platform/tracing.ts";
import { bodyAborted, withBoundedBody } from "./bounded-body.ts";
import { originAddress } from "./client-address.ts";
import { compressed, isForConsole } from "./compressed.ts";
import type { Route } from "./define-route.ts";
import { errorResponse, failureResponse } from "./errors.ts";
import { asGoTrueAnswers, isNativeAuth } from "./gotrue.ts";
import { isFailedSignIn, type Observer, routeOf } from "./observe.ts";
import { namesTag, type Prerendered, unchanged } from "./prerendered.ts";
import { contextOf, forwardContext } from "./request-context.ts";
import { eventStream } from "./sse.ts";

/** Bodies above this are answered 413, in bytes, where the configuration says nothing. */
export const defaultBodyLimit = 1_048_576;

/** The same of a route that needs no credential, unless it says more. */
export const openBodyLimit = 65_536;

interface Path {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  /** By method, where it is less than everywhere. */
  readonly limits: Map<string, number>;
  /** By method, where the body is a file. */
  readonly files: Map<string, number>;
}

/** The paths of the routes with their methods, for the 405 that the framework does not know. */
function pathsOf(routes: readonly Route[]): Path[] {
  const paths = new Map<string, Path>();
  for (const { method, path, access, bodyLimit = openBodyLimit, file } of routes) {
    const escaped = path.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/:[^/]+/g, "[^/]+");
    const known = paths.get(path) ?? {
      pattern: new RegExp(`^${escaped.replace(/\*$/, ".*")}/?$`),
      methods: new Set(),
      limits: new Map(),
      files: new Map(),
    };
    known.methods.add(method);
    if (access.credential === "none") known.limits.set(method, bodyLimit);
    if (file) known.files.set(method, file.bytesAtMost);
    if (method === "GET") known.methods.add("HEAD");
    paths.set(path, known);
  }
  return [...paths.values()];
}

const asGet = (request: Request): Request =>
  forwardContext(request, new Request(request.url, { method: "GET", headers: request.headers }));

/** What HEAD is answered with: everything of GET's answer but the body, whose length it states (RFC 9110, 9.3.2). */
async function withoutBody({ status, headers, body }: Response): Promise<Response> {
  // A stream has no length, and nobody reads it.
  if (headers.get("content-type")?.startsWith(eventStream)) await body?.cancel();
  else if (body) headers.set("content-length", String((await new Response(body).arrayBuffer()).byteLength));
  return new Response(null, { status, headers });
}

/** At once where nothing had to be waited for. */
export type Edge = (request: Request, server?: Server<unknown>) => MaybePromise<Response>;

export interface EdgeOptions {
  /** Makes the ids of requests, and measures them. */
  readonly runtime: Pick<Runtime, "id" | "elapsed">;
  /** In bytes. */
  readonly bodyLimit?: number;
  readonly trustedProxies?: readonly string[] | undefined;
  readonly tracing?: Tracing | undefined;
  /** Are shown what was answered. */
  readonly observers?: readonly Observer[];
}

function show(observers: readonly Observer[], request: Request, status: number, ms: number): void {
  const answered = { request, status, ms, isFailedSignIn: isFailedSignIn(request, status) };
  for (const observe of observers) observe(answered);
}

const addressOf = (request: Request, server: Server<unknown>, proxies: readonly string[]): string =>
  originAddress(server.requestIP(request)?.address ?? "", request.headers.get("x-forwarded-for"), proxies);

/** What answers a request whose address and method are a route's. */
interface Router {
  fetch(request: Request): Response | Promise<Response>;
}

/** What the routes allow at an address. What is no address at all, such as that of a CONNECT, has nothing. */
class RouteTable {
  constructor(
    private readonly paths: ReturnType<typeof pathsOf>,
    private readonly bodyLimit: number,
  ) {}

  /** The methods of the request's path. */
  allowed(request: Request): string[] {
    const pathname = URL.parse(request.url)?.pathname ?? "";
    return [...new Set(this.paths.filter((p) => p.pattern.test(pathname)).flatMap((p) => [...p.methods]))].sort();
  }

  /** How many bytes the body may have, and whether it is a file, which is left to the handler to read. */
  private bodyOf(request: Request): { readonly limit: number; readonly isFile: boolean } {
    const pathname = URL.parse(request.url)?.pathname ?? "";
    const own = this.paths.find(({ pattern, methods }) => methods.has(request.method) && pattern.test(pathname));
    const file = own?.files.get(request.method);
    if (file !== undefined) return { limit: file, isFile: true };
    const limit = Math.min(this.bodyLimit, own?.limits.get(request.method) ?? this.bodyLimit);
    return { limit, isFile: false };
  }

  /** The request with its body known to be small enough; undefined when it is not. */
  bounded(request: Request): MaybePromise<Request | undefined> {
    if (request.method === "GET") return request;
    const length = request.headers.get("content-length");
    if (length === null) {
      const { limit, isFile } = this.bodyOf(request);
      return isFile ? request : withBoundedBody(request, limit);
    }
    // No route has a lower limit than these two, so that a usual body's route need not be looked for.
    const isUsual = Number(length) <= Math.min(openBodyLimit, this.bodyLimit);
    return isUsual || Number(length) <= this.bodyOf(request).limit ? request : undefined;
  }
}

/** Whether an answer is one person's by their cookies: no cache knows that of itself, as it does of `Authorization`. */
function isOfCookies(request: Request): boolean {
  const { cookies, principal } = contextOf(request);
  return cookies !== undefined || (principal !== undefined && request.headers.get("authorization") === null);
}

/** The prerendered response of a route. Undefined where reading it fails: its handler then fails too, and is answered. */
function servedBy({ prerendered }: Route): MaybePromise<Prerendered | undefined> {
  try {
    const served = prerendered?.();
    return served instanceof Promise ? served.catch(() => undefined) : served;
  } catch {
    return undefined;
  }
}

/**
 * Answers 304 where the client's copy of a prerendered response is current; undefined for every other request. It compares
 * the address as it is, and leaves whatever is not plain to the router.
 */
function createRevalidation(routes: readonly Route[]): (request: Request) => MaybePromise<Response | undefined> {
  const byPath = new Map(routes.flatMap((route) => (route.prerendered ? [[route.path, route]] : [])));
  for (const { method, path, access } of byPath.values())
    assert(method === "GET" && access.credential === "none", `${path} is served to everybody`);
  return (request) => {
    const held = request.method === "GET" ? request.headers.get("if-none-match") : null;
    if (held === null) return undefined;
    const { url } = request;
    // Behind the scheme: its host has no slash.
    const route = byPath.get(url.slice(url.indexOf("/", url.indexOf("//") + 2)));
    if (!route) return undefined;
    contextOf(request).route = route;
    return chain(servedBy(route), (served) => (served && namesTag(held, served.etag) ? unchanged(served) : undefined));
  };
}

/**
 * What happens around every route, for `app.ts`: request ids, HEAD by GET with its length, 405 with `Allow`, 413 before
 * anything is read.
 */
export function createEdge(router: Router, routes: readonly Route[], options: EdgeOptions): Edge {
  const { bodyLimit = defaultBodyLimit, trustedProxies = [], runtime, observers = [], tracing } = options;
  const table = new RouteTable(pathsOf(routes), bodyLimit);
  const revalidate = createRevalidation(routes);

  const routed = (request: Request | undefined): MaybePromise<Response> =>
    request ? router.fetch(request) : errorResponse("payload_too_large");

  /** Without a promise of its own: that would cost each request, and nearly none has a body that must be counted first. */
  function answer(request: Request): MaybePromise<Response> {
    const asked = table.bounded(request.method === "HEAD" ? asGet(request) : request);
    return asked instanceof Promise ? asked.then(routed, () => failureResponse(bodyAborted())) : routed(asked);
  }

  const answerOf = (request: Request): MaybePromise<Response> =>
    chain(revalidate(request), (held) => held ?? answer(request));

  /** 405 for a path that has other methods; the framework answers 404. */
  function corrected(request: Request, response: Response): Response {
    if (response.status !== 404) return response;
    const allow = table.allowed(request);
    if (allow.length === 0 || allow.includes(request.method)) return response;
    return errorResponse("method_not_allowed", [], { allow: allow.join(", ") });
  }

  /** What goes out for an answer: for GoTrue's clients as theirs gives it, without a body for HEAD, smaller for the console. */
  const outgoing = (request: Request, answered: Response): MaybePromise<Response> =>
    chain(isNativeAuth(request) ? asGoTrueAnswers(answered) : answered, (whole) => {
      if (request.method === "HEAD") return withoutBody(whole);
      return isForConsole(request) ? compressed(whole) : whole;
    });

  const correctedAnswer = (request: Request): MaybePromise<Response> =>
    chain(answerOf(request), (answered) => corrected(request, answered));

  return (request, server) => {
    const context = contextOf(request);
    const id = runtime.id();
    const arrived = runtime.elapsed();
    context.id = id;
    // Of this request, also where another one stands in for it further on: that one has no socket.
    if (server) context.address = () => addressOf(request, server, trustedProxies);
    const answered = tracing
      ? tracing.request(
          request,
          id,
          async () => correctedAnswer(request),
          ({ status }) => ({ status, route: routeOf(request) }),
        )
      : correctedAnswer(request);
    // Without a promise where nothing is waited for, as for an open list.
    return chain(
      chain(answered, (whole) => outgoing(request, whole)),
      (response) => {
        response.headers.set("x-request-id", id);
        for (const line of context.cookies ?? []) response.headers.append("set-cookie", line);
        if (isOfCookies(request)) response.headers.set("cache-control", "no-store");
        show(observers, request, response.status, runtime.elapsed() - arrived);
        return response;
      },
    );
  };
}
