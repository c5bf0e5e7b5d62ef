import type { Configuration, IDToken, UserInfoResponse } from "openid-client";
import { asFetch } from "../../integrations/outbound/as-fetch.ts";
import { createOutbound } from "../../integrations/outbound/guard.ts";
import { second } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";
import { randomBase64url } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { sessionIdleLimit } from "./sessions.ts";

/** The installation's registration with an OpenID provider. */
export interface ExternalSettings {
  /** The value of `provider` that selects it; default: `external`. */
  readonly name?: string | undefined;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** A person, as the provider describes them. */
export interface ExternalPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Set only if the provider has verified that the address is theirs. */
  readonly verified_email: string | undefined;
  readonly full_name: string | null;
}

/** A person who has returned from the provider. */
export interface ExternalLogin extends ExternalPerson {
  /** When they last authenticated there (`auth_time`), in milliseconds; null if the provider does not say. */
  readonly authenticated_at: number | null;
}

/** A started sign-in: where to send the browser, and the values to check on its return. */
export interface Begun {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ExternalProvider {
  /**
   * Starts a sign-in. `asksAgain`: the person must authenticate again, despite any session at the provider. Throws
   * `sign_in_unavailable` if the provider does not answer.
   */
  begin(asksAgain: boolean): Promise<Begun>;
  /** Returns the person, from the URL that the provider redirected the browser to. Throws `invalid_credentials`. */
  finish(returned: URL, begun: Omit<Begun, "url">): Promise<ExternalLogin>;
}

/** Timeout for the provider's responses, in seconds. */
const answerTimeout = 10;
/** In bytes. Metadata, keys and tokens are a few thousand. */
const longestAnswer = 1_048_576;
/** Loopback hosts, as written in a URL. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns an error for the log without personal data: the client's errors contain whole responses. */
function asError(error: unknown): Error {
  const { name, message } = error instanceof Error ? error : new Error("unknown");
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new Error(`${name}: ${message}${code}`);
}

/**
 * A provider may omit `auth_time`, against the standard. People can still sign in, but the sign-in does not count as
 * recent.
 */
const timeOf = ({ auth_time }: IDToken): number | null => (typeof auth_time === "number" ? auth_time * second : null);

function personOf(issuer: string, subject: string, claims: IDToken | UserInfoResponse): ExternalPerson {
  const { email, email_verified, name } = claims;
  const verified = email_verified === true && typeof email === "string" ? email : undefined;
  return { issuer, subject, verified_email: verified, full_name: typeof name === "string" ? name.slice(0, 120) : null };
}

/**
 * Creates a client of an OpenID provider, using the authorization code flow with PKCE, state and nonce (OpenID Connect
 * Core 1.0, 3.1). It contacts only the configured issuer and the URLs in its discovery document: over TLS, unless the
 * issuer is on loopback, and through the guard, which allows no other private host. `callback` is the redirect URI.
 */
export function createExternalProvider(
  runtime: Runtime,
  settings: ExternalSettings,
  callback: string,
): ExternalProvider {
  const issuer = new URL(settings.issuer);
  const onLoopback = issuer.protocol === "http:" && loopback.test(issuer.hostname);
  // Loaded at first use, since most installations do not use it.
  const client = () => import("openid-client");
  const port = issuer.port || (issuer.protocol === "http:" ? "80" : "443");
  const outbound = createOutbound({ runtime, allow_private: [`${issuer.hostname}:${port}`] });
  const fetch = asFetch(outbound, { max_bytes: longestAnswer, timeout_ms: answerTimeout * second });
  let discovered: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    const oidc = await client();
    const { client_id, client_secret } = settings;
    const insecure = onLoopback ? [oidc.allowInsecureRequests] : [];
    const execute = [oidc.enableNonRepudiationChecks, ...insecure];
    const authentication = oidc.ClientSecretBasic(client_secret);
    const options = { execute, timeout: answerTimeout, [oidc.customFetch]: fetch };
    return oidc.discovery(issuer, client_id, client_secret, authentication, options);
  }

  /** Returns the discovered configuration. After a failure, the next request tries again. */
  async function configuration(): Promise<Configuration> {
    discovered ??= discover();
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      throw failure("sign_in_unavailable", asError(error));
    }
  }

  return {
    async begin(asksAgain) {
      const [oidc, config] = [await client(), await configuration()];
      const [verifier, state, nonce] = [randomBase64url(runtime), randomBase64url(runtime), randomBase64url(runtime)];
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: "openid email profile",
        // Besides its effect, `max_age` makes the provider report when the person authenticated (3.1.2.1).
        max_age: String(asksAgain ? 0 : sessionIdleLimit / second),
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
      });
      return { url: url.href, state, nonce, verifier };
    },
    async finish(returned, { state, nonce, verifier }) {
      const [oidc, config] = [await client(), await configuration()];
      try {
        const checks = {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        };
        const tokens = await oidc.authorizationCodeGrant(config, returned, checks);
        const claims = tokens.claims();
        if (!claims) throw failure("invalid_credentials");
        const about =
          claims.email === undefined ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
        return { ...personOf(config.serverMetadata().issuer, claims.sub, about), authenticated_at: timeOf(claims) };
      } catch (error) {
        throw failure("invalid_credentials", asError(error));
      }
    },
  };
}
