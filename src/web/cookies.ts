import { contextOf } from "./request-context.ts";

/** An HttpOnly cookie with SameSite=Lax: requests from other sites do not carry it, except for links. */
export interface Cookie {
  readonly name: string;
  /** Empty: deletes the cookie. */
  readonly value: string;
  readonly path: string;
  /** Lifetime in seconds. */
  readonly maxAge: number;
  /** Sent over TLS only. */
  readonly secure: boolean;
}

/**
 * Sets a cookie on the response to the request, whatever that will be; the edge adds it. The last cookie of a name
 * wins.
 */
export function setCookie(request: Request, { name, value, path, maxAge, secure }: Cookie): void {
  const kept = value === "" ? 0 : maxAge;
  const line = `${name}=${value}; Path=${path}; Max-Age=${kept}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const context = contextOf(request);
  const others = (context.cookies ?? []).filter((other) => !other.startsWith(`${name}=`));
  context.cookies = [...others, line];
}

/** Returns the value of a cookie of the request. Assay's cookies contain no characters that need quoting. */
export function readCookie(request: Request, name: string): string | undefined {
  const header = request.headers.get("cookie");
  if (header === null) return undefined;
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
  }
  return undefined;
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Returns whether a request comes from one of the installation's own pages, which is required for cookie authentication
 * because cookies accompany requests from any page. Uses `Sec-Fetch-Site` if present, otherwise `Origin`; without
 * either, returns false.
 */
export function isFromOwnPage(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site === null ? request.headers.get("origin") === origin : site === "same-origin";
}

/**
 * Returns whether a browser says that the request comes from another site. A client that sends neither header must be
 * checked otherwise.
 */
export const isFromElsewhere = (request: Request, origin: string): boolean =>
  (request.headers.has("sec-fetch-site") || request.headers.has("origin")) && !isFromOwnPage(request, origin);

/** Returns whether the request may be authenticated by a cookie: it changes nothing, or comes from an own page. */
export const mayUseCookie = (request: Request, origin: string): boolean =>
  safeMethods.has(request.method) || isFromOwnPage(request, origin);
