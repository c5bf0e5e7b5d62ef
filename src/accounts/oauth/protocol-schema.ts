import { Type as T } from "@sinclair/typebox";
import { enumeration } from "../../platform/schema.ts";
import { definePattern } from "../../platform/validate.ts";
import { Session } from "../auth/schema.ts";

/**
 * Inputs and outputs of the protocol endpoints, for the reference. The endpoints validate themselves, with OAuth's
 * errors.
 */

const text = (description: string, maxLength = 2_048) => T.String({ maxLength, description });

export const AuthorizeQuery = T.Object({
  client_id: text("A registered client's id, or the https URL of the client's metadata document."),
  redirect_uri: T.Optional(
    text("One of the client's redirect URIs; on loopback with any port. Required if the client has several."),
  ),
  response_type: { ...enumeration("code"), description: "A code, to be exchanged for tokens." },
  code_challenge: T.String({
    pattern: definePattern("^[A-Za-z0-9_-]{43}$", "must be a SHA-256 in base64url: 43 characters"),
    description: "SHA-256 of the verifier, in base64url (RFC 7636).",
  }),
  code_challenge_method: { ...enumeration("S256"), description: "Only `S256`; `plain` is not supported." },
  scope: T.Optional(text("Space-separated scopes; default: all that `/mcp` uses. The person decides which to grant.")),
  state: T.Optional(text("Returned unchanged.")),
  resource: T.Optional(text("The MCP endpoint's URL (RFC 8707), which is also the default.")),
});

export const ConsentForm = T.Object(
  {
    ticket: T.String({ description: "The value from the page." }),
    decision: enumeration("allow", "deny"),
    scope: T.Optional(T.Array(T.String(), { description: "The scopes that are selected." })),
    workspace_id: T.Optional(T.String({ format: "uuid" })),
  },
  { title: "ConsentForm" },
);

export const TokenRequest = T.Object(
  {
    grant_type: enumeration("authorization_code", "refresh_token"),
    client_id: text("The client that the code or token was issued to."),
    code: T.Optional(text("For `authorization_code`: the code, valid once and for 60 seconds.")),
    code_verifier: T.Optional(text("For `authorization_code`: the verifier of the challenge.")),
    redirect_uri: T.Optional(text("For `authorization_code`: as in the authorization request, if it was sent there.")),
    refresh_token: T.Optional(text("For `refresh_token`: the token, which can be used once.")),
    scope: T.Optional(text("For `refresh_token`: fewer scopes for the next access token.")),
    resource: T.Optional(text("The resource that the code or token is for; any other gives `invalid_target`.")),
  },
  {
    title: "TokenRequest",
    examples: [
      {
        grant_type: "authorization_code",
        client_id: "https://client.example.com/oauth.json",
        code: "assay_oc_2f1e8a6b4d90",
        code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        redirect_uri: "https://client.example.com/callback",
      },
    ],
  },
);

export const TokenAnswer = T.Object(
  {
    access_token: T.String({ description: "A JWT (RFC 9068, ES256) for the resource." }),
    token_type: T.Literal("Bearer"),
    expires_in: T.Integer({ description: "Seconds until the access token expires." }),
    refresh_token: T.String({ description: "Can be used once." }),
    scope: T.String({ description: "The granted scopes, space-separated." }),
    expires_at: T.Optional(T.Integer({ description: "Only for the command line, as in a session." })),
    user: T.Optional(Session.properties.user),
  },
  { title: "TokenAnswer" },
);

export const RevocationRequest = T.Object(
  {
    token: text("An access or refresh token."),
    token_type_hint: T.Optional(text("Ignored.")),
    client_id: text("The client that the token was issued to."),
  },
  { title: "RevocationRequest" },
);

export const RegisteredClient = T.Object(
  {
    client_id: T.String(),
    client_id_issued_at: T.Integer({ description: "Unix seconds." }),
    client_name: T.Optional(T.String()),
    client_uri: T.Optional(T.String()),
    redirect_uris: T.Array(T.String()),
    token_endpoint_auth_method: T.Literal("none"),
    grant_types: T.Array(T.String()),
    response_types: T.Array(T.String()),
  },
  { title: "RegisteredClient" },
);
