import type { Configuration, IDToken, UserInfoResponse } from "openid-client";
import { asFetch } from "../../integrations/outbound/as-fetch.ts";
import { createOutbound } from "../../integrations/outbound/guard.ts";
import { second } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";
import { randomBase64url } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { sessionIdleLimit } from "./sessions.ts";

/** How the operator registered this installation with an OpenID provider. */
export interface ExternalSettings {
  /** Under which `provider` it is asked for; absent: `external`. */
  readonly name?: string | undefined;
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** What the provider says of a person. */
export interface ExternalPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Only where the provider vouches that it is the person's own. */
  readonly verified_email: string | undefined;
  readonly full_name: string | null;
}

/** A person who has come back from it. */
export interface ExternalLogin extends ExternalPerson {
  /** When they last proved to it who they are (`auth_time`), in milliseconds; null: it does not say. */
  readonly authenticated_at: number | null;
}

/** A sign-in that was begun: where to send the browser, and what to hold its return against. */
export interface Begun {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ExternalProvider {
  /**
   * `asksAgain`: the person is to prove once more who they are, whatever sessions they have at the provider. Throws
   * `sign_in_unavailable` when it does not answer.
   */
  begin(asksAgain: boolean): Promise<Begun>;
  /** The person, from the address that the provider sent the browser back to. Throws `invalid_credentials`. */
  finish(returned: URL, begun: Omit<Begun, "url">): Promise<ExternalLogin>;
}

/** Seconds that the provider has for an answer. */
const answerTimeout = 10;
/** Bytes: metadata, keys and a token are a few thousand. */
const longestAnswer = 1_048_576;
/** Hosts that only this machine reaches, as a URL writes them. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** What went wrong, for the log: the client's errors carry whole answers along, with people's data in them. */
function asError(error: unknown): Error {
  const { name, message } = error instanceof Error ? error : new Error("unknown");
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new Error(`${name}: ${message}${code}`);
}

/** A provider that leaves it out against the standard can still sign people in; the sign-in counts as an old one. */
const timeOf = ({ auth_time }: IDToken): number | null => (typeof auth_time === "number" ? auth_time * second : null);

function personOf(issuer: string, subject: string, claims: IDToken | UserInfoResponse): ExternalPerson {
  const { email, email_verified, name } = claims;
  const verified = email_verified === true && typeof email === "string" ? email : undefined;
  return { issuer, subject, verified_email: verified, full_name: typeof name === "string" ? name.slice(0, 120) : null };
}

/**
 * An OpenID provider, asked by the authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, 3.1).
 * Only the issuer that the operator named is ever called, and the addresses that its own discovery document gives: over
 * TLS, unless the issuer itself is on a loopback, and by the guard, which lets no other host be a private one. `callback` is the address that it sends people back to.
 */
export function createExternalProvider(
  runtime: Runtime,
  settings: ExternalSettings,
  callback: string,
): ExternalProvider {
  const issuer = new URL(settings.issuer);
  const onLoopback = issuer.protocol === "http:" && loopback.test(issuer.hostname);
  // Loaded at the first use: most installations sign nobody in this way.
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

  /** What discovery found; after a failure the next request tries again. */
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
        // Besides what it asks for, it makes a provider say when the person signed in there (3.1.2.1).
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
