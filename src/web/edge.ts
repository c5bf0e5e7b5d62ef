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
import { type Observer, rejectedCredential, routeOf } from "./observe.ts";
import { namesTag, type Prerendered, unchanged } from "./prerendered.ts";
import { contextOf, forwardContext } from "./request-context.ts";
import { eventStream } from "./sse.ts";

/** Default body limit in bytes; larger bodies are answered with 413. */
export const defaultBodyLimit = 1_048_576;

/** The limit for routes that need no credential, unless they set their own. */
export const openBodyLimit = 65_536;

interface Path {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  /** By method, if lower than the general limit. */
  readonly limits: Map<string, number>;
  /** By method, for file bodies. */
  readonly files: Map<string, number>;
}

/** Returns the routes' paths with their methods, for the 405 that the framework does not send. */
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

/** Returns the response to HEAD: that of GET without its body, whose length it states (RFC 9110, 9.3.2). */
async function withoutBody({ status, headers, body }: Response): Promise<Response> {
  // A stream has no length, and no one reads it.
  if (headers.get("content-type")?.startsWith(eventStream)) await body?.cancel();
  else if (body) headers.set("content-length", String((await new Response(body).arrayBuffer()).byteLength));
  return new Response(null, { status, headers });
}

/** Synchronous if nothing has to be awaited. */
export type Edge = (request: Request, server?: Server<unknown>) => MaybePromise<Response>;

export interface EdgeOptions {
  /** Creates request ids and measures time. */
  readonly runtime: Pick<Runtime, "id" | "elapsed">;
  /** In bytes. */
  readonly bodyLimit?: number;
  readonly trustedProxies?: readonly string[] | undefined;
  readonly tracing?: Tracing | undefined;
  /** Called with every response. */
  readonly observers?: readonly Observer[];
}

function show(observers: readonly Observer[], request: Request, status: number, ms: number): void {
  const answered = { request, status, ms, rejected: rejectedCredential(request, status) };
  for (const observe of observers) observe(answered);
}

const addressOf = (request: Request, server: Server<unknown>, proxies: readonly string[]): string =>
  originAddress(server.requestIP(request)?.address ?? "", request.headers.get("x-forwarded-for"), proxies);

/** Answers requests whose path and method belong to a route. */
interface Router {
  fetch(request: Request): Response | Promise<Response>;
}

/** What the routes allow at a URL. An invalid URL, such as that of a CONNECT, matches nothing. */
class RouteTable {
  constructor(
    private readonly paths: ReturnType<typeof pathsOf>,
    private readonly bodyLimit: number,
  ) {}

  /** Returns the methods of the request's path. */
  allowed(request: Request): string[] {
    const pathname = URL.parse(request.url)?.pathname ?? "";
    return [...new Set(this.paths.filter((p) => p.pattern.test(pathname)).flatMap((p) => [...p.methods]))].sort();
  }

  /** Returns the body limit in bytes, and whether the body is a file, which the handler reads. */
  private bodyOf(request: Request): { readonly limit: number; readonly isFile: boolean } {
    const pathname = URL.parse(request.url)?.pathname ?? "";
    const own = this.paths.find(({ pattern, methods }) => methods.has(request.method) && pattern.test(pathname));
    const file = own?.files.get(request.method);
    if (file !== undefined) return { limit: file, isFile: true };
    const limit = Math.min(this.bodyLimit, own?.limits.get(request.method) ?? this.bodyLimit);
    return { limit, isFile: false };
  }

  /** Returns the request with its body known to be within the limit, or undefined if it is not. */
  bounded(request: Request): MaybePromise<Request | undefined> {
    if (request.method === "GET") return request;
    const length = request.headers.get("content-length");
    if (length === null) {
      const { limit, isFile } = this.bodyOf(request);
      return isFile ? request : withBoundedBody(request, limit);
    }
    // No route has a lower limit than these two, so most bodies need no look-up of their route.
    const isUsual = Number(length) <= Math.min(openBodyLimit, this.bodyLimit);
    return isUsual || Number(length) <= this.bodyOf(request).limit ? request : undefined;
  }
}

/** Returns whether a response is personal because of cookies. Unlike with `Authorization`, caches do not know that. */
function isOfCookies(request: Request): boolean {
  const { cookies, principal } = contextOf(request);
  return cookies !== undefined || (principal !== undefined && request.headers.get("authorization") === null);
}

/**
 * Returns a route's prerendered response, or undefined if reading it fails: its handler then fails too, and answers.
 */
function servedBy({ prerendered }: Route): MaybePromise<Prerendered | undefined> {
  try {
    const served = prerendered?.();
    return served instanceof Promise ? served.catch(() => undefined) : served;
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that answers 304 if the client's copy of a prerendered response is current, and otherwise returns
 * undefined. It compares URLs literally, and leaves any other spelling to the router.
 */
function createRevalidation(routes: readonly Route[]): (request: Request) => MaybePromise<Response | undefined> {
  const byPath = new Map(routes.flatMap((route) => (route.prerendered ? [[route.path, route]] : [])));
  for (const { method, path, access } of byPath.values())
    assert(method === "GET" && access.credential === "none", `${path} is served to everybody`);
  return (request) => {
    const held = request.method === "GET" ? request.headers.get("if-none-match") : null;
    if (held === null) return undefined;
    const { url } = request;
    // After the scheme, since the host contains no slash.
    const route = byPath.get(url.slice(url.indexOf("/", url.indexOf("//") + 2)));
    if (!route) return undefined;
    contextOf(request).route = route;
    return chain(servedBy(route), (served) => (served && namesTag(held, served.etag) ? unchanged(served) : undefined));
  };
}

/**
 * Creates the edge, which wraps every route, for `app.ts`: request ids, HEAD from GET with its length, 405 with
 * `Allow`, 413 before the body is read.
 */
export function createEdge(router: Router, routes: readonly Route[], options: EdgeOptions): Edge {
  const { bodyLimit = defaultBodyLimit, trustedProxies = [], runtime, observers = [], tracing } = options;
  const table = new RouteTable(pathsOf(routes), bodyLimit);
  const revalidate = createRevalidation(routes);

  const routed = (request: Request | undefined): MaybePromise<Response> =>
    request ? router.fetch(request) : errorResponse("payload_too_large");

  /**
   * Synchronous if possible: a promise would cost every request, and almost none has a body that must be counted first.
   */
  function answer(request: Request): MaybePromise<Response> {
    const asked = table.bounded(request.method === "HEAD" ? asGet(request) : request);
    return asked instanceof Promise ? asked.then(routed, () => failureResponse(bodyAborted())) : routed(asked);
  }

  const answerOf = (request: Request): MaybePromise<Response> =>
    chain(revalidate(request), (held) => held ?? answer(request));

  /** Returns 405 for a path that has other methods, for which the framework returns 404. */
  function corrected(request: Request, response: Response): Response {
    if (response.status !== 404) return response;
    const allow = table.allowed(request);
    if (allow.length === 0 || allow.includes(request.method)) return response;
    return errorResponse("method_not_allowed", [], { allow: allow.join(", ") });
  }

  /** Finishes a response: in GoTrue's format for its clients, without a body for HEAD, compressed for the console. */
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
    // Bound to this request, because one created from it later has no socket.
    if (server) context.address = () => addressOf(request, server, trustedProxies);
    const answered = tracing
      ? tracing.request(
          request,
          id,
          async () => correctedAnswer(request),
          ({ status }) => ({ status, route: routeOf(request) }),
        )
      : correctedAnswer(request);
    // Synchronous if nothing is awaited, as for an open list.
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
