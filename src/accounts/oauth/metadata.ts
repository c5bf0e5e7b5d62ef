import { type Static, Type as T } from "@sinclair/typebox";
import { languages } from "../../integrations/mail/texts.ts";
import { closed } from "../../platform/schema.ts";
import type { Resources } from "./request.ts";
import { mcpScopes, offlineAccess } from "./scopes.ts";

const texts = T.Array(T.String());

/** RFC 9728, 2. */
export const ProtectedResource = closed(
  {
    resource: T.String(),
    resource_name: T.String(),
    resource_documentation: T.String(),
    authorization_servers: texts,
    scopes_supported: texts,
    bearer_methods_supported: texts,
  },
  { title: "ProtectedResourceMetadata", description: "The MCP endpoint's metadata (RFC 9728)." },
);

const serverProperties = {
  issuer: T.String(),
  authorization_endpoint: T.String(),
  token_endpoint: T.String(),
  registration_endpoint: T.String(),
  revocation_endpoint: T.String(),
  jwks_uri: T.String(),
  service_documentation: T.String(),
  scopes_supported: texts,
  response_types_supported: texts,
  response_modes_supported: texts,
  grant_types_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  revocation_endpoint_auth_methods_supported: texts,
  code_challenge_methods_supported: texts,
  authorization_response_iss_parameter_supported: T.Boolean(),
  client_id_metadata_document_supported: T.Boolean(),
  protected_resources: texts,
  ui_locales_supported: texts,
};

/** RFC 8414, 2, with RFC 9207, RFC 9728 and client id metadata documents. */
export const AuthorizationServer = closed(serverProperties, {
  title: "AuthorizationServerMetadata",
  description: "The authorization server's metadata (RFC 8414).",
});
type AuthorizationServer = Static<typeof AuthorizationServer>;

/** Members expected by clients that look for an OpenID provider. ID tokens are not issued. */
export const OpenIdConfiguration = closed(
  { ...serverProperties, subject_types_supported: texts, id_token_signing_alg_values_supported: texts },
  {
    title: "OpenIdConfiguration",
    description: "The same metadata for clients that look for an OpenID provider. ID tokens are not issued.",
  },
);

/** Creates the metadata documents, from the public base URL. */
export function createMetadata(baseUrl: string, { mcp }: Resources) {
  const documentation = `${baseUrl}/v1/docs/connections`;
  const resource: Static<typeof ProtectedResource> = {
    resource: mcp,
    resource_name: "Assay MCP",
    resource_documentation: documentation,
    authorization_servers: [baseUrl],
    scopes_supported: [...mcpScopes],
    bearer_methods_supported: ["header"],
  };
  const server: AuthorizationServer = {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    service_documentation: documentation,
    scopes_supported: [...mcpScopes, offlineAccess],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [mcp],
    ui_locales_supported: [...languages],
  };
  const openId: Static<typeof OpenIdConfiguration> = {
    ...server,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  };
  return { resource, server, openId };
}
