import { Type as T } from "@sinclair/typebox";
import { apiKeysOfUser } from "../../../db/queries/api-keys.ts";
import { ensureCaughtUp } from "../../../db/queries/secondary-indexes.ts";
import type { Store } from "../../../db/store.ts";
import { describeScope, scopes } from "../../contracts/scopes.ts";
import type { Identity } from "../../identity/principal.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Registry } from "../../registry/registry.ts";
import { callerOf } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { Workspace } from "../account/schema.ts";
import { workspacesFor } from "../account/workspaces.ts";
import { createOwnKey, keyRecord, ownKey, renameOwnKey, revokeOwnKey } from "./keys.ts";
import { includeMember } from "./listed.ts";
import {
  CreatedApiKey,
  DeveloperApiKey,
  DeveloperApiKeyChange,
  DeveloperApiKeyCreateRequest,
  DeveloperScope,
  DeveloperUsage,
} from "./schema.ts";
import { developerUsage } from "./usage.ts";

const tags = ["Developer"];
const access = { credential: "Session" } as const;
const KeyPath = T.Object({ key_id: T.String({ format: "uuid" }) });

/** Services used by these routes. */
interface DeveloperRoutesServices {
  readonly clock: Clock;
  readonly identity: Identity;
  readonly registry: Pick<Registry, "capabilities">;
  readonly runtime: Runtime;
  readonly store: Store;
}

/** Routes for scopes and usage. */
const readRoutes = ({ clock, identity, registry, store }: DeveloperRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/developer/scopes",
    access,
    response: { 200: T.Array(DeveloperScope), ...errorResponses(401) },
    detail: {
      operationId: "listDeveloperScopes",
      summary: "List scopes for keys",
      description: "The caller's role and the firm's entitlements decide which of them are grantable.",
      tags,
    },
    handler: ({ request }) => {
      const caller = callerOf(request);
      return scopes.map((name) => ({ ...describeScope(name), grantable: caller.scopes.has(name) }));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/developer/workspaces",
    access,
    response: { 200: T.Array(Workspace), ...errorResponses(401) },
    detail: {
      operationId: "listDeveloperWorkspaces",
      summary: "List workspaces for keys",
      description: "The workspaces of the caller's firm. A key is bound to one of them.",
      tags,
    },
    handler: ({ request }) => workspacesFor(store.read, callerOf(request)),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/developer/usage/summary",
    access,
    response: { 200: DeveloperUsage, ...errorResponses(401) },
    detail: {
      operationId: "getDeveloperUsage",
      summary: "Summarise this month's MCP calls",
      description:
        "Calls made with the caller's own keys in this calendar month (UTC), and what the runs that they started have been charged so far.",
      tags,
    },
    handler: async ({ request }) => {
      const { firm_id, user_id } = callerOf(request);
      for (const index of ["workspace_runs", "workspace_days"] as const) await ensureCaughtUp(store, index);
      const person = {
        ...{ firm_id, user_id },
        workspace_ids: await identity.workspaces(callerOf(request)),
        entitlements: await identity.entitlements(firm_id),
      };
      return developerUsage(store.read, registry, person, clock.now());
    },
  }),
];

/** Routes that list and create the caller's keys. */
const keyRoutes = ({ runtime, store }: DeveloperRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/developer/api-keys",
    access,
    query: T.Object(includeMember),
    response: { 200: T.Array(DeveloperApiKey), ...errorResponses(401, 422) },
    detail: {
      operationId: "listApiKeys",
      summary: "List your API keys",
      description:
        "Newest first, including revoked and expired keys; `include=test` adds test keys. Secrets are never returned.",
      tags,
    },
    handler: async ({ query: { include = "" }, request }) => {
      const { firm_id, user_id } = callerOf(request);
      const keys = await apiKeysOfUser(store.read, firm_id, user_id);
      return keys.filter(({ purpose }) => purpose !== "test" || include.split(",").includes("test")).map(keyRecord);
    },
  }),
  defineRoute({
    method: "POST",
    path: "/v1/developer/api-keys",
    access,
    body: DeveloperApiKeyCreateRequest,
    response: { 201: CreatedApiKey, ...errorResponses(401, 404, 422) },
    detail: {
      operationId: "createApiKey",
      summary: "Create an API key",
      description: "The secret is returned only in this response. A key never allows more than its creator may do.",
      tags,
    },
    handler: async ({ body, request, set }) => {
      const { key, secret } = await createOwnKey(store, callerOf(request), body, runtime);
      set.status = 201;
      set.headers["cache-control"] = "no-store";
      return { ...keyRecord(key), secret };
    },
  }),
];

/** Routes for one key. */
const oneKeyRoutes = ({ clock, store }: DeveloperRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/developer/api-keys/:key_id",
    access,
    params: KeyPath,
    response: { 200: DeveloperApiKey, ...errorResponses(401, 404, 422) },
    detail: {
      operationId: "getApiKey",
      summary: "Get an API key",
      description: "Also works for a revoked or expired key. The secret is never returned.",
      tags,
    },
    handler: async ({ params, request }) => keyRecord(await ownKey(store.read, callerOf(request), params.key_id)),
  }),
  defineRoute({
    method: "PATCH",
    path: "/v1/developer/api-keys/:key_id",
    access,
    params: KeyPath,
    body: DeveloperApiKeyChange,
    response: { 200: DeveloperApiKey, ...errorResponses(401, 404, 422) },
    detail: {
      operationId: "renameApiKey",
      summary: "Rename an API key",
      description: "Scopes, workspace and expiry can't be changed; create another key instead.",
      tags,
    },
    handler: async ({ params, body, request }) =>
      keyRecord(await renameOwnKey(store, callerOf(request), params.key_id, body, clock.now())),
  }),
  defineRoute({
    method: "DELETE",
    path: "/v1/developer/api-keys/:key_id",
    access,
    params: KeyPath,
    response: { ...errorResponses(401, 404, 422) },
    detail: {
      operationId: "revokeApiKey",
      summary: "Revoke an API key",
      description: "The key stops working from the next request on. It stays in the list.",
      tags,
      responses: { 204: { description: "Revoked." } },
    },
    handler: async ({ params, request }) => {
      await revokeOwnKey(store, callerOf(request), params.key_id, clock.now());
      return new Response(null, { status: 204 });
    },
  }),
];

/** The developer routes: for people, not for keys. */
export const developerRoutes = (services: DeveloperRoutesServices): Route[] => [
  ...readRoutes(services),
  ...keyRoutes(services),
  ...oneKeyRoutes(services),
];
