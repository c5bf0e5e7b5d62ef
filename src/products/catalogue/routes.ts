import { Type as T } from "@sinclair/typebox";
import type { Identity } from "../../identity/principal.ts";
import { chain } from "../../platform/maybe-promise.ts";
import { capabilityNamed } from "../../registry/named.ts";
import type { Registry } from "../../registry/registry.ts";
import { callerIfAny, callerOf } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { notModified, prerender, respond } from "../../web/prerendered.ts";
import { CapabilityDetail, CapabilityFilter, CapabilityList, MyCapabilities } from "./schema.ts";
import { type Catalogue, capabilityDetail } from "./service.ts";

const tags = ["Capabilities"];

/** The services that the routes of the catalogue use. */
interface CatalogueRoutesServices {
  readonly catalogue: Catalogue;
  readonly identity: Identity;
  readonly registry: Registry;
}

/** Routes for discovering and inspecting capabilities. */
export const catalogueRoutes = ({ catalogue, identity, registry }: CatalogueRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/capabilities",
    access: { credential: "none" },
    query: CapabilityFilter,
    response: { 200: CapabilityList, ...errorResponses(422) },
    detail: {
      operationId: "listCapabilities",
      summary: "List capabilities",
      description:
        "All public capabilities that match the filters. Those private to a firm are excluded and never revealed.",
      tags,
      responses: notModified,
    },
    prerendered: () => catalogue.list({}),
    handler: ({ query, request }) => chain(catalogue.list(query), (listed) => respond(request, listed)),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/me/capabilities",
    access: { credential: "Platform", scopes: ["account:read"] },
    response: { 200: MyCapabilities, ...errorResponses(401, 403) },
    detail: {
      operationId: "listMyCapabilities",
      summary: "List capabilities as this account sees them",
      description: "The public catalogue and the capabilities private to the caller's firm.",
      tags,
    },
    handler: async ({ request }) => {
      const held = await identity.entitlements(callerOf(request).firm_id);
      return { items: await catalogue.listFor(held), next_cursor: null };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/capabilities/:slug",
    access: { credential: "Platform", optional: true },
    params: T.Object({ slug: T.String() }),
    response: { 200: CapabilityDetail, ...errorResponses(401, 404, 422) },
    detail: {
      operationId: "getCapability",
      summary: "Inspect a capability",
      description:
        "The contract to consult before a run, with statistics if enough tenants used it. `required_scopes` says which scopes its MCP tools and its direct route need, and which a run over REST: `capabilities:run`, or `use-cases:run` as part of a use case. `required_entitlements` says what the firm also needs.",
      tags,
      responses: notModified,
    },
    handler: async ({ params, request }) => {
      const caller = callerIfAny(request);
      const held = caller ? await identity.entitlements(caller.firm_id) : [];
      const manifest = capabilityNamed(registry, params.slug, held);
      const gates = await registry.gates();
      const statistics = await catalogue.statistics(manifest.slug);
      return respond(request, prerender(capabilityDetail(manifest, gates, statistics)));
    },
  }),
];
