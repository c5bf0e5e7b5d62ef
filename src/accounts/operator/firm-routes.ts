import { Type as T } from "@sinclair/typebox";
import { idempotencyHeader } from "../../runs/schema.ts";
import { callerOf } from "../../web/access.ts";
import { type Cursors, cursorMember, page } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { placed } from "../admin/placed.ts";
import { Balance } from "../usage/schema.ts";
import { changes, looks, tags } from "./access.ts";
import type { OperatorFirms } from "./firms.ts";
import {
  OperatorCreditChange,
  OperatorEntitlements,
  OperatorFirm,
  OperatorFirmDetail,
  OperatorQuotaChange,
  OperatorQuotas,
} from "./schema.ts";

const FirmPath = T.Object({ firm_id: T.String({ format: "uuid" }) });
const NamePath = T.Object({ firm_id: T.String({ format: "uuid" }), name: T.String({ maxLength: 100 }) });
const firmList = "operator firms";
const path = "/v1/operator/firms";

/** Routes that list and show firms. */
const readRoutes = ({ cursors }: { readonly cursors: Cursors }, firms: OperatorFirms): Route[] => [
  defineRoute({
    method: "GET",
    path,
    access: looks,
    query: T.Object({ limit: T.Integer({ minimum: 1, maximum: 100, default: 50 }), ...cursorMember }),
    response: { 200: page(OperatorFirm, "OperatorFirmList"), ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listOperatorFirms",
      summary: "List firms",
      description: "Every tenant with its credits, oldest first.",
      tags,
    },
    handler: async ({ query: { limit, cursor } }) => {
      const rows = await firms.list(cursors.read(firmList, cursor), limit);
      return cursors.page(firmList, { rows, limit, show: (firm) => firm, position: ({ id }) => id });
    },
  }),
  defineRoute({
    method: "GET",
    path: `${path}/:firm_id`,
    access: looks,
    params: FirmPath,
    response: { 200: OperatorFirmDetail, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "getOperatorFirm",
      summary: "Get a firm",
      description: "Its credits, people, workspaces and permissions.",
      tags,
    },
    handler: ({ params }) => firms.show(params.firm_id),
  }),
];

/** The route that changes a firm's credits. */
const creditRoute = (firms: OperatorFirms): Route =>
  defineRoute({
    method: "POST",
    path: `${path}/:firm_id/credits`,
    access: changes,
    params: FirmPath,
    headers: T.Object({ "idempotency-key": idempotencyHeader }),
    body: OperatorCreditChange,
    response: { 200: Balance, ...errorResponses(401, 403, 404, 409, 422) },
    detail: {
      operationId: "changeOperatorCredits",
      summary: "Grant or correct a firm's credits",
      description: "Applied once for each Idempotency-Key. Returns the firm's new balance.",
      tags,
    },
    handler: async ({ params, headers, body, request, set }) => {
      const key = headers["idempotency-key"];
      const { balance, replayed } = await placed("/body", () =>
        firms.changeCredits(callerOf(request), params.firm_id, body, key),
      );
      if (replayed) set.headers["idempotency-replayed"] = "true";
      return balance;
    },
  });

/** Routes for a firm's entitlements. */
const entitlementRoutes = (firms: OperatorFirms): Route[] =>
  (["PUT", "DELETE"] as const).map((method) =>
    defineRoute({
      method,
      path: `${path}/:firm_id/entitlements/:name`,
      access: changes,
      params: NamePath,
      response: { 200: OperatorEntitlements, ...errorResponses(401, 403, 404, 422) },
      detail: {
        operationId: method === "PUT" ? "grantOperatorEntitlement" : "withdrawOperatorEntitlement",
        summary: method === "PUT" ? "Grant a firm an entitlement" : "Withdraw an entitlement from a firm",
        description: "Takes effect from the firm's next request on and is idempotent. Returns the firm's entitlements.",
        tags,
      },
      handler: async ({ params: { firm_id, name }, request }) => ({
        entitlements: await firms.setEntitlement(callerOf(request), firm_id, name, method === "PUT"),
      }),
    }),
  );

/** Routes for a firm's monthly quotas (UTC). */
const quotaRoutes = (firms: OperatorFirms): Route[] => [
  defineRoute({
    method: "PUT",
    path: `${path}/:firm_id/quotas/:name`,
    access: changes,
    params: NamePath,
    body: OperatorQuotaChange,
    response: { 200: OperatorQuotas, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "setOperatorQuota",
      summary: "Set a firm's monthly limit",
      description: "Limits runs of a capability or use case, or the usage of each of the firm's keys or people.",
      tags,
    },
    handler: async ({ params: { firm_id, name }, body, request }) => ({
      quotas: await firms.setQuota(callerOf(request), firm_id, name, body.monthly_runs),
    }),
  }),
  defineRoute({
    method: "DELETE",
    path: `${path}/:firm_id/quotas/:name`,
    access: changes,
    params: NamePath,
    response: { 200: OperatorQuotas, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "clearOperatorQuota",
      summary: "Remove a firm's limit",
      description: "If the installation has a limit for all firms, it applies again.",
      tags,
    },
    handler: async ({ params: { firm_id, name }, request }) => ({
      quotas: await firms.setQuota(callerOf(request), firm_id, name, null),
    }),
  }),
];

/** The firm routes, for `routes.ts`. */
export const firmRoutes = (services: { readonly cursors: Cursors }, firms: OperatorFirms): Route[] => [
  ...readRoutes(services, firms),
  creditRoute(firms),
  ...entitlementRoutes(firms),
  ...quotaRoutes(firms),
];
