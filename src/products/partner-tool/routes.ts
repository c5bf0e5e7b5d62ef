import { Type as T } from "@sinclair/typebox";
import { idempotencyHeader } from "../../runs/schema.ts";
import { callerOf } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { surfaceOf } from "../../web/surface.ts";
import { PartnerToolAccess, PartnerToolCall, PartnerToolCallRequest } from "./schema.ts";
import { callPartnerTool, type PartnerToolServices, partnerAccess, partnerEntitlement } from "./service.ts";

const tags = ["Partner tool"];
const needed = {
  credential: "Platform",
  scopes: ["account:read"],
  entitlements: () => [partnerEntitlement],
} as const;

/** Routes through which a partner's workspace calls its firm's own tools. */
export const partnerToolRoutes = (services: PartnerToolServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/partner-tool/access",
    access: needed,
    response: { 200: PartnerToolAccess, ...errorResponses(401, 403) },
    detail: {
      operationId: "getPartnerToolAccess",
      summary: "See what the partner tool may call",
      description: "Each tool of the firm's own connectors: granted, or why it is currently unavailable.",
      tags,
    },
    handler: ({ request }) => partnerAccess(services, callerOf(request)),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/partner-tool/call",
    access: { ...needed, scopes: ["account:read", "capabilities:run"] },
    headers: T.Object({ "idempotency-key": T.Optional(idempotencyHeader) }),
    body: PartnerToolCallRequest,
    response: { 200: PartnerToolCall, ...errorResponses(401, 402, 403, 404, 409, 422, 503) },
    detail: {
      operationId: "callPartnerTool",
      summary: "Call one of the firm's own tools",
      description:
        "Starts a run of the tool's capability, charged like any run. Waits at most 30 seconds; after that, poll run_url.",
      tags,
    },
    handler: async ({ body, headers, request, set }) => {
      const { answer, replayed } = await callPartnerTool(services, callerOf(request), {
        tool: body.tool,
        arguments: body.arguments,
        surface: surfaceOf(request),
        idempotency_key: headers["idempotency-key"],
        signal: request.signal,
      });
      if (replayed) set.headers["idempotency-replayed"] = "true";
      return answer;
    },
  }),
];
