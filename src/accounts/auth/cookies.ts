import type { Identity, Principal } from "../../identity/principal.ts";
import { day, second } from "../../platform/clock.ts";
import { Failure, invalid } from "../../platform/errors.ts";
import { randomBase62 } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { CookieReader } from "../../web/access.ts";
import { mayUseCookie, readCookie, setCookie } from "../../web/cookies.ts";
import type { Session } from "./schema.ts";
import { type Sessions, sessionIdleLimit } from "./sessions.ts";

/**
 * Headers that name whom the sending page was shown to. All tabs of a browser share the cookies, but may show different
 * accounts.
 */
const shownTo = { user_id: "x-assay-user", firm_id: "x-assay-firm" } as const;

/** Throws `validation_error` for a request from a page that was shown to another person or in another firm. */
function checkShownTo(request: Request, caller: Principal): void {
  for (const name of ["user_id", "firm_id"] as const) {
    const expected = request.headers.get(shownTo[name]);
    if (expected !== null && expected !== caller[name])
      throw invalid(`/header/${shownTo[name]}`, "must match the signed-in person and their firm; reload the page");
  }
}

/** The two cookies of a browser's session. */
const names = { access: "assay_access", refresh: "assay_refresh" } as const;
/** Distinguishes a browser that has signed in before. Grants no access. */
const markName = "assay_browser";
const markLifetime = 400 * day;

export interface BrowserSessions extends CookieReader {
  /** Sets the session's cookies in the browser. */
  start(request: Request, session: Session): void;
  /** Ends the browser's session, if any, and deletes its cookies. */
  end(request: Request): Promise<void>;
  /**
   * Returns the caller of the request's cookies, whichever site it comes from. Only for forms with a token bound to
   * that session, which the caller must check.
   */
  holder(request: Request): Promise<Principal | undefined>;
  /** Returns whether the request has session cookies, valid or not, which is enough to choose a page. */
  has(request: Request): boolean;
  /** Returns the mark that identifies the browser across sign-ins: the existing one, or a new one to keep. */
  markOf(request: Request): string;
  /** Sets the mark in the browser. */
  keepMark(request: Request, value: string): void;
}

/**
 * Creates browser sessions, whose tokens are in HttpOnly cookies. `baseUrl` determines which pages are own pages and
 * whether cookies are Secure: always, except at a plain http address, which must be loopback. With TLS their names have
 * the prefix `__Host-`, so that no sibling host can set them (RFC 6265bis, 4.1.3.2).
 */
export function createBrowserSessions(
  sessions: Sessions,
  identity: Identity,
  runtime: Pick<Runtime, "randomBytes">,
  baseUrl: string,
): BrowserSessions {
  const { origin, protocol } = new URL(baseUrl);
  const secure = protocol === "https:";
  const prefix = secure ? "__Host-" : "";
  const nameOf = (kind: keyof typeof names): string => prefix + names[kind];
  const set = (request: Request, kind: keyof typeof names, value: string, maxAge: number): void =>
    setCookie(request, { name: nameOf(kind), value, path: "/", maxAge, secure });
  const read = (request: Request, kind: keyof typeof names): string | undefined => readCookie(request, nameOf(kind));

  function start(request: Request, session: Session): void {
    set(request, "access", session.access_token, session.expires_in);
    set(request, "refresh", session.refresh_token, sessionIdleLimit / second);
  }

  function forget(request: Request): void {
    for (const kind of ["access", "refresh"] as const) set(request, kind, "", 0);
  }

  /** Refreshes an expired access token transparently. */
  async function renewed(request: Request, token: string) {
    try {
      const session = await sessions.refresh(token);
      start(request, session);
      return await identity.byAccessToken(session.access_token);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "invalid_credentials") throw error;
      forget(request);
      return undefined;
    }
  }

  async function holder(request: Request): Promise<Principal | undefined> {
    if (!request.headers.has("cookie")) return undefined;
    const access = read(request, "access");
    const caller = access === undefined ? undefined : await identity.byAccessToken(access);
    if (caller) return caller;
    const refresh = read(request, "refresh");
    return refresh === undefined ? undefined : renewed(request, refresh);
  }

  return {
    start,
    markOf: (request) => readCookie(request, prefix + markName)?.slice(0, 100) ?? randomBase62(runtime, 43),
    keepMark: (request, value) =>
      setCookie(request, { name: prefix + markName, value, path: "/", maxAge: markLifetime / second, secure }),
    has: (request) => read(request, "refresh") !== undefined,
    holder,
    async identify(request) {
      const caller = mayUseCookie(request, origin) ? await holder(request) : undefined;
      if (caller) checkShownTo(request, caller);
      return caller;
    },
    async end(request) {
      const refresh = read(request, "refresh");
      if (refresh !== undefined) await sessions.revokeByRefreshToken(refresh);
      forget(request);
    },
  };
}
