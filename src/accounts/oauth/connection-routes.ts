import { Type as T } from "@sinclair/typebox";
import { connectionsOfUser } from "../../../db/queries/oauth-connections.ts";
import type { Store } from "../../../db/store.ts";
import { actorOf } from "../../identity/principal.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { callerOf } from "../../web/access.ts";
import { page } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { createPersonalConnection, revokeOwnConnection } from "./manage.ts";
import { Connection, ConnectionCreateRequest, CreatedConnection, connectionRecord } from "./schema.ts";

const tags = ["Developer"];
const access = { credential: "Session" } as const;

/** Services used by these routes. */
export interface ConnectionRoutesServices {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly store: Store;
}

/** Routes for the caller's own connections: programs that they authorised at `/mcp`. */
export const connectionRoutes = ({ baseUrl, clock, runtime, store }: ConnectionRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/developer/connections",
    access,
    response: { 200: page(Connection, "ConnectionList"), ...errorResponses(401) },
    detail: {
      operationId: "listConnections",
      summary: "List your connections",
      description:
        "Programs that the caller authorised at `/mcp`, newest first, including those that ended within the last 30 days. Tokens are never returned.",
      tags,
    },
    handler: async ({ request }) => {
      const { firm_id, user_id } = callerOf(request);
      const rows = await connectionsOfUser(store.read, firm_id, user_id);
      return { items: rows.map(connectionRecord), next_cursor: null };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v1/developer/connections",
    access,
    body: ConnectionCreateRequest,
    response: { 201: CreatedConnection, ...errorResponses(401, 404, 422) },
    detail: {
      operationId: "createConnection",
      summary: "Create a personal connection",
      description:
        "A URL of `/mcp` for clients that don't support OAuth. It gives access to the documentation and the validator's tools, as far as the caller's role allows. The URL is a secret and is returned only in this response.",
      tags,
    },
    handler: async ({ body, request, set }) => {
      const caller = callerOf(request);
      const { firm_id, user_id } = caller;
      const act = { actor: actorOf(caller), at: clock.now(), runtime };
      const { connection, url } = await store.write((tx) =>
        createPersonalConnection(tx, act, baseUrl, { firm_id, user_id, ...body }),
      );
      set.status = 201;
      set.headers["cache-control"] = "no-store";
      return { ...connectionRecord(connection), url };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/developer/connections/:connection_id",
    access,
    params: T.Object({ connection_id: T.String({ format: "uuid" }) }),
    response: { ...errorResponses(401, 404, 422) },
    detail: {
      operationId: "revokeConnection",
      summary: "Revoke a connection",
      description: "The program loses access from its next request on. Revoking again changes nothing.",
      tags,
      responses: { 204: { description: "Revoked." } },
    },
    handler: async ({ params: { connection_id }, request }) => {
      await revokeOwnConnection(store, callerOf(request), connection_id, clock.now());
      return new Response(null, { status: 204 });
    },
  }),
];
