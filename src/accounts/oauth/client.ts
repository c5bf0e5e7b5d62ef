import { type Static, Type as T } from "@sinclair/typebox";
import { checker } from "../../platform/validate.ts";
import { OAuthError } from "./errors.ts";
import { isRedirectUri } from "./redirect-uri.ts";

/** A program that may request authorisation. A public client: it cannot keep a secret, and uses PKCE instead. */
export interface Client {
  readonly id: string;
  /** The name that it claims; unverified. */
  readonly name: string | null;
  readonly redirect_uris: readonly string[];
  /** `document`: the id is the URL of its metadata, whose host is verified. `own`: Assay's own command line. */
  readonly kind: "registered" | "document" | "own";
}

/** Text that is safe to display: without control characters and bidirectional marks. */
const plain = /^[^\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]*$/u;

/**
 * The client metadata of RFC 7591, 2, that is used here. Other members are ignored, as the standard says. Registrations
 * and client id metadata documents have the same form.
 */
export const ClientMetadata = T.Object(
  {
    redirect_uris: T.Array(T.String({ minLength: 1, maxLength: 2_048 }), {
      minItems: 1,
      maxItems: 20,
      description: "https, http to 127.0.0.1, [::1] or localhost (with any port), or a private-use scheme.",
    }),
    client_name: T.Optional(T.String({ maxLength: 100, description: "The name shown to people on the consent page." })),
    client_uri: T.Optional(T.String({ maxLength: 2_048, description: "The program's home page." })),
    token_endpoint_auth_method: T.Optional(T.String({ maxLength: 100, description: "The response is always `none`." })),
    grant_types: T.Optional(T.Array(T.String({ maxLength: 100 }), { maxItems: 20 })),
    response_types: T.Optional(T.Array(T.String({ maxLength: 100 }), { maxItems: 20 })),
    scope: T.Optional(
      T.String({ maxLength: 4_096, description: "Does not limit the grant; people decide what to allow." }),
    ),
  },
  { title: "OAuthClientMetadata", additionalProperties: true },
);
export type ClientMetadata = Static<typeof ClientMetadata>;

const uriOf = (given: string | undefined): string | null =>
  given !== undefined && URL.parse(given)?.protocol === "https:" ? given : null;

/** The stored part of a client's metadata. */
export interface ClientFacts {
  readonly name: string | null;
  readonly client_uri: string | null;
  readonly redirect_uris: readonly string[];
}

/** Validates a client's metadata. Throws `invalid_client_metadata` or `invalid_redirect_uri`. */
export function clientFacts(given: unknown): ClientFacts {
  if (!checker(ClientMetadata).Check(given))
    throw new OAuthError(
      "invalid_client_metadata",
      "The metadata must be a JSON object with redirect_uris (1 to 20), and names of at most 100 characters.",
    );
  const metadata = given as ClientMetadata;
  if (!metadata.redirect_uris.every(isRedirectUri))
    throw new OAuthError(
      "invalid_redirect_uri",
      "Each redirect URI must be https, http to a loopback host, or a private-use scheme with a dot in its name, without a fragment. For a program on the person's machine, register http://127.0.0.1/callback, which matches every port, or com.example.app:/callback instead of a scheme such as example://.",
    );
  const name = metadata.client_name?.trim() || null;
  if (name !== null && !plain.test(name))
    throw new OAuthError("invalid_client_metadata", "client_name contains characters that can't be displayed.");
  if (metadata.grant_types && !metadata.grant_types.includes("authorization_code"))
    throw new OAuthError("invalid_client_metadata", "grant_types must contain authorization_code.");
  if (metadata.response_types && !metadata.response_types.includes("code"))
    throw new OAuthError("invalid_client_metadata", "response_types must contain code.");
  return { name, client_uri: uriOf(metadata.client_uri), redirect_uris: metadata.redirect_uris };
}

/** Assay's own command line: built in, not registered. */
export const commandLine: Client = {
  id: "assay-cli",
  name: "Assay",
  redirect_uris: ["127.0.0.1", "localhost", "[::1]"].map((host) => `http://${host}/callback`),
  kind: "own",
};
