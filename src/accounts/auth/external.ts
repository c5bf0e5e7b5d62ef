import { failure, invalid } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { createOneTimeCodes } from "./external-codes.ts";
import type { ExternalPeople } from "./external-people.ts";
import { createExternalProvider, type ExternalSettings } from "./external-provider.ts";
import type { Redirects } from "./external-redirect.ts";
import { createStateSeal } from "./external-state.ts";
import type { Session } from "./schema.ts";
import type { Sessions } from "./sessions.ts";

/** Where the provider sends people back to. */
export const callbackPath = "/auth/v1/callback";
/** What `provider` has to be where the operator has chosen no name, or set nothing up. */
export const unnamedProvider = "external";

export interface BegunSignIn {
  readonly url: string;
  readonly sealed: string;
}

export interface ExternalSignIn {
  /** The one value that `provider` may have. */
  readonly name: string;
  /** Whether the operator has set a provider up. */
  readonly isOffered: boolean;
  /**
   * Begins a sign-in: where the browser goes, and what it has to bring back in its cookie. `isAgain`: over a session that
   * stands, to show that its person sits there.
   */
  begin(redirect_to: string, challenge: string | null, isAgain?: boolean): Promise<BegunSignIn>;
  /** Ends it: our own address with a one-time code appended. Throws `invalid_credentials`. */
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

/** Sign-in with one OpenID provider, whose result travels as a one-time code: tokens never stand in an address. */
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
      if (!provider) throw invalid("/query/provider", "is not set up here: sign in by password");
      const target = redirects.allowed(redirect_to);
      if (target === undefined) throw invalid("/query/redirect_to", "must be an address that this installation allows");
      const { url, ...begun } = await provider.begin(isAgain);
      return { url, sealed: await seal.seal({ ...begun, redirect_to: target, challenge }) };
    },
    async finish(query, sealed, locale) {
      const begun = sealed === undefined ? undefined : await seal.open(sealed);
      if (!provider || !begun || query.get("state") !== begun.state) throw failure("invalid_credentials");
      const person = await provider.finish(new URL(`${callback}?${query}`), begun);
      const user_id = await people.resolve(person, locale);
      const target = new URL(begun.redirect_to);
      // Clocks differ: nobody proves anything later than now.
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
