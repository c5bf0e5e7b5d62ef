import type { Identity, Principal } from "../../identity/principal.ts";
import { day, second } from "../../platform/clock.ts";
import { Failure, invalid } from "../../platform/errors.ts";
import { randomBase62 } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { CookieReader } from "../../web/access.ts";
import { mayUseCookie, readCookie, setCookie } from "../../web/cookies.ts";
import type { Session } from "./schema.ts";
import { type Sessions, sessionIdleLimit } from "./sessions.ts";

/** Whose page sends the request, where it says so: every tab of a browser shares the cookies, and not what it shows. */
const shownTo = { user_id: "x-assay-user", firm_id: "x-assay-firm" } as const;

/** Refuses what a page sends that was shown to somebody else, or in another firm. Throws `validation_error`. */
function checkShownTo(request: Request, caller: Principal): void {
  for (const name of ["user_id", "firm_id"] as const) {
    const expected = request.headers.get(shownTo[name]);
    if (expected !== null && expected !== caller[name])
      throw invalid(`/header/${shownTo[name]}`, "must be who is signed in, and their firm");
  }
}

/** The two cookies of a browser's session. */
const names = { access: "assay_access", refresh: "assay_refresh" } as const;
/** Tells a browser that has signed in before from strangers. It opens nothing. */
const markName = "assay_browser";
const markLifetime = 400 * day;

export interface BrowserSessions extends CookieReader {
  /** Hands a session to the browser that asked. */
  start(request: Request, session: Session): void;
  /** Ends the session of the browser that asked, if it has one, and has its cookies forgotten. */
  end(request: Request): Promise<void>;
  /**
   * Whose session the request's cookies are of, wherever it comes from: for a form alone that carries a token of that
   * very session, which the caller checks.
   */
  holder(request: Request): Promise<Principal | undefined>;
  /** Whether the browser brings a session along, good or not: enough to choose a page by. */
  has(request: Request): boolean;
  /** What the browser is known by from one sign-in to the next: what it brings along, or a new one to be kept. */
  markOf(request: Request): string;
  /** Has the browser keep it. */
  keepMark(request: Request, value: string): void;
}

/**
 * Sessions whose tokens lie in cookies that no script can read. `baseUrl` says which pages are our own, and whether the
 * cookies wait for TLS: they do, except at a plain http address, which only a loopback has. Behind TLS their names begin
 * with `__Host-`, so that no neighbouring host can set them (RFC 6265bis, 4.1.3.2).
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

  /** The next tokens, when the access token has run out: the page notices nothing. */
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
