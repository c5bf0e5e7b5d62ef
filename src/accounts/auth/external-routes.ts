import { Type as T, type TProperties } from "@sinclair/typebox";
import { second } from "../../platform/clock.ts";
import { Failure } from "../../platform/errors.ts";
import { closed, enumeration } from "../../platform/schema.ts";
import { definePattern } from "../../platform/validate.ts";
import { checkInput } from "../../registry/input.ts";
import { preferred } from "../../web/accept.ts";
import { readCookie, setCookie } from "../../web/cookies.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { languageOf } from "../pages/language.ts";
import type { BrowserSessions } from "./cookies.ts";
import { callbackPath, type ExternalSignIn } from "./external.ts";
import { stateLifetime } from "./external-state.ts";
import { Session } from "./schema.ts";

const stateCookie = "assay_oauth_state";

const Redirection = closed(
  { url: T.String({ description: "Where to send the browser next." }) },
  { title: "Redirection", description: "For callers that accept JSON; a browser is redirected (302) instead." },
);

const challengeLength = {
  minLength: 43,
  maxLength: 128,
  pattern: definePattern("^[A-Za-z0-9._~-]*$", "must contain only letters, digits and the characters - . _ ~"),
};
/** On `/auth/v1` unknown members are ignored, because GoTrue's clients and identity providers send some. */
const lenient = <P extends TProperties>(properties: P, title?: string) =>
  T.Object(properties, { additionalProperties: true, ...(title !== undefined && { title }) });

const ExchangeCodeRequest = lenient(
  {
    code: T.String({
      maxLength: 200,
      description: "The `code` from the URL that the sign-in redirected to. Valid for one minute.",
    }),
    code_verifier: T.Optional(
      T.String({ maxLength: 200, description: "The verifier of `code_challenge`, if one was sent." }),
    ),
  },
  "ExchangeCodeRequest",
);

const authorizeQuery = (provider: string) =>
  lenient({
    provider: enumeration(provider),
    redirect_to: T.String({
      description:
        "Where to redirect the browser, with a one-time `code` appended: a URL of this installation, or one that its operator allows.",
    }),
    code_challenge: T.Optional(
      T.String({ ...challengeLength, description: "Binds the one-time code to its verifier (PKCE, S256)." }),
    ),
    code_challenge_method: T.Optional({
      ...enumeration("S256", "s256"),
      description: "How the challenge was derived.",
    }),
  });

const callbackQuery = lenient({
  code: T.String({ minLength: 1, description: "The provider's code." }),
  state: T.String({ minLength: 1, description: "The state sent to the provider; it must match the cookie." }),
});

const redirected = {
  302: { description: "A browser is redirected.", headers: {} },
};
const tags = ["Sign-in"];
const open = { credential: "none" as const };

/** Returns whether the caller wants JSON, as programs do. A browser following a link does not. */
const wantsJson = (request: Request): boolean =>
  preferred(request.headers.get("accept"), ["text/html", "application/json"]) === "application/json";

/** Returns the next URL, as JSON or as a redirect. It contains secrets, so it must not be cached. */
function sendTo(request: Request, url: string) {
  const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer" };
  if (wantsJson(request)) return Response.json({ url }, { headers });
  return new Response(null, { status: 302, headers: { ...headers, location: url } });
}

/**
 * Handles a failed sign-in: a browser is redirected to the sign-in page, which shows the problem; a program gets the
 * error.
 */
function inVain(request: Request, baseUrl: string, error: unknown): Response {
  if (wantsJson(request) || !(error instanceof Failure) || error.code === "validation_error") throw error;
  return sendTo(request, `${baseUrl}/sign-in?problem=external`);
}

/** Services used by these routes. */
interface ExternalRoutesServices {
  readonly baseUrl: string;
  readonly browser: Pick<BrowserSessions, "has">;
  readonly external: ExternalSignIn;
}

/** The routes to the provider and back. */
function providerRoutes({ baseUrl, browser, external }: ExternalRoutesServices): Route[] {
  const secure = baseUrl.startsWith("https:");
  const keepState = (request: Request, value: string): void =>
    setCookie(request, { name: stateCookie, value, path: callbackPath, maxAge: stateLifetime / second, secure });

  async function leave(request: Request, redirect_to: string, challenge: string | undefined): Promise<Response> {
    // A person who is already signed in does this to prove their identity, which an old session at the provider would
    // not do.
    const { url, sealed } = await external.begin(redirect_to, challenge ?? null, browser.has(request));
    keepState(request, sealed);
    return sendTo(request, url);
  }
  async function comeBack(request: Request): Promise<Response> {
    const given = new URL(request.url).searchParams;
    // A person who cancels at the provider returns without a code. For a browser that is not a malformed request: the
    // sign-in fails and the page is shown.
    if (wantsJson(request)) checkInput(callbackQuery, Object.fromEntries(given), "/query");
    const sealed = readCookie(request, stateCookie);
    keepState(request, "");
    const locale = languageOf(request.headers.get("accept-language"));
    return sendTo(request, await external.finish(given, sealed, locale));
  }

  return [
    defineRoute({
      method: "GET",
      path: "/auth/v1/authorize",
      access: open,
      query: authorizeQuery(external.name),
      response: { 200: Redirection, ...errorResponses(422, 503) },
      detail: {
        operationId: "authorize",
        summary: "Start an external sign-in",
        description:
          "Redirects the browser to the external identity provider. A cookie, valid for ten minutes, binds the callback to this browser.",
        tags,
        responses: redirected,
      },
      handler: ({ request, query }) =>
        leave(request, query.redirect_to, query.code_challenge).catch((error) => inVain(request, baseUrl, error)),
    }),
    defineRoute({
      method: "GET",
      path: callbackPath,
      access: open,
      ownInput: { query: callbackQuery },
      response: { 200: Redirection, ...errorResponses(401, 422, 503) },
      detail: {
        operationId: "callback",
        summary: "Complete an external sign-in",
        description: "The provider's redirect URI. Redirects to `redirect_to` with a one-time code.",
        tags,
        responses: redirected,
      },
      handler: ({ request }) => comeBack(request).catch((error) => inVain(request, baseUrl, error)),
    }),
  ];
}

/**
 * Sign-in through the external OpenID provider: the redirect there, the callback, and the exchange of the code for a
 * session.
 */
export const externalRoutes = (services: ExternalRoutesServices): Route[] => [
  ...providerRoutes(services),
  defineRoute({
    method: "POST",
    path: "/auth/v1/exchange-code",
    access: open,
    body: ExchangeCodeRequest,
    response: { 200: Session, ...errorResponses(401, 422) },
    detail: {
      operationId: "exchangeCode",
      summary: "Exchange a one-time code for a session",
      description:
        "A code can be used once, within a minute, and only with the verifier of the challenge that it is bound to.",
      tags,
    },
    handler: ({ request, body }) =>
      services.external.exchange(body.code, body.code_verifier, request.headers.get("user-agent")),
  }),
];
