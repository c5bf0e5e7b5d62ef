import { checker } from "../platform/validate.ts";
import { ErrorBody } from "./errors.ts";

const place = "/auth/v1/";

/** GoTrue's names of error codes, where they differ. */
const words: Readonly<Record<string, string>> = {
  invalid_api_key: "bad_jwt",
  validation_error: "validation_failed",
  rate_limit_exceeded: "over_request_rate_limit",
  internal_error: "unexpected_failure",
};

/** Returns whether a request is for the native sign-in API. One substring search rules out everything else. */
export const isNativeAuth = ({ url }: Request): boolean =>
  url.includes(place) && URL.parse(url)?.pathname.startsWith(place) === true;

/**
 * Adapts a response of `/auth/v1` for GoTrue's clients: never cached, and errors also have GoTrue's `error_code` and
 * `msg`.
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
