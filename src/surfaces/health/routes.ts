import { Type as T } from "@sinclair/typebox";
import type { Store } from "../../../db/store.ts";
import type { Clock } from "../../platform/clock.ts";
import { closed } from "../../platform/schema.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { createReadiness } from "./readiness.ts";

const tags = ["Status"];
const Health = closed({ status: T.Literal("ok") }, { title: "Health" });
const Ready = closed({ status: T.Literal("ready") }, { title: "Ready" });

interface HealthRoutesServices {
  readonly store: Store;
  readonly clock: Clock;
}

/** The routes for liveness, which is static, and for readiness, which reads and commits. */
export function healthRoutes({ store, clock }: HealthRoutesServices): Route[] {
  const readiness = createReadiness(store, clock);
  return [
    defineRoute({
      method: "GET",
      path: "/health",
      access: { credential: "none" },
      response: { 200: Health },
      detail: {
        operationId: "getHealth",
        summary: "Health",
        description: "Static: does not access the database.",
        tags,
      },
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
        description:
          "Whether the database can be read and written. 503 `database_unavailable` if not, for example on a full disk.",
        tags,
      },
      handler: async () => {
        await readiness.check();
        return { status: "ready" as const };
      },
    }),
  ];
}
