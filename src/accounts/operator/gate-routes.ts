import { Type as T } from "@sinclair/typebox";
import { callerOf } from "../../web/access.ts";
import { page } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { changes, looks, tags } from "./access.ts";
import type { OperatorGates } from "./connectors.ts";
import { OperatorConnector, OperatorGate, OperatorGateChange } from "./schema.ts";

const NamePath = T.Object({ name: T.String({ maxLength: 100 }) });
const SlugPath = T.Object({ slug: T.String({ maxLength: 100 }) });

const switchRoutes = (gates: OperatorGates): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/operator/gates",
    access: looks,
    response: { 200: page(OperatorGate, "OperatorGateList"), ...errorResponses(401, 403) },
    detail: {
      operationId: "listOperatorGates",
      summary: "List gates",
      description: "Every gate: the platform's, and one for each capability and use case.",
      tags,
    },
    handler: async () => ({ items: await gates.gates(), next_cursor: null }),
  }),
  defineRoute({
    method: "PUT",
    path: "/v1/operator/gates/:name",
    access: changes,
    params: NamePath,
    body: OperatorGateChange,
    response: { 200: OperatorGate, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "setOperatorGate",
      summary: "Open or close a gate",
      description: "Takes effect from the next request on. Work in progress completes.",
      tags,
    },
    handler: ({ params, body, request }) => gates.setGate(callerOf(request), params.name, body.open),
  }),
];

const connectorRoutes = (gates: OperatorGates): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/operator/connectors",
    access: looks,
    response: { 200: page(OperatorConnector, "OperatorConnectorList"), ...errorResponses(401, 403) },
    detail: {
      operationId: "listOperatorConnectors",
      summary: "List connectors",
      description: "Every firm's private capabilities, without their secrets.",
      tags,
    },
    handler: async () => ({ items: await gates.connectors(), next_cursor: null }),
  }),
  defineRoute({
    method: "PATCH",
    path: "/v1/operator/connectors/:slug",
    access: changes,
    params: SlugPath,
    body: OperatorGateChange,
    response: { 200: OperatorConnector, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "setOperatorConnector",
      summary: "Enable or disable a connector",
      description: "Opens or closes its gate. Work in progress completes.",
      tags,
    },
    handler: ({ params, body, request }) => gates.setConnector(callerOf(request), params.slug, body.open),
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/operator/connectors/:slug",
    access: changes,
    params: SlugPath,
    response: { ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "removeOperatorConnector",
      summary: "Remove a connector",
      description:
        "Attempts in progress complete and are charged; work that has not started is refused without a charge.",
      tags,
      responses: { 204: { description: "Removed." } },
    },
    handler: async ({ params, request }) => {
      await gates.removeConnector(callerOf(request), params.slug);
      return new Response(null, { status: 204 });
    },
  }),
];

/** The routes for gates and connectors, for `routes.ts`. */
export const gateRoutes = (gates: OperatorGates): Route[] => [...switchRoutes(gates), ...connectorRoutes(gates)];
