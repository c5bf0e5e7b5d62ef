import { type Static, Type as T } from "@sinclair/typebox";
import type { ConnectionTable } from "../../../db/schema/oauth-tables.ts";
import { rfc3339, rfc3339OrNull } from "../../platform/clock.ts";
import { closed, enumeration, notBlank, nullable } from "../../platform/schema.ts";

const Id = T.String({ format: "uuid" });
const Time = T.String({ format: "date-time" });

const properties = {
  id: Id,
  kind: {
    ...enumeration("oauth", "personal"),
    description: "`oauth`: a program that a person authorised. `personal`: a URL that contains a secret.",
  },
  name: T.String({ description: "The name that the program gave, or that its owner chose." }),
  client_id: nullable(T.String({ description: "The OAuth client; null for a personal connection." })),
  workspace_id: Id,
  scopes: T.Array(T.String(), {
    description: "The most that it may do, further limited by the person's current role and the firm's entitlements.",
  }),
  created_at: Time,
  last_used_at: nullable(T.String({ format: "date-time", description: "To the minute." })),
  revoked_at: nullable(Time),
};

/** A connection as its owner sees it, without tokens and their hashes. */
export const Connection = closed(properties, { title: "Connection" });
export type Connection = Static<typeof Connection>;

export const CreatedConnection = closed(
  {
    ...properties,
    url: T.String({
      format: "uri",
      description: "The URL to give to an MCP client. It is a secret and is returned only once.",
    }),
  },
  { title: "CreatedConnection" },
);

export const ConnectionCreateRequest = closed(
  {
    name: T.String({ minLength: 1, maxLength: 80, ...notBlank, description: "What the connection is for." }),
    workspace_id: T.String({ format: "uuid", description: "The only workspace that it can access." }),
  },
  { title: "ConnectionCreateRequest" },
);

/** Returns a connection's row as the API shows it. */
export const connectionRecord = (row: ConnectionTable): Connection => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  client_id: row.client_id,
  workspace_id: row.workspace_id,
  scopes: JSON.parse(row.scopes_json) as string[],
  created_at: rfc3339(row.created_at),
  last_used_at: rfc3339OrNull(row.last_used_at),
  revoked_at: rfc3339OrNull(row.revoked_at),
});
