import {
  deleteOldOAuthClients,
  deleteSurplusOAuthClient,
  insertOAuthClient,
  oauthClientById,
} from "../../../db/queries/oauth-clients.ts";
import type { OAuthClientTable } from "../../../db/schema/oauth-tables.ts";
import type { Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { day, second } from "../../platform/clock.ts";
import { randomBase62 } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { type Client, clientFacts, commandLine } from "./client.ts";
import { type ClientDocuments, isDocumentAddress } from "./client-documents.ts";
import { OAuthError } from "./errors.ts";

/** How long an unused registration is kept. Clients register again at each first connection. */
const unusedKept = day;
/** How long a registration without a connection is kept after its last use. */
const idleKept = 90 * day;
/** Maximum number of unused registrations. The oldest is deleted, so that a flood does not lock others out. */
const unusedAtMost = 20_000;

export interface Clients {
  /** Returns the client with this id. Throws `invalid_client`. */
  find(client_id: string): Promise<Client>;
  /** Returns whether looking it up sends a request to a host that the caller chose. */
  needsFetch(client_id: string): boolean;
  /** Returns whether such a client may have received tokens. For the token endpoint, which fetches nothing. */
  isKnown(client_id: string): Promise<boolean>;
  /** Registers a client (RFC 7591) and returns what was registered. Throws the standard's errors. */
  register(metadata: unknown): Promise<Readonly<Record<string, unknown>>>;
}

const clientOf = (row: OAuthClientTable): Client => ({
  id: row.id,
  name: row.name,
  redirect_uris: JSON.parse(row.redirect_uris_json) as string[],
  kind: "registered",
});

/** Returns the registration response: the values as understood, in place of those requested (RFC 7591, 3.2.1). */
const registered = (row: OAuthClientTable) => ({
  client_id: row.id,
  client_id_issued_at: Math.floor(row.created_at / second),
  ...(row.name !== null && { client_name: row.name }),
  ...(row.client_uri !== null && { client_uri: row.client_uri }),
  redirect_uris: JSON.parse(row.redirect_uris_json) as string[],
  // There are no confidential clients: a secret adds nothing to PKCE for programs on people's machines.
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
});

/** Creates the look-up of clients: built in, by metadata document, or registered. */
export function createClients(store: Store, documents: ClientDocuments, runtime: Runtime): Clients {
  const unknown = () => new OAuthError("invalid_client", "Unknown client. Register it first.", 401);
  const byId = (client_id: string) => oauthClientById(store.read, client_id);
  const isDocument = (client_id: string) => isDocumentAddress(client_id);

  return {
    needsFetch: (client_id) => isDocument(client_id) && !documents.isKnown(client_id),
    async find(client_id) {
      if (client_id === commandLine.id) return commandLine;
      if (isDocument(client_id)) return documents.find(client_id);
      const row = await byId(client_id);
      if (!row) throw unknown();
      return clientOf(row);
    },
    async isKnown(client_id) {
      return client_id === commandLine.id || isDocument(client_id) || (await byId(client_id)) !== undefined;
    },
    async register(metadata) {
      const { name, client_uri, redirect_uris } = clientFacts(metadata);
      const row: OAuthClientTable = {
        id: `assay_client_${randomBase62(runtime, 22)}`,
        name,
        client_uri,
        redirect_uris_json: JSON.stringify(redirect_uris),
        created_at: runtime.now(),
        last_used_at: null,
      };
      await store.write(async (tx) => {
        await deleteOldOAuthClients(unscoped(tx), row.created_at - unusedKept, row.created_at - idleKept);
        await insertOAuthClient(tx, row);
        await deleteSurplusOAuthClient(unscoped(tx), unusedAtMost);
      });
      return registered(row);
    },
  };
}
