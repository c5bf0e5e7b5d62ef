import { contextOf } from "./request-context.ts";

/** A cookie that scripts can't read and other sites' requests don't carry (`Lax`: links from elsewhere do). */
export interface Cookie {
  readonly name: string;
  /** Empty: the browser forgets the cookie. */
  readonly value: string;
  readonly path: string;
  /** Seconds that the browser keeps it. */
  readonly maxAge: number;
  /** Sent over TLS alone. */
  readonly secure: boolean;
}

/**
 * Sets a cookie with the answer to the request, whatever the answer will be: the edge puts it there. Of one name, the
 * last one counts.
 */
export function setCookie(request: Request, { name, value, path, maxAge, secure }: Cookie): void {
  const kept = value === "" ? 0 : maxAge;
  const line = `${name}=${value}; Path=${path}; Max-Age=${kept}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const context = contextOf(request);
  const others = (context.cookies ?? []).filter((other) => !other.startsWith(`${name}=`));
  context.cookies = [...others, line];
}

/** The value of a cookie that the request carries. Ours hold no character that would have to be quoted. */
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
 * Whether a request that a browser's cookie vouches for comes from a page of our own: cookies go along with whatever any
 * page sends. The browser's own word (`Sec-Fetch-Site`) counts first, else the `Origin`; without either it is refused.
 */
export function isFromOwnPage(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site === null ? request.headers.get("origin") === origin : site === "same-origin";
}

/** Whether a browser says that the request comes from another page than ours. A client that says nothing has to prove it otherwise. */
export const isFromElsewhere = (request: Request, origin: string): boolean =>
  (request.headers.has("sec-fetch-site") || request.headers.has("origin")) && !isFromOwnPage(request, origin);

/** Whether the request may act on the word of a cookie: it changes nothing, or comes from a page of our own. */
export const mayUseCookie = (request: Request, origin: string): boolean =>
  safeMethods.has(request.method) || isFromOwnPage(request, origin);
