import { type Client, commandLine } from "./client.ts";
import { OAuthError } from "./errors.ts";
import { isRegisteredRedirect } from "./redirect-uri.ts";
import { accountScope, wantedScopes } from "./scopes.ts";

/** The resources that tokens are issued for: the MCP endpoint, and the whole API on the person's behalf. */
export interface Resources {
  readonly mcp: string;
  readonly api: string;
}

/**
 * Parameters of a request, each at most once, except that `resource` may be repeated with the same value (RFC 8707, 2).
 */
export type Parameters = Readonly<Record<string, string>>;

/** A validated authorization request. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirect_uri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly resource: string;
  /** `connection`: to use `/mcp`; `session`: to act as the person, for Assay's own command line. */
  readonly kind: "connection" | "session";
  /** The requested scopes, not yet limited by a role. */
  readonly scopes: readonly string[];
}

/** Maximum length of a value. No valid state, verifier or code is longer. */
const longestValue = 2_048;

/** Parses parameters. Throws `invalid_request` if one is repeated or too long. */
export function parametersOf(given: URLSearchParams): Parameters {
  const parameters: Record<string, string> = {};
  for (const [name, value] of given) {
    if (value.length > longestValue) throw new OAuthError("invalid_request", "A parameter is too long.");
    const known = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (known !== undefined && !(name === "resource" && known === value))
      throw new OAuthError(
        name === "resource" ? "invalid_target" : "invalid_request",
        name === "resource" ? "Only one resource is allowed." : "A parameter is repeated.",
      );
    parameters[name] = value;
  }
  // A parameter without a value counts as omitted (RFC 6749, 3.1).
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ""));
}

const trimmed = (url: string): string => url.replace(/\/$/, "");

/**
 * Returns the requested resource, with or without a trailing slash, or the client's default. Throws `invalid_target`
 * for any other.
 */
export function resourceOf(given: string | undefined, client_id: string, { mcp, api }: Resources): string {
  const own = client_id === commandLine.id;
  if (given === undefined) return own ? api : mcp;
  if (trimmed(given) === mcp) return mcp;
  if (own && trimmed(given) === api) return api;
  throw new OAuthError("invalid_target", "This server does not issue tokens for that resource.");
}

/**
 * Returns the redirect URI. Checked before anything else: a problem with it is shown to the person and never sent
 * anywhere. Throws `invalid_request`.
 */
export function redirectOf(client: Client, { redirect_uri }: Parameters): string {
  const [only, ...others] = client.redirect_uris;
  const given = redirect_uri ?? (others.length === 0 ? only : undefined);
  if (given === undefined || !isRegisteredRedirect(client.redirect_uris, given))
    throw new OAuthError("invalid_request", "The redirect_uri is not registered for this client.");
  return given;
}

/** Validates the rest. Errors are sent to the client. */
export function authorizationRequest(
  client: Client,
  redirect_uri: string,
  parameters: Parameters,
  resources: Resources,
): AuthorizationRequest {
  const { response_type, response_mode, code_challenge, code_challenge_method, scope, state } = parameters;
  if (response_type === undefined) throw new OAuthError("invalid_request", "response_type is required.");
  if (response_type !== "code") throw new OAuthError("unsupported_response_type", "response_type must be code.");
  if (response_mode !== undefined && response_mode !== "query")
    throw new OAuthError("invalid_request", "response_mode must be query.");
  if (code_challenge === undefined || code_challenge_method !== "S256" || !/^[A-Za-z0-9_-]{43}$/.test(code_challenge))
    throw new OAuthError("invalid_request", "PKCE is required: a code_challenge, with code_challenge_method S256.");
  const resource = resourceOf(parameters.resource, client.id, resources);
  const kind = resource === resources.api ? "session" : "connection";
  if (kind === "session" && !(scope ?? accountScope).split(" ").includes(accountScope))
    throw new OAuthError("invalid_scope", "The only scope of a sign-in is account.");
  const scopes = kind === "session" ? [accountScope] : wantedScopes(scope);
  return { client, redirect_uri, state, challenge: code_challenge, resource, kind, scopes };
}
