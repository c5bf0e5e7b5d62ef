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
 * The only module that knows the web framework. It uses the framework's router, its compiled validators and the code
 * that it generates for each route. All other code defines `Route`s.
 */

/** The part of the framework's context that hooks use. */
interface Hooked {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  body: unknown;
}

/**
 * Hides a hook's source text from the framework. The framework reads the source of hooks to see which parts of a
 * request to prepare, and for a hook that passes its context on, prepares all of them: cookies, query, headers, and a
 * second response to merge the cookies into. The parts named by handlers and schemas are still prepared.
 */
const unread = <H extends (hooked: Hooked) => Promise<void> | void>(hook: H): H => hook.bind(undefined) as H;

/**
 * Pages and assets accept any query, since links carry them, and GoTrue's clients send parameters that are not used
 * here.
 */
const takesNoQuery = ({ path, query, detail }: Route): boolean =>
  query === undefined && detail !== "hidden" && !path.startsWith("/auth/v1/");

const keyHeader = "idempotency-key";

/** The body of a route that takes none: absent, or an empty object. On `/auth/v1` any body is ignored. */
const NoBody = T.Optional(closed({}));
const bodyOf = ({ body, path }: Route) => body ?? (path.startsWith("/auth/v1/") ? undefined : NoBody);

/**
 * Repeated headers are joined with commas, so two keys would become a third that no caller sent or will repeat. Throws
 * `validation_error` if the header was sent twice.
 */
function refuseTwoKeys({ headers }: Request): void {
  if (headers.get(keyHeader)?.includes(", "))
    throw invalid(`/header/${keyHeader}`, "must be sent once, and must not contain a comma followed by a space");
}

/**
 * Prepares everything but the body for validation. Integers in the query are parsed here, so that a plain integer
 * schema stays one in OpenAPI.
 */
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

/** Returns the hook that runs before validation: authorises the caller, then reads the input. */
function preparing(route: Route, control: AccessControl, turns: BodyTurns) {
  const { access, method, file } = route;
  const body = bodyOf(route);
  const prepareHead = preparingHead(route);
  // An open GET awaits nothing; a synchronous hook saves the framework a promise per request.
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
  return details.length > 0 ? details : [{ path: at, message: "has the wrong format" }];
}

/** Dependencies of `serveRoutes`. */
export interface Serving {
  readonly access: AccessControl;
  readonly log: Log;
  readonly runtime: Pick<Runtime, "nextTurn">;
  /** Returns the page for a browser at an unknown address; undefined if the response is an error of the API. */
  readonly missing?: (request: Request) => Response | undefined;
  /** Whether the server terminates TLS itself. */
  readonly isTls?: boolean | undefined;
}

/** Returns the response for any thrown error: the code is returned, the cause is logged. */
function answerError({ log, missing }: Serving, code: unknown, error: unknown, request: Request): Response {
  if (error instanceof Failure) {
    if (error.cause) log.warn("refused", { request_id: requestId(request), code: error.code, error: error.cause });
    return failureResponse(error);
  }
  if (error instanceof ValidationError && error.type !== "response")
    return errorResponse("validation_error", detailsIn(error));
  if (code === "NOT_FOUND") return missing?.(request) ?? errorResponse("not_found");
  const [failed, message] = isDatabaseTrouble(error)
    ? (["database_unavailable", "the database is unavailable"] as const)
    : (["internal_error", "unexpected"] as const);
  log.error(message, { request_id: requestId(request), path: URL.parse(request.url)?.pathname, error });
  return errorResponse(failed);
}

/** Returns the framework's options for a route. */
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
  // The framework's parser opens each body as a stream first, which costs more than reading it. A route may set "none",
  // but the framework's type omits it.
  const parse = "none" as never;
  if (!ownInput) return { ...schemas, parse, transform: preparing(route, control, turns) };
  assert(access.credential === "none" || access.credential === "MCP", `${path} reads its request itself, and is open`);
  const transform = unread(({ request }) => {
    contextOf(request).route = route;
  });
  return { ...schemas, parse, transform };
}

/**
 * Creates the framework's app that serves the routes, for `app.ts` and the edge. Any error thrown by a hook, a handler
 * or the framework is returned as an error of the catalogue.
 */
export function serveRoutes(routes: readonly Route[], serving: Serving) {
  const { access: control, runtime, isTls = false } = serving;
  const turns = new BodyTurns(runtime);
  // `normalize` would silently strip what a closed schema rejects. `standardHostname` decides where the path is
  // searched for in a URL: after the eleventh character, or after the seventh, which finds three-letter hosts too, but
  // not `https`.
  const app = new Elysia({ normalize: false, handler: { standardHostname: isTls } }).onError(
    ({ code, error, request }) => answerError(serving, code, error, request),
  );
  // Handlers are passed unwrapped, since the framework reads from their source what to prepare.
  for (const route of routes)
    app.route(route.method, route.path, route.handler as Handler, hooksOf(route, control, turns));
  return app;
}
