import { Type as T } from "@sinclair/typebox";
import { userById } from "../../../db/queries/firms.ts";
import type { Store } from "../../../db/store.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";
import { callerOf } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { Profile, Workspace } from "./schema.ts";
import { workspacesFor } from "./workspaces.ts";

const tags = ["Account"];

/** Routes for the owner and the workspaces of a key. */
export const accountRoutes = ({ store }: { readonly store: Store }): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/me",
    access: { credential: "Key", scopes: ["profile:read"] },
    response: { 200: Profile, ...errorResponses(401, 403, 404, 422, 429, 500, 503) },
    detail: {
      operationId: "getProfile",
      summary: "Read the key owner's profile",
      description: "The profile of the key's owner.",
      tags,
    },
    handler: async ({ request }) => {
      const user = await userById(store.read, callerOf(request).user_id);
      if (!user) throw failure("profile_not_found");
      const { id, email, full_name, locale, country, created_at } = user;
      return { id, email, full_name, locale, country, created_at: rfc3339(created_at) };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/workspaces",
    access: { credential: "Key", scopes: ["workspaces:read"] },
    response: { 200: T.Array(Workspace), ...errorResponses(401, 403, 404, 422, 429, 500, 503) },
    detail: {
      operationId: "listWorkspaces",
      summary: "List the key's workspaces",
      description: "A key is bound to one workspace and lists only that one.",
      tags,
    },
    handler: ({ request }) => workspacesFor(store.read, callerOf(request)),
  }),
];
