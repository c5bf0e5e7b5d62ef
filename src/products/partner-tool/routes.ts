import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Parts } from "../../parts.ts";
import { idempotencyHeader } from "../../runs/schema.ts";
import { callerOf } from "../../web/access.ts";
import { errorResponses } from "../../web/errors.ts";
import { surfaceOf } from "../../web/surface.ts";
import { PartnerToolAccess, PartnerToolCall, PartnerToolCallRequest } from "./schema.ts";
import { callPartnerTool, partnerAccess, partnerEntitlement } from "./service.ts";

const tags = ["Partner tool"];
const needed = {
  credential: "Platform",
  scopes: ["account:read"],
  entitlements: () => [partnerEntitlement],
} as const;

/** What a partner's workspace calls of its firm's own tools. */
export const partnerToolRoutes = (parts: Parts) =>
  new Elysia({ name: "partner-tool", normalize: false })
    .use(parts.access)
    .get("/v1/partner-tool/access", ({ request }) => partnerAccess(parts, callerOf(request)), {
      access: needed,
      response: { 200: PartnerToolAccess, ...errorResponses(401, 403) },
      detail: {
        operationId: "getPartnerToolAccess",
        summary: "See what the partner tool may call",
        description: "Each tool of the firm's own connectors, granted or why it is off at present.",
        tags,
      },
    })
    .post(
      "/v1/partner-tool/call",
      ({ body, headers, request }) =>
        callPartnerTool(parts, callerOf(request), {
          tool: body.tool,
          arguments: body.arguments,
          surface: surfaceOf(request),
          idempotency_key: headers["idempotency-key"],
        }),
      {
        access: needed,
        headers: T.Object({ "idempotency-key": T.Optional(idempotencyHeader) }),
        body: PartnerToolCallRequest,
        response: { 200: PartnerToolCall, ...errorResponses(401, 402, 403, 404, 409, 422, 503) },
        detail: {
          operationId: "callPartnerTool",
          summary: "Call a tool of the firm's own",
          description:
            "A run of the tool's capability, charged as any run. Waits 30 seconds at most; after that poll run_url.",
          tags,
        },
      },
    );
