import { Type as T } from "@sinclair/typebox";
import type { ValueError } from "@sinclair/typebox/compiler";
import { Elysia, type Handler, ValidationError } from "elysia";
import { assert } from "../platform/assert.ts";
import { type Detail, Failure, invalid } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { lowerCaseIds } from "../platform/lower-case-ids.ts";
import type { Runtime } from "../platform/runtime.ts";
import { closed } from "../platform/schema.ts";
import { detailsOf } from "../platform/validate.ts";
import type { AccessControl } from "./access.ts";
import type { Route } from "./define-route.ts";
import { errorResponse, failureResponse, isDatabaseTrouble } from "./errors.ts";
import { BodyTurns, checkBody, readJson } from "./json-body.ts";
import { queryReader, refuseQuery } from "./query.ts";
import { contextOf, requestId } from "./request-context.ts";

/**
 * The one place that knows the framework, and what of it we use: its router, its compiled validators, and the code that
 * it writes for each route. Everything else of the product makes `Route`s.
 */

/** What of a request the framework hands to a hook. */
interface Hooked {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  body: unknown;
}

/**
 * The hook, with a text that the framework can't read. It reads every hook's to see what of a request it has to prepare,
 * and takes one that hands its context on for one that wants all of it: cookies, query, headers, and a second response
 * to merge those cookies into. What a handler and the schemas name is prepared all the same.
 */
const unread = <H extends (hooked: Hooked) => Promise<void> | void>(hook: H): H => hook.bind(undefined) as H;

/** Pages and their files are asked for with whatever a link carries; GoTrue's clients send what we need not know. */
const takesNoQuery = ({ path, query, detail }: Route): boolean =>
  query === undefined && detail !== "hidden" && !path.startsWith("/auth/v1/");

const keyHeader = "idempotency-key";

/** What a route without a body takes: nothing, or nothing in braces. What is ignored elsewhere is ignored on `/auth/v1`. */
const NoBody = T.Optional(closed({}));
const bodyOf = ({ body, path }: Route) => body ?? (path.startsWith("/auth/v1/") ? undefined : NoBody);

/**
 * Headers of one name arrive as one, with commas between their values: two keys would be taken for a third, which nobody
 * sent and nobody will repeat. Throws `validation_error` for them.
 */
function refuseTwoKeys({ headers }: Request): void {
  if (headers.get(keyHeader)?.includes(", "))
    throw invalid(`/header/${keyHeader}`, "must be sent once, and hold no comma before a blank");
}

/** What of a request is made ready for its validation, besides its body. In a query a plain integer schema stays one in OpenAPI. */
function preparingHead(route: Route) {
  const { params, query, headers } = route;
  const readQuery = query && queryReader(query);
  const takesNone = takesNoQuery(route);
  const takesKey = headers?.properties?.[keyHeader] !== undefined;
  return (hooked: Hooked): void => {
    if (takesNone) refuseQuery(hooked.request);
    if (params) lowerCaseIds(params, hooked.params);
    readQuery?.(hooked.request, hooked.query);
    if (takesKey) refuseTwoKeys(hooked.request);
  };
}

/** Before validation: who calls, then what they send. */
function preparing(route: Route, control: AccessControl, turns: BodyTurns) {
  const { access, method, file } = route;
  const body = bodyOf(route);
  const prepareHead = preparingHead(route);
  // An open GET awaits nothing: a synchronous hook spares the framework a promise for each request.
  if (access.credential === "none" && method === "GET")
    return unread((hooked) => {
      contextOf(hooked.request).route = route;
      prepareHead(hooked);
    });
  return unread(async (hooked) => {
    contextOf(hooked.request).route = route;
    const authorized = control.authorize(hooked.request, hooked.params, access);
    if (authorized) await authorized;
    prepareHead(hooked);
    if (method === "GET" || file) return;
    hooked.body = await readJson(hooked.request, turns);
    if (!body) return;
    checkBody(body, hooked.body);
    lowerCaseIds(body, hooked.body);
  });
}

const places: Readonly<Record<string, string>> = {
  body: "/body",
  query: "/query",
  params: "/path",
  headers: "/header",
  cookie: "/header/cookie",
};

function detailsIn(error: ValidationError): Detail[] {
  const at = places[error.type] ?? "/body";
  const errors = "Errors" in error.validator ? (error.validator.Errors(error.value) as Iterable<ValueError>) : [];
  const details = detailsOf(errors, at);
  return details.length > 0 ? details : [{ path: at, message: "has another form" }];
}

/** Answers whatever is thrown anywhere: codes go out, causes go to the log. */
function answerError(log: Log, code: unknown, error: unknown, request: Request): Response {
  if (error instanceof Failure) {
    if (error.cause) log.warn("refused", { request_id: requestId(request), code: error.code, error: error.cause });
    return failureResponse(error);
  }
  if (error instanceof ValidationError && error.type !== "response")
    return errorResponse("validation_error", detailsIn(error));
  if (code === "NOT_FOUND") return errorResponse("not_found");
  const failed = isDatabaseTrouble(error) ? "database_unavailable" : "internal_error";
  log.error("unexpected", { request_id: requestId(request), path: URL.parse(request.url)?.pathname, error });
  return errorResponse(failed);
}

/** What the framework is to do for a route. */
function hooksOf(route: Route, control: AccessControl, turns: BodyTurns) {
  const {
    method: _method,
    path,
    access,
    detail: _detail,
    ownInput,
    handler: _handler,
    bodyLimit: _limit,
    file: _file,
    prerendered: _prerendered,
    ...schemas
  } = route;
  // Its own parser opens each body as a stream first, which costs more than reading it. Its type leaves this word out,
  // which a route may say.
  const parse = "none" as never;
  if (!ownInput) return { ...schemas, parse, transform: preparing(route, control, turns) };
  assert(access.credential === "none" || access.credential === "MCP", `${path} reads its request itself, and is open`);
  const transform = unread(({ request }) => {
    contextOf(request).route = route;
  });
  return { ...schemas, parse, transform };
}

/** What serving needs besides the routes. */
export interface Serving {
  readonly access: AccessControl;
  readonly log: Log;
  readonly runtime: Pick<Runtime, "nextTurn">;
  /** Whether the server speaks TLS itself. */
  readonly isTls?: boolean | undefined;
}

/**
 * An app of the framework that serves the routes, for `app.ts` and the edge. Whatever is thrown on the way, by a hook, a
 * handler or the framework, is answered as an error of ours.
 */
export function serveRoutes(routes: readonly Route[], { access: control, log, runtime, isTls = false }: Serving) {
  const turns = new BodyTurns(runtime);
  // `normalize` would strip what a closed schema refuses. The other setting says where in an address the path is looked
  // for: after the eleventh character, or after the seventh, which finds hosts of three letters too but no `https`.
  const app = new Elysia({ normalize: false, handler: { standardHostname: isTls } }).onError(
    ({ code, error, request }) => answerError(log, code, error, request),
  );
  // Handlers are passed as they are, since the framework reads from their text what to prepare for them.
  for (const route of routes)
    app.route(route.method, route.path, route.handler as Handler, hooksOf(route, control, turns));
  return app;
}
