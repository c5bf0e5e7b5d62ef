import { type Static, Type as T } from "@sinclair/typebox";
import type { Store } from "../../../db/store.ts";
import type { Clock } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { closed } from "../../platform/schema.ts";
import { clientAddress } from "../../web/client-address.ts";
import { isFromOwnPage } from "../../web/cookies.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import type { BrowserSessions } from "./cookies.ts";
import type { ExternalSignIn } from "./external.ts";
import { type Origin, remember } from "./known-origins.ts";
import { programProvider, type Session } from "./schema.ts";
import type { Sessions } from "./sessions.ts";
import type { SignIn } from "./sign-in.ts";

/**
 * Signs in by password, by the session of a sign-up, or by the one-time code of an external sign-in started in this
 * tab.
 */
const SignInBody = T.Union([
  closed({
    email: T.String({ minLength: 1, maxLength: 320 }),
    password: T.String({ minLength: 1, maxLength: 10_000 }),
  }),
  closed({ refresh_token: T.String({ minLength: 1, maxLength: 200 }) }),
  closed({
    code: T.String({ minLength: 1, maxLength: 200 }),
    code_verifier: T.String({ minLength: 43, maxLength: 128 }),
  }),
]);
type SignInBody = Static<typeof SignInBody>;

/** Services used by these routes. */
interface BrowserSessionServices {
  readonly baseUrl: string;
  readonly browser: BrowserSessions;
  readonly external: ExternalSignIn;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly store: Store;
  readonly runtime: Clock;
}

/**
 * The routes of `/session`, with which this installation's own pages sign a browser in and out. Not part of the public
 * API: programs use `/auth/v1/token`, which returns the tokens.
 */
export function browserSessionRoutes(services: BrowserSessionServices): Route[] {
  const { baseUrl, browser, sessions, signIn, external, store, runtime } = services;
  const { origin } = new URL(baseUrl);
  const hidden = { access: { credential: "none" }, detail: "hidden" } as const;
  // Prevents login CSRF: another site's page must not sign its visitors in to someone else's account.
  const fromOwnPage = ({ request }: { request: Request }): void => {
    if (!isFromOwnPage(request, origin)) throw invalid("/header/origin", "must be this installation's own address");
  };
  function enter(body: SignInBody, origin: Origin): Promise<Session> {
    if ("code" in body) return external.exchange(body.code, body.code_verifier, origin.user_agent);
    if ("refresh_token" in body) return sessions.refresh(body.refresh_token);
    return signIn.withPassword(body.email, body.password, origin);
  }

  return [
    defineRoute({
      method: "POST",
      path: "/session",
      ...hidden,
      body: SignInBody,
      handler: async ({ request, body }) => {
        fromOwnPage({ request });
        const mark = browser.markOf(request);
        const address = clientAddress(request);
        const origin = { address, user_agent: request.headers.get("user-agent"), browser: mark };
        const session = await enter(body, origin);
        if (session.user.app_metadata.provider === programProvider) throw failure("invalid_credentials");
        await store.write((tx) => remember(tx, session.user.id, origin, runtime.now()));
        browser.keepMark(request, mark);
        // Signing in over an existing session ends it, because its tokens would stay valid for a month with no holder.
        await browser.end(request);
        browser.start(request, session);
        return new Response(null, { status: 204 });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/session",
      ...hidden,
      handler: async ({ request }) => {
        fromOwnPage({ request });
        await browser.end(request);
        return new Response(null, { status: 204 });
      },
    }),
  ];
}
