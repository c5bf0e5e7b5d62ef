import type { CacheByAccessVersion } from "../../db/queries/access-version.ts";
import type { Store } from "../../db/store.ts";
import type { Keyring } from "../identity/keyring.ts";
import type { Identity } from "../identity/principal.ts";
import { createMailer } from "../integrations/mail/mailer.ts";
import type { Transport } from "../integrations/mail/smtp.ts";
import type { Outbound } from "../integrations/outbound/types.ts";
import type { Log } from "../platform/log.ts";
import type { Runtime } from "../platform/runtime.ts";
import { type AttemptGuard, createAttemptGuard } from "../web/attempts.ts";
import { createAccountMailer } from "./auth/account-mailer.ts";
import { createAccounts } from "./auth/accounts.ts";
import { type BrowserSessions, createBrowserSessions } from "./auth/cookies.ts";
import { createExternalSignIn } from "./auth/external.ts";
import { createExternalPeople } from "./auth/external-people.ts";
import type { ExternalSettings } from "./auth/external-provider.ts";
import { createRedirects } from "./auth/external-redirect.ts";
import { createFormTokens } from "./auth/form-token.ts";
import { createSignInGuards } from "./auth/guards.ts";
import { createPasswords } from "./auth/passwords.ts";
import { createSessions, type Sessions } from "./auth/sessions.ts";
import { createSignIn } from "./auth/sign-in.ts";
import { createSignUp, type SignUpMode } from "./auth/sign-up.ts";
import { createAuthorize } from "./oauth/authorize.ts";
import { createClientDocuments } from "./oauth/client-documents.ts";
import { createClients } from "./oauth/clients.ts";
import { createConnections } from "./oauth/connections.ts";
import { createEndpoints } from "./oauth/endpoints.ts";
import { createMetadata } from "./oauth/metadata.ts";
import { createTickets } from "./oauth/ticket.ts";
import { createTokens } from "./oauth/tokens.ts";

/** Client registrations per address and minute, and fetches of client metadata per person and minute. */
const registrationsPerMinute = 30;
const fetchesPerMinute = 30;
/** By default, only invited people can create an account. */
const usualSignUp: SignUpMode = "invited";

/** Dependencies of the accounts. */
export interface AccountOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly masterKey: Uint8Array;
  readonly baseUrl: string;
  readonly outbound: Outbound;
  /** The OpenID provider for signing in; if absent, none. */
  readonly external?: ExternalSettings | undefined;
  /** Additional URLs that a sign-in may redirect to: exact, or as a prefix if it ends in a slash. */
  readonly redirectAllow?: readonly string[] | undefined;
  /** Who may create an account; default: invited people. */
  readonly signUp?: SignUpMode | undefined;
  /** The mail transport; if absent, mail stays in the outbox. */
  readonly mail?: Transport | undefined;
}

/** Creates the native sign-in. */
export function createSignInServices(
  { store, runtime, log, baseUrl, mail, signUp: mode = usualSignUp }: AccountOptions,
  keyring: Keyring,
) {
  const mailer = createMailer({ store, clock: runtime, log, transport: mail });
  const passwords = createPasswords(runtime);
  const sessions = createSessions(store, keyring, runtime, baseUrl);
  const guards = createSignInGuards(runtime);
  const accountMailer = createAccountMailer(runtime, baseUrl);
  const shared = { store, runtime, log, mailer, passwords, sessions, guards, accountMailer };
  const signIn = createSignIn(shared);
  return {
    ...{ mailer, passwords, sessions, signIn },
    signUp: createSignUp({ ...shared, mode }),
    signUpMode: mode,
    accounts: createAccounts({ ...shared, clock: runtime, signIn }),
  };
}

/** Creates the services of browser sign-in: sessions, the external provider, and the allowed redirects. */
export function createBrowserServices(options: AccountOptions, identity: Identity, sessions: Sessions) {
  const { store, runtime, baseUrl, masterKey, external: provider, redirectAllow = [], signUp = usualSignUp } = options;
  const redirects = createRedirects(baseUrl, redirectAllow);
  const people = createExternalPeople(store, runtime, signUp);
  return {
    browser: createBrowserSessions(sessions, identity, runtime, baseUrl),
    redirects,
    formTokens: createFormTokens(runtime, baseUrl),
    external: createExternalSignIn({ provider, baseUrl, masterKey, runtime, redirects, people, sessions }),
  };
}

interface OAuthNeeds {
  readonly attempts: AttemptGuard;
  readonly browser: BrowserSessions;
  readonly cacheByAccessVersion: CacheByAccessVersion;
  readonly identity: Identity;
  readonly keyring: Keyring;
  readonly sessions: Sessions;
}

/** Creates the OAuth endpoints and the authentication of `/mcp`. */
export function createOAuthServices(options: AccountOptions, needs: OAuthNeeds) {
  const { store, runtime, baseUrl, masterKey } = options;
  const { attempts, browser, cacheByAccessVersion, identity, keyring, sessions } = needs;
  const resources = { mcp: `${baseUrl}/mcp`, api: baseUrl };
  const clients = createClients(store, createClientDocuments(options.outbound, runtime), runtime);
  const tokens = createTokens({ store, runtime, keyring, sessions, baseUrl, resources });
  const tickets = createTickets(masterKey, runtime);
  const fetches = createAttemptGuard(runtime, fetchesPerMinute);
  const registrations = createAttemptGuard(runtime, registrationsPerMinute);
  const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
  return {
    oauth: {
      authorize: createAuthorize({
        ...{ store, runtime, identity, browser, clients, tickets, baseUrl, resources, fetches },
      }),
      endpoints: createEndpoints({ clients, tokens, registrations, attempts }),
      metadata: createMetadata(baseUrl, resources),
    },
    connections: createConnections({
      ...{ store, clock: runtime, cacheByAccessVersion, identity, keyring, attempts, metadataUrl },
      resource: resources.mcp,
    }),
  };
}
