import type { Store } from "../../../db/sqlite/connection.ts";
import type { Keyring } from "../../identity/keyring.ts";
import type { Identity } from "../../identity/principal.ts";
import type { Outbound } from "../../integrations/outbound/types.ts";
import type { Clock } from "../../platform/clock.ts";
import { type AttemptGuard, createAttemptGuard } from "../../web/attempts.ts";
import type { BrowserSessions } from "../auth/cookies.ts";
import type { Sessions } from "../auth/sessions.ts";
import { createAuthorize } from "./authorize.ts";
import { createClientDocuments } from "./client-documents.ts";
import { createClients } from "./clients.ts";
import { createConnections } from "./connections.ts";
import { createEndpoints } from "./endpoints.ts";
import type { McpAccess } from "./identify.ts";
import { createMetadata } from "./metadata.ts";
import { createTickets } from "./ticket.ts";
import { createTokens } from "./tokens.ts";

/** What OAuth consists of, for its routes; and who calls `/mcp`. */
export interface OAuthParts {
  readonly oauth: {
    readonly authorize: ReturnType<typeof createAuthorize>;
    readonly endpoints: ReturnType<typeof createEndpoints>;
    readonly metadata: ReturnType<typeof createMetadata>;
  };
  readonly connections: McpAccess;
}

export interface OAuthOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly identity: Identity;
  readonly sessions: Sessions;
  readonly browser: BrowserSessions;
  readonly outbound: Outbound;
  readonly masterKey: Uint8Array;
  readonly baseUrl: string;
  /** The rate limit on wrong credentials, shared with the rest of the API. */
  readonly attempts: AttemptGuard;
}

/** Registrations that one address may send in a minute, and client descriptions that one person may have fetched. */
const registrationsPerMinute = 30;
const fetchesPerMinute = 30;

/** Makes them, for `app.ts`. */
export function createOAuth(options: OAuthOptions): OAuthParts {
  const { store, clock, keyring, identity, sessions, browser, outbound, masterKey, baseUrl, attempts } = options;
  const resources = { mcp: `${baseUrl}/mcp`, api: baseUrl };
  const clients = createClients(store, createClientDocuments(outbound, clock), clock);
  const tokens = createTokens({ store, clock, keyring, sessions, baseUrl, resources });
  const tickets = createTickets(masterKey, clock);
  const fetches = createAttemptGuard(clock, fetchesPerMinute);
  const registrations = createAttemptGuard(clock, registrationsPerMinute);
  const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
  return {
    oauth: {
      authorize: createAuthorize({
        ...{ store, clock, identity, browser, clients, tickets, baseUrl, resources, fetches },
      }),
      endpoints: createEndpoints({ clients, tokens, registrations, attempts }),
      metadata: createMetadata(baseUrl, resources),
    },
    connections: createConnections({ store, clock, identity, keyring, attempts, resource: resources.mcp, metadataUrl }),
  };
}
