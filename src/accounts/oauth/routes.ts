import type { Static, TSchema } from "@sinclair/typebox";
import { crossOrigin, preflightRoute } from "../../web/cross-origin.ts";
import { defineRoute, type OwnInput, type Route, type RouteDetail } from "../../web/define-route.ts";
import type { ResponseObject } from "../../web/openapi-document.ts";
import type { createAuthorize } from "./authorize.ts";
import { ClientMetadata } from "./client.ts";
import { type ConnectionRoutesServices, connectionRoutes } from "./connection-routes.ts";
import type { createEndpoints } from "./endpoints.ts";
import { OAuthErrorBody } from "./errors.ts";
import { AuthorizationServer, type createMetadata, OpenIdConfiguration, ProtectedResource } from "./metadata.ts";
import {
  AuthorizeQuery,
  ConsentForm,
  RegisteredClient,
  RevocationRequest,
  TokenAnswer,
  TokenRequest,
} from "./protocol-schema.ts";

/** Services used by these routes. */
interface OAuthRoutesServices extends ConnectionRoutesServices {
  readonly oauth: {
    readonly authorize: ReturnType<typeof createAuthorize>;
    readonly endpoints: ReturnType<typeof createEndpoints>;
    readonly metadata: ReturnType<typeof createMetadata>;
  };
}

const tags = ["OAuth"];
const open = { credential: "none" } as const;

/** Returns the description of an endpoint that reads its request itself, for the reference. */
const described = (detail: Omit<RouteDetail, "tags">, ownInput: OwnInput) => ({
  access: open,
  ownInput,
  detail: { ...detail, tags },
});

const html = (description: string): ResponseObject => ({
  description,
  content: { "text/html": { schema: { type: "string" }, example: "<!doctype html>\n<title>Assay</title>" } },
});
const errors = { 400: OAuthErrorBody, 401: OAuthErrorBody, 429: OAuthErrorBody };

/** The authorization endpoint: the request, and the person's decision. */
const authorizeRoutes = ({ oauth: { authorize } }: OAuthRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/oauth/authorize",
    ...described(
      {
        operationId: "authorizeClient",
        summary: "Ask a person to authorise a program",
        description:
          "For a person's browser (OAuth 2.1, with PKCE). After signing in, the person sees what is requested, and is redirected to `redirect_uri` with `code`, `state` and `iss`, or with `error`. An invalid client or redirect URI is shown on an error page, without a redirect.",
        responses: {
          200: html("The consent page."),
          302: { description: "Redirect to the sign-in, or to the client." },
          400: html("The client or its redirect is invalid."),
        },
      },
      { query: AuthorizeQuery },
    ),
    handler: ({ request }) => authorize.begin(request),
  }),
  defineRoute({
    method: "POST",
    path: "/oauth/authorize",
    ...described(
      {
        operationId: "decideAuthorization",
        summary: "Allow or deny access",
        description: "Submitted by the consent page's form only.",
        responses: {
          303: { description: "Redirect to the client, with a code or with `error=access_denied`." },
          400: html("The page has expired."),
          403: html("The form came from another site."),
          422: html("The consent page again: no scope was selected, or no workspace of the firm."),
        },
      },
      { form: ConsentForm },
    ),
    handler: ({ request }) => authorize.decide(request),
  }),
];

/** The endpoints that programs call. */
const programRoutes = ({ oauth: { endpoints } }: OAuthRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/oauth/register",
    response: { 201: RegisteredClient, 400: OAuthErrorBody, 429: OAuthErrorBody },
    ...described(
      {
        operationId: "registerClient",
        summary: "Register a client",
        description:
          "Dynamic client registration (RFC 7591). Every client is a public client. A registration that is not used within a day is deleted.",
      },
      { body: ClientMetadata },
    ),
    handler: ({ request }) => endpoints.register(request),
  }),
  defineRoute({
    method: "POST",
    path: "/oauth/token",
    response: { 200: TokenAnswer, ...errors },
    ...described(
      {
        operationId: "exchangeToken",
        summary: "Exchange a code or a refresh token",
        description:
          "The access token is valid for 15 minutes, for that resource only. A refresh token can be used once; reusing it later ends its connection.",
      },
      { form: TokenRequest },
    ),
    handler: ({ request }) => endpoints.token(request),
  }),
  defineRoute({
    method: "POST",
    path: "/oauth/revoke",
    response: { 400: OAuthErrorBody, 401: OAuthErrorBody },
    ...described(
      {
        operationId: "revokeToken",
        summary: "Revoke a token",
        description: "Ends the connection that the token belongs to (RFC 7009). An unknown token is not an error.",
        responses: { 200: { description: "The connection has ended, or did not exist." } },
      },
      { form: RevocationRequest },
    ),
    handler: ({ request }) => endpoints.revoke(request),
  }),
];

/**
 * Returns the suffixes of the metadata's URLs: none, that of the MCP endpoint, and those of an installation below a
 * path.
 */
function suffixes(baseUrl: string): { readonly server: string[]; readonly resource: string[] } {
  const path = new URL(baseUrl).pathname.replace(/\/$/, "");
  return { server: ["", ...(path && [path])], resource: ["", "/mcp", ...(path && [`${path}/mcp`])] };
}

/** Returns the routes of a metadata document. The first URL is in the reference. */
function metadataRoutes<S extends TSchema>(
  paths: readonly string[],
  {
    schema,
    document,
    ...words
  }: { readonly schema: S; readonly document: Static<S> } & Pick<RouteDetail, "operationId" | "summary">,
): Route[] {
  const described: TSchema = schema;
  const description =
    "Also served with the path of the resource or of the installation appended, where the standard requires it.";
  return paths.map((path, i) =>
    defineRoute({
      method: "GET",
      path,
      access: open,
      response: { 200: described },
      detail: i === 0 ? { ...words, description, tags } : "hidden",
      handler: ({ set }) => {
        Object.assign(set.headers, crossOrigin, { "cache-control": "public, max-age=300" });
        return document;
      },
    }),
  );
}

/** The metadata, and the preflight requests for it and for the program endpoints. */
function discoveryRoutes({ baseUrl, oauth: { metadata } }: OAuthRoutesServices): Route[] {
  const ends = suffixes(baseUrl);
  const resource = ends.resource.map((end) => `/.well-known/oauth-protected-resource${end}`);
  const server = ends.server.map((end) => `/.well-known/oauth-authorization-server${end}`);
  const openId = ends.server.map((end) => `/.well-known/openid-configuration${end}`);
  const programs = ["register", "token", "revoke"].map((name) => `/oauth/${name}`);
  return [
    ...metadataRoutes(resource, {
      operationId: "getProtectedResource",
      summary: "Get the MCP endpoint's metadata",
      schema: ProtectedResource,
      document: metadata.resource,
    }),
    ...metadataRoutes(server, {
      operationId: "getAuthorizationServer",
      summary: "Get the authorization server's metadata",
      schema: AuthorizationServer,
      document: metadata.server,
    }),
    ...metadataRoutes(openId, {
      operationId: "getOpenIdConfiguration",
      summary: "Get the metadata for OpenID clients",
      schema: OpenIdConfiguration,
      document: metadata.openId,
    }),
    ...[...programs, ...resource, ...server, ...openId].map(preflightRoute),
  ];
}

/** The OAuth routes for `/mcp` and the command line: the protocol endpoints, and people's connections. */
export const oauthRoutes = (services: OAuthRoutesServices): Route[] => [
  ...authorizeRoutes(services),
  ...programRoutes(services),
  ...discoveryRoutes(services),
  ...connectionRoutes(services),
];
