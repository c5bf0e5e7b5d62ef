import { type Static, Type as T } from "@sinclair/typebox";
import { type Detail, type ErrorCode, type Failure, messageOf, statusOf } from "../platform/errors.ts";
import { closed } from "../platform/schema.ts";

/** The error body of every route. */
export const ErrorBody = closed(
  {
    error: closed(
      {
        code: T.String(),
        message: T.String(),
        details: T.Optional(T.Array(closed({ path: T.String(), message: T.String() }, { title: "FailureDetail" }))),
        request_id: T.Optional(
          T.String({ description: "Where the fault is not the caller's: what the operator finds it in the log by." }),
        ),
      },
      { title: "Failure" },
    ),
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
export function errorResponse(
  code: ErrorCode,
  details: readonly Detail[] = [],
  headers = headersOf[code],
  request_id?: string,
): Response {
  const found = { ...(details.length > 0 && { details }), ...(request_id !== undefined && { request_id }) };
  const error = { code, message: messageOf(code), ...found };
  return Response.json({ error }, { status: statusOf(code), ...(headers && { headers }) });
}

/** What RFC 6750, 3.1 says of a credential that does not reach far enough. */
const insufficientScope = (scopes: readonly string[]): string =>
  `Bearer error="insufficient_scope"${scopes.length > 0 ? `, scope="${scopes.join(" ")}"` : ""}`;

/** What a service threw, as it goes out. */
export const failureResponse = ({ code, details, scopes }: Failure, request_id?: string): Response =>
  code === "missing_scope"
    ? errorResponse(code, details, { "www-authenticate": insufficientScope(scopes) })
    : errorResponse(code, details, undefined, request_id);

const unavailable = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|READONLY|CORRUPT|NOTADB)/;
/** Whether SQLite says that the file, the disk or the lock has failed, not the query. */
export const isDatabaseTrouble = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && unavailable.test(error.code);
