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

/** Whether a request is for the native sign-in; one search in the address rules out everything else. */
export const isNativeAuth = ({ url }: Request): boolean =>
  url.includes(place) && URL.parse(url)?.pathname.startsWith(place) === true;

/**
 * An answer on `/auth/v1` as its clients want it: never kept by a cache, and a refusal with GoTrue's `error_code` and
 * `msg` beside ours.
 */
export async function asGoTrueAnswers(response: Response): Promise<Response> {
  response.headers.set("cache-control", "no-store");
  if (response.status < 400 || response.body === null) return response;
  const body: unknown = await response.clone().json();
  if (!checker(ErrorBody).Check(body)) return response;
  const { error } = body as ErrorBody;
  const { status, headers } = response;
  headers.delete("content-length");
  return Response.json({ error, error_code: words[error.code] ?? error.code, msg: error.message }, { status, headers });
}
