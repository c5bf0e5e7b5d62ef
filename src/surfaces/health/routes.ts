import { Type as T } from "@sinclair/typebox";
import { sql } from "kysely";
import type { Store } from "../../../db/store.ts";
import { failure } from "../../platform/errors.ts";
import { closed } from "../../platform/schema.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";

const tags = ["Status"];
const Health = closed({ status: T.Literal("ok") }, { title: "Health" });
const Ready = closed({ status: T.Literal("ready") }, { title: "Ready" });

/** Static health, and readiness by a trivial query through every connection that requests use. */
export const healthRoutes = ({ store }: { readonly store: Store }): Route[] => [
  defineRoute({
    method: "GET",
    path: "/health",
    access: { credential: "none" },
    response: { 200: Health },
    detail: { operationId: "getHealth", summary: "Health", description: "Static; asks no database.", tags },
    handler: () => Response.json({ status: "ok" }),
  }),
  defineRoute({
    method: "GET",
    path: "/ready",
    access: { credential: "none" },
    response: { 200: Ready, ...errorResponses(500, 503) },
    detail: {
      operationId: "getReady",
      summary: "Readiness",
      description: "A trivial query through the reading and the writing connection.",
      tags,
    },
    handler: async () => {
      try {
        await sql`select 1`.execute(store.read);
        await store.write((tx) => sql`select 1`.execute(tx));
      } catch (error) {
        throw failure("database_unavailable", error);
      }
      return { status: "ready" as const };
    },
  }),
];
