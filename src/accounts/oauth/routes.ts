import type { Static, TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Parts } from "../../parts.ts";
import { type Access, accessExtension } from "../../web/access.ts";
import { inputExtension } from "../../web/openapi.ts";
import { ClientMetadata } from "./client.ts";
import { connectionRoutes } from "./connection-routes.ts";
import { crossOrigin, OAuthErrorBody, preflight } from "./errors.ts";
import { AuthorizationServer, OpenIdConfiguration, ProtectedResource } from "./metadata.ts";
import {
  AuthorizeQuery,
  ConsentForm,
  RegisteredClient,
  RevocationRequest,
  TokenAnswer,
  TokenRequest,
} from "./protocol-schema.ts";

const tags = ["OAuth"];
const anybody: Access = { credential: "none" };
const hidden = { hide: true, [accessExtension]: anybody };

/** Words for the reference, of an endpoint that reads its request itself. */
const described = (
  operationId: string,
  summary: string,
  description: string,
  input: { readonly query?: TSchema; readonly body?: TSchema; readonly form?: TSchema },
) => ({ operationId, summary, description, tags, security: [], [accessExtension]: anybody, [inputExtension]: input });

const html = (description: string) => ({
  description,
  content: { "text/html": { schema: { type: "string" as const } } },
});
const errors = { 400: OAuthErrorBody, 401: OAuthErrorBody, 429: OAuthErrorBody };

/** Who asks, and what the person says. */
const authorizeRoutes = ({ oauth: { authorize } }: Parts) =>
  new Elysia({ name: "oauth.authorize", normalize: false })
    .get("/oauth/authorize", ({ request }) => authorize.begin(request), {
      detail: {
        ...described(
          "authorizeClient",
          "Ask a person to let a program in",
          "For a person's browser (OAuth 2.1, with PKCE). Shows what is asked for, behind a sign-in, and leads back to `redirect_uri` with `code`, `state` and `iss`, or with `error`. A wrong client or redirect is shown, and leads nowhere.",
          { query: AuthorizeQuery },
        ),
        responses: {
          200: html("The page that asks."),
          302: { description: "To the sign-in, or back to the client." },
          400: html("The client or its redirect is invalid."),
        },
      },
    })
    .post("/oauth/authorize", ({ request }) => authorize.decide(request), {
      parse: "none",
      detail: {
        ...described("decideAuthorization", "Allow or refuse it", "The form of that page, and of no other.", {
          form: ConsentForm,
        }),
        responses: {
          303: { description: "Back to the client, with a code or with `error=access_denied`." },
          400: html("The page is out of date."),
          403: html("The form came from another site."),
          422: html("The page once more: nothing was ticked, or no workspace of the firm chosen."),
        },
      },
    });

/** What programs ask. */
const programRoutes = ({ oauth: { endpoints } }: Parts) =>
  new Elysia({ name: "oauth.programs", normalize: false })
    .post("/oauth/register", ({ request }) => endpoints.register(request), {
      parse: "none",
      response: { 201: RegisteredClient, 400: OAuthErrorBody, 429: OAuthErrorBody },
      detail: described(
        "registerClient",
        "Register a client",
        "Dynamic registration (RFC 7591). Every client is a public one. A registration that nobody uses within a day goes.",
        { body: ClientMetadata },
      ),
    })
    .post("/oauth/token", ({ request }) => endpoints.token(request), {
      parse: "none",
      response: { 200: TokenAnswer, ...errors },
      detail: described(
        "exchangeToken",
        "Exchange a code or a refresh token",
        "The access token is good for 15 minutes at the resource alone. A refresh token that is used again later ends its connection.",
        { form: TokenRequest },
      ),
    })
    .post("/oauth/revoke", ({ request }) => endpoints.revoke(request), {
      parse: "none",
      response: { 400: OAuthErrorBody, 401: OAuthErrorBody },
      detail: {
        ...described(
          "revokeToken",
          "Give a connection back",
          "Ends the connection that the token belongs to (RFC 7009). A token that is not known is no mistake.",
          { form: RevocationRequest },
        ),
        responses: { 200: { description: "It has ended, or never was." } },
      },
    });

/** Ends of the metadata's addresses: none, that of the MCP endpoint, and those of an installation below a path. */
function suffixes(baseUrl: string): { readonly server: string[]; readonly resource: string[] } {
  const path = new URL(baseUrl).pathname.replace(/\/$/, "");
  return { server: ["", ...(path && [path])], resource: ["", "/mcp", ...(path && [`${path}/mcp`])] };
}

const metadataWords = (operationId: string, summary: string, isFirst: boolean) => ({
  operationId,
  summary,
  description: "The same behind the path of the resource or of the installation, where the standard asks for it.",
  tags,
  ...(!isFirst && { hide: true }),
});

/** The documents by which programs find their way. */
function metadataRoutes({ access, baseUrl, oauth: { metadata } }: Parts) {
  const routes = new Elysia({ name: "oauth.metadata", normalize: false }).use(access);
  const ends = suffixes(baseUrl);
  const serve = <S extends TSchema>(
    path: string,
    document: Static<S>,
    schema: S,
    words: Parameters<typeof metadataWords>,
  ) =>
    routes.get(
      path,
      ({ set }) => {
        Object.assign(set.headers, crossOrigin, { "cache-control": "public, max-age=300" });
        return document;
      },
      { access: { credential: "none" as const }, response: { 200: schema }, detail: metadataWords(...words) },
    );
  for (const [i, end] of ends.resource.entries())
    serve(`/.well-known/oauth-protected-resource${end}`, metadata.resource, ProtectedResource, [
      ...(["getProtectedResource", "Get the MCP endpoint's metadata", i === 0] as const),
    ]);
  for (const [i, end] of ends.server.entries()) {
    serve(`/.well-known/oauth-authorization-server${end}`, metadata.server, AuthorizationServer, [
      ...(["getAuthorizationServer", "Get the authorization server's metadata", i === 0] as const),
    ]);
    serve(`/.well-known/openid-configuration${end}`, metadata.openId, OpenIdConfiguration, [
      ...(["getOpenIdConfiguration", "Get the metadata where OpenID clients look", i === 0] as const),
    ]);
  }
  return routes;
}

/** What browsers ask before they let a page's script send a request. */
function preflightRoutes({ baseUrl }: Parts) {
  const routes = new Elysia({ name: "oauth.preflight", normalize: false });
  const { server, resource } = suffixes(baseUrl);
  const paths = [
    ...["register", "token", "revoke"].map((name) => `/oauth/${name}`),
    ...resource.map((end) => `/.well-known/oauth-protected-resource${end}`),
    ...server.flatMap((end) => [
      `/.well-known/oauth-authorization-server${end}`,
      `/.well-known/openid-configuration${end}`,
    ]),
  ];
  for (const path of paths) routes.options(path, () => preflight(), { detail: hidden });
  return routes;
}

/** OAuth for `/mcp` and for the command line: the protocol's endpoints, and what people have let in. */
export const oauthRoutes = (parts: Parts) =>
  new Elysia({ name: "oauth", normalize: false })
    .use(authorizeRoutes(parts))
    .use(programRoutes(parts))
    .use(metadataRoutes(parts))
    .use(preflightRoutes(parts))
    .use(connectionRoutes(parts));
