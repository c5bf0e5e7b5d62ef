import { Type as T } from "@sinclair/typebox";
import { closed } from "../../platform/schema.ts";
import { crossOrigin } from "../../web/cross-origin.ts";

/** The error codes of RFC 6749 (4.1.2.1, 5.2), RFC 7591 (3.2.2) and RFC 8707 (2) that are used here. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "temporarily_unavailable";

/** The error body of the protocol endpoints, in OAuth's format rather than the API's. */
export const OAuthErrorBody = closed(
  { error: T.String(), error_description: T.String() },
  { title: "OAuthError", description: "An error in the format of OAuth 2.1." },
);

/** Thrown by the protocol endpoints. The description is fixed text, and never contains anything that was sent. */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
    readonly status: 400 | 401 | 429 = 400,
    /** The scheme by which the client tried to authenticate, if any. */
    readonly scheme?: "Basic",
  ) {
    super(description);
    this.name = "OAuthError";
  }
}

const noStore = { "cache-control": "no-store", pragma: "no-cache" } as const;

/** Returns a response of a protocol endpoint: not cached, and readable by pages of any origin. */
export const protocolAnswer = (body: unknown, status = 200): Response =>
  Response.json(body, { status, headers: { ...crossOrigin, ...noStore } });

/** Returns an error response of a protocol endpoint. */
export function protocolError({ code, description, status, scheme }: OAuthError): Response {
  const response = protocolAnswer({ error: code, error_description: description }, status);
  // RFC 6749, 5.2: a client that used the Authorization header gets its scheme in the challenge.
  if (scheme) response.headers.set("www-authenticate", `${scheme} realm="oauth"`);
  if (status === 429) response.headers.set("retry-after", "60");
  return response;
}

/** Runs a protocol endpoint's work, converting its errors to the protocol's format. */
export async function answering(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OAuthError) return protocolError(error);
    throw error;
  }
}
