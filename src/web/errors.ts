import { type Static, Type as T } from "@sinclair/typebox";
import type { ValueError } from "@sinclair/typebox/compiler";
import { Elysia, ValidationError } from "elysia";
import { type Detail, type ErrorCode, Failure, messageOf, statusOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { closed } from "../platform/schema.ts";
import { detailsOf } from "../platform/validate.ts";
import { requestId } from "./request-context.ts";

/** The error body of every route. */
export const ErrorBody = closed(
  {
    error: closed({
      code: T.String(),
      message: T.String(),
      details: T.Optional(T.Array(closed({ path: T.String(), message: T.String() }))),
    }),
    error_code: T.Optional(T.String({ description: "On `/auth/v1` alone: the code as GoTrue's clients know it." })),
    msg: T.Optional(T.String({ description: "On `/auth/v1` alone: the message once more." })),
  },
  { title: "Error" },
);
export type ErrorBody = Static<typeof ErrorBody>;

type ErrorStatus = 401 | 402 | 403 | 404 | 409 | 422 | 429 | 500 | 503;
/** The responses of a route by which it may refuse. */
export const errorResponses = <const S extends readonly ErrorStatus[]>(...statuses: S) =>
  Object.fromEntries(statuses.map((status) => [status, ErrorBody])) as { [K in S[number]]: typeof ErrorBody };

const headersOf: Partial<Record<ErrorCode, Record<string, string>>> = {
  invalid_api_key: { "www-authenticate": "Bearer" },
  capability_runs_disabled: { "retry-after": "60" },
  rate_limit_exceeded: { "retry-after": "60" },
  sign_in_unavailable: { "retry-after": "60" },
  database_unavailable: { "retry-after": "5" },
};

/** An error as it goes out. Details only where there are any; a cause never. */
export function errorResponse(code: ErrorCode, details: readonly Detail[] = [], headers = headersOf[code]): Response {
  const error = { code, message: messageOf(code), ...(details.length > 0 && { details }) };
  return Response.json({ error }, { status: statusOf(code), ...(headers && { headers }) });
}

const places: Readonly<Record<string, string>> = {
  body: "/body",
  query: "/query",
  params: "/path",
  headers: "/header",
  cookie: "/header/cookie",
};

function detailsOfElysia(error: ValidationError): Detail[] {
  const at = places[error.type] ?? "/body";
  const errors = "Errors" in error.validator ? (error.validator.Errors(error.value) as Iterable<ValueError>) : [];
  const details = detailsOf(errors, at);
  return details.length > 0 ? details : [{ path: at, message: "has another form" }];
}

/** SQLite's way of saying that the file, the disk or the lock is the trouble, not the query. */
const unavailable = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|READONLY|CORRUPT|NOTADB)/;
export const isDatabaseTrouble = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && unavailable.test(error.code);

/** One handler for everything thrown anywhere: codes go out, causes go to the log. */
export const errorHandler = (log: Log) =>
  new Elysia({ name: "errors" }).onError({ as: "global" }, ({ code, error, request }) => {
    if (error instanceof Failure) {
      if (error.cause) log.warn("refused", { request_id: requestId(request), code: error.code, error: error.cause });
      return errorResponse(error.code, error.details);
    }
    if (error instanceof ValidationError && error.type !== "response")
      return errorResponse("validation_error", detailsOfElysia(error));
    if (code === "NOT_FOUND") return errorResponse("not_found");
    const failed = isDatabaseTrouble(error) ? "database_unavailable" : "internal_error";
    log.error("unexpected", { request_id: requestId(request), path: URL.parse(request.url)?.pathname, error });
    return errorResponse(failed);
  });
