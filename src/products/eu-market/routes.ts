import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { notModified, respond } from "../../web/prerendered.ts";
import { EuOverview } from "./schema.ts";
import type { EuMarket } from "./service.ts";

/** The route of the public overview of European markets. */
export const euMarketRoutes = ({ euMarket }: { readonly euMarket: EuMarket }): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/public/eu-overview",
    access: { credential: "none" },
    response: { 200: EuOverview, ...errorResponses() },
    detail: {
      operationId: "getEuOverview",
      summary: "See key figures of European countries",
      description:
        "Population, economy, labour and insurance of 32 countries and the EU, each figure with period, unit, publisher and reliability. It changes only with an import: send `If-None-Match`.",
      tags: ["Market intelligence"],
      responses: notModified,
    },
    handler: async ({ request }) => respond(request, await euMarket.publicOverview()),
  }),
];
