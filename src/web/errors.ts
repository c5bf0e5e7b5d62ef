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
      },
      { title: "Failure" },
    ),
    error_code: T.Optional(T.String({ description: "Only on `/auth/v1`: GoTrue's name of the code." })),
    msg: T.Optional(T.String({ description: "Only on `/auth/v1`: the message, repeated." })),
  },
  { title: "Error" },
);
export type ErrorBody = Static<typeof ErrorBody>;

type ErrorStatus = 401 | 402 | 403 | 404 | 409 | 422 | 429 | 500 | 503;
/** Returns the error responses of a route by status. */
export const errorResponses = <const S extends readonly ErrorStatus[]>(...statuses: S) =>
  Object.fromEntries(statuses.map((status) => [status, ErrorBody])) as { [K in S[number]]: typeof ErrorBody };

const headersOf: Partial<Record<ErrorCode, Record<string, string>>> = {
  invalid_api_key: { "www-authenticate": "Bearer" },
  capability_runs_disabled: { "retry-after": "60" },
  rate_limit_exceeded: { "retry-after": "60" },
  sign_in_unavailable: { "retry-after": "60" },
  database_unavailable: { "retry-after": "5" },
};

/** Returns an error response. Details are included only if there are any; causes never are. */
export function errorResponse(code: ErrorCode, details: readonly Detail[] = [], headers = headersOf[code]): Response {
  const error = { code, message: messageOf(code), ...(details.length > 0 && { details }) };
  return Response.json({ error }, { status: statusOf(code), ...(headers && { headers }) });
}

/** Returns the challenge for a credential with insufficient scope (RFC 6750, 3.1). */
const insufficientScope = (scopes: readonly string[]): string =>
  `Bearer error="insufficient_scope"${scopes.length > 0 ? `, scope="${scopes.join(" ")}"` : ""}`;

/** Returns the response for a `Failure`. */
export const failureResponse = ({ code, details, scopes }: Failure): Response =>
  code === "missing_scope"
    ? errorResponse(code, details, { "www-authenticate": insufficientScope(scopes) })
    : errorResponse(code, details);

const unavailable = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|READONLY|CORRUPT|NOTADB)/;
/** Returns whether an SQLite error is about the file, the disk or a lock rather than the query. */
export const isDatabaseTrouble = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && unavailable.test(error.code);
