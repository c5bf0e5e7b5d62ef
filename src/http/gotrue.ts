import { checker } from "../platform/validate.ts";
import { ErrorBody } from "./errors.ts";

const place = "/auth/v1/";

/** Our codes as GoTrue calls them, where it has another word. */
const words: Readonly<Record<string, string>> = {
  invalid_api_key: "bad_jwt",
  validation_error: "validation_failed",
  rate_limit_exceeded: "over_request_rate_limit",
  internal_error: "unexpected_failure",
};

/**
 * An answer on `/auth/v1` as its clients want it: never kept by a cache, and a refusal with GoTrue's `error_code` and
 * `msg` beside ours. Other answers stay as they are.
 */
export async function asGoTrueAnswers(request: Request, response: Response): Promise<Response> {
  if (!request.url.includes(place) || !new URL(request.url).pathname.startsWith(place)) return response;
  response.headers.set("cache-control", "no-store");
  if (response.status < 400 || response.body === null) return response;
  const body: unknown = await response.clone().json();
  if (!checker(ErrorBody).Check(body)) return response;
  const { error } = body as ErrorBody;
  const { status, headers } = response;
  headers.delete("content-length");
  return Response.json({ error, error_code: words[error.code] ?? error.code, msg: error.message }, { status, headers });
}
