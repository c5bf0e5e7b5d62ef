import type { Store } from "../../../db/store.ts";
import type { Identity } from "../../identity/principal.ts";
import type { Clock } from "../../platform/clock.ts";
import { type BrowserSessions, createBrowserSessions } from "./cookies.ts";
import { createExternalSignIn, type ExternalSignIn } from "./external.ts";
import { createExternalPeople } from "./external-people.ts";
import type { ExternalSettings } from "./external-provider.ts";
import { createRedirects, type Redirects } from "./external-redirect.ts";
import type { Sessions } from "./sessions.ts";

/** What browsers sign in with: their sessions, the external provider, and where a sign-in may lead. */
export interface BrowserParts {
  readonly browser: BrowserSessions;
  readonly redirects: Redirects;
  readonly external: ExternalSignIn;
}

export interface BrowserPartsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly identity: Identity;
  readonly sessions: Sessions;
  readonly baseUrl: string;
  readonly masterKey: Uint8Array;
  /** The OpenID provider that people may sign in with; absent: none. */
  readonly provider: ExternalSettings | undefined;
  /** Addresses that a sign-in may lead to, besides our own: each itself, or all below one that ends in a slash. */
  readonly redirectAllow: readonly string[] | undefined;
}

/** Makes them, for `app.ts`. */
export function createBrowserParts(options: BrowserPartsOptions): BrowserParts {
  const { store, clock, identity, sessions, baseUrl, masterKey, provider, redirectAllow = [] } = options;
  const redirects = createRedirects(baseUrl, redirectAllow);
  const people = createExternalPeople(store, clock);
  return {
    browser: createBrowserSessions(sessions, identity, baseUrl),
    redirects,
    external: createExternalSignIn({ provider, baseUrl, masterKey, clock, redirects, people, sessions }),
  };
}
