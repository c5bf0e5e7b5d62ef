import { failure, invalid } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { createOneTimeCodes } from "./external-codes.ts";
import type { ExternalPeople } from "./external-people.ts";
import { createExternalProvider, type ExternalSettings } from "./external-provider.ts";
import type { Redirects } from "./external-redirect.ts";
import { createStateSeal } from "./external-state.ts";
import type { Session } from "./schema.ts";
import type { Sessions } from "./sessions.ts";

/** Path of the provider's redirect URI. */
export const callbackPath = "/auth/v1/callback";
/** The value of `provider` if the operator has configured no name or no provider. */
export const unnamedProvider = "external";

export interface BegunSignIn {
  readonly url: string;
  readonly sealed: string;
}

export interface ExternalSignIn {
  /** The only valid value of `provider`. */
  readonly name: string;
  /** Whether a provider is configured. */
  readonly isOffered: boolean;
  /**
   * Starts a sign-in: returns where the browser goes, and the cookie that it must bring back. `isAgain`: during an
   * existing session, to prove that its person is present.
   */
  begin(redirect_to: string, challenge: string | null, isAgain?: boolean): Promise<BegunSignIn>;
  /** Completes it: returns the redirect target with a one-time code appended. Throws `invalid_credentials`. */
  finish(query: URLSearchParams, sealed: string | undefined, locale: string): Promise<string>;
  /** Exchanges a one-time code. Throws `invalid_credentials`. */
  exchange(code: string, verifier: string | undefined, user_agent: string | null): Promise<Session>;
}

export interface ExternalOptions {
  readonly provider: ExternalSettings | undefined;
  readonly baseUrl: string;
  readonly masterKey: Uint8Array;
  readonly runtime: Runtime;
  readonly redirects: Redirects;
  readonly people: ExternalPeople;
  readonly sessions: Sessions;
}

/**
 * Creates the sign-in with one OpenID provider. Its result is passed on as a one-time code, so that URLs never contain
 * tokens.
 */
export function createExternalSignIn(options: ExternalOptions): ExternalSignIn {
  const { provider: settings, baseUrl, masterKey, runtime, redirects, people, sessions } = options;
  const name = settings?.name ?? unnamedProvider;
  const callback = baseUrl + callbackPath;
  const provider = settings && createExternalProvider(runtime, settings, callback);
  const seal = createStateSeal(masterKey, runtime);
  const codes = createOneTimeCodes(runtime);
  return {
    name,
    isOffered: provider !== undefined,
    async begin(redirect_to, challenge, isAgain = false) {
      if (!provider) throw invalid("/query/provider", "is not configured here: sign in with a password");
      const target = redirects.allowed(redirect_to);
      if (target === undefined) throw invalid("/query/redirect_to", "must be a URL that this installation allows");
      const { url, ...begun } = await provider.begin(isAgain);
      return { url, sealed: await seal.seal({ ...begun, redirect_to: target, challenge }) };
    },
    async finish(query, sealed, locale) {
      const begun = sealed === undefined ? undefined : await seal.open(sealed);
      if (!provider || !begun || query.get("state") !== begun.state) throw failure("invalid_credentials");
      const person = await provider.finish(new URL(`${callback}?${query}`), begun);
      const user_id = await people.resolve(person, locale);
      const target = new URL(begun.redirect_to);
      // Clocks differ, but no authentication can be in the future.
      const authenticated_at = person.authenticated_at && Math.min(person.authenticated_at, runtime.now());
      target.searchParams.set("code", codes.issue({ user_id, provider: name, authenticated_at }, begun.challenge));
      return target.href;
    },
    async exchange(code, verifier, user_agent) {
      const found = codes.redeem(code, verifier);
      if (!found) throw failure("invalid_credentials");
      const { user_id, provider, authenticated_at } = found;
      return sessions.open(user_id, provider, { user_agent, authenticated_at });
    },
  };
}
