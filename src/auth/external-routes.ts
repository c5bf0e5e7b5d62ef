import { Type as T, type TProperties } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readCookie, setCookie } from "../http/cookies.ts";
import { refusals } from "../http/errors.ts";
import { languageOf } from "../pages/language.ts";
import type { Parts } from "../parts.ts";
import { second } from "../platform/clock.ts";
import { Failure } from "../platform/errors.ts";
import { closed, enumeration } from "../platform/schema.ts";
import { callbackPath } from "./external.ts";
import { stateLifetime } from "./external-state.ts";
import { Session } from "./schema.ts";

const stateCookie = "assay_oauth_state";

const Redirection = closed(
  { url: T.String({ description: "Where the browser is to go next." }) },
  { title: "Redirection", description: "For a caller that takes JSON; a browser is redirected (302) instead." },
);

const challengeLength = { minLength: 43, maxLength: 128, pattern: "^[A-Za-z0-9._~-]*$" };
/** On `/auth/v1` unknown members are ignored: GoTrue's clients send some, and so do identity providers. */
const lenient = <P extends TProperties>(properties: P, title?: string) =>
  T.Object(properties, { additionalProperties: true, ...(title !== undefined && { title }) });

const ExchangeCodeRequest = lenient(
  {
    code: T.String({
      maxLength: 200,
      description: "The `code` behind the address that a sign-in led to. Good for a minute.",
    }),
    code_verifier: T.Optional(
      T.String({ maxLength: 200, description: "What `code_challenge` was made of, if one was given." }),
    ),
  },
  "ExchangeCodeRequest",
);

const redirected = {
  302: { description: "A browser is sent on.", headers: {} },
};
const tags = ["Sign-in"];
const open = { credential: "none" as const };

/** Programs ask for JSON; a browser that follows a link does not. */
const wantsJson = (request: Request): boolean =>
  request.headers.get("accept")?.includes("application/json") === true &&
  !request.headers.get("accept")?.includes("text/html");

/** The next address: as JSON, or by sending the browser there. It holds secrets, so nobody keeps it. */
function sendTo(request: Request, url: string) {
  const headers = { "cache-control": "no-store", "referrer-policy": "no-referrer" };
  if (wantsJson(request)) return Response.json({ url }, { headers });
  return new Response(null, { status: 302, headers: { ...headers, location: url } });
}

/** Sign-in through the external OpenID provider: to it, back from it, and the code for the session. */
export function externalRoutes({ access, baseUrl, external }: Parts) {
  const secure = baseUrl.startsWith("https:");
  const keepState = (request: Request, value: string): void =>
    setCookie(request, { name: stateCookie, value, path: callbackPath, maxAge: stateLifetime / second, secure });
  /** A person who comes back in vain gets a page, not a record. */
  const inVain = (request: Request): Response | undefined =>
    wantsJson(request) ? undefined : sendTo(request, `${baseUrl}/sign-in?problem=external`);

  return new Elysia({ name: "auth.external", normalize: false })
    .use(access)
    .get(
      "/auth/v1/authorize",
      async ({ request, query }) => {
        const { url, sealed } = await external.begin(query.redirect_to, query.code_challenge ?? null);
        keepState(request, sealed);
        return sendTo(request, url);
      },
      {
        access: open,
        query: lenient({
          provider: enumeration(external.name),
          redirect_to: T.String({
            description:
              "Where the browser ends up, a one-time `code` behind it: an address of this installation, or one that its operator allows.",
          }),
          code_challenge: T.Optional(
            T.String({ ...challengeLength, description: "Binds the one-time code to its verifier (PKCE, S256)." }),
          ),
          code_challenge_method: T.Optional({
            ...enumeration("S256", "s256"),
            description: "How the challenge was made.",
          }),
        }),
        response: { 200: Redirection, ...refusals(422, 503) },
        detail: {
          operationId: "authorize",
          summary: "Begin an external sign-in",
          description:
            "Sends a browser to the external identity provider. A cookie that lives for ten minutes ties its return to it.",
          tags,
          responses: redirected,
        },
      },
    )
    .get(
      callbackPath,
      async ({ request }) => {
        const sealed = readCookie(request, stateCookie);
        keepState(request, "");
        try {
          const locale = languageOf(request.headers.get("accept-language"));
          return sendTo(request, await external.finish(new URL(request.url).searchParams, sealed, locale));
        } catch (error) {
          const page = error instanceof Failure ? inVain(request) : undefined;
          if (page) return page;
          throw error;
        }
      },
      {
        access: open,
        // Who changes their mind at the provider comes back without a code. To a browser that is no malformed request: the
        // handler finds nothing that fits, and shows the page.
        transform: ({ request, query }: { request: Request; query: Record<string, unknown> }) => {
          if (wantsJson(request)) return;
          query.code ||= "none";
          query.state ||= "none";
        },
        query: lenient({
          code: T.String({ minLength: 1, description: "The provider's code." }),
          state: T.String({ minLength: 1, description: "What the provider was given; it must fit the cookie." }),
        }),
        response: { 200: Redirection, ...refusals(401, 422, 503) },
        detail: {
          operationId: "callback",
          summary: "Come back from an external sign-in",
          description: "Where the provider sends the browser. It goes on to `redirect_to` with a one-time code.",
          tags,
          responses: redirected,
        },
      },
    )
    .post(
      "/auth/v1/exchange-code",
      ({ request, body }) => external.exchange(body.code, body.code_verifier, request.headers.get("user-agent")),
      {
        access: open,
        body: ExchangeCodeRequest,
        response: { 200: Session, ...refusals(401, 422) },
        detail: {
          operationId: "exchangeCode",
          summary: "Exchange a one-time code for a session",
          description:
            "A code is good once, for a minute, and only with the verifier of the challenge it was bound to.",
          tags,
        },
      },
    );
}
