import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Parts } from "../../parts.ts";
import { failure } from "../../platform/errors.ts";
import { isVisible } from "../../registry/registry.ts";
import { callerIfAny, callerOf } from "../../web/access.ts";
import { errorResponses } from "../../web/errors.ts";
import { notModified, prerender, respond } from "../../web/prerendered.ts";
import { CapabilityDetail, CapabilityFilter, CapabilityList, MyCapabilities } from "./schema.ts";
import { capabilityRecord } from "./service.ts";

const tags = ["Capabilities"];

/** Discovery and inspection of capabilities. */
export const catalogueRoutes = ({ access, catalogue, identity, registry }: Parts) =>
  new Elysia({ name: "catalogue", normalize: false })
    .use(access)
    .get("/v1/capabilities", async ({ query, request }) => respond(request, await catalogue.list(query)), {
      access: { credential: "none" },
      query: CapabilityFilter,
      response: { 200: CapabilityList, ...errorResponses(422) },
      detail: {
        operationId: "listCapabilities",
        summary: "List capabilities",
        description: "Every public capability, filtered. What is private to a firm is excluded and never revealed.",
        tags,
        responses: notModified,
      },
    })
    .get(
      "/v1/me/capabilities",
      async ({ request }) => {
        const held = await identity.entitlements(callerOf(request).firm_id);
        return { items: await catalogue.listFor(held), next_cursor: null };
      },
      {
        access: { credential: "Platform", scopes: ["account:read"] },
        response: { 200: MyCapabilities, ...errorResponses(401, 403) },
        detail: {
          operationId: "listMyCapabilities",
          summary: "List capabilities as this account sees them",
          description: "The open catalogue and what is private to the caller's firm.",
          tags,
        },
      },
    )
    .get(
      "/v1/capabilities/:slug",
      async ({ params, request }) => {
        const manifest = registry.capabilities.get(params.slug);
        const caller = callerIfAny(request);
        const held = manifest?.private && caller ? await identity.entitlements(caller.firm_id) : [];
        if (!manifest || !isVisible(manifest, held)) throw failure("not_found");
        const gates = await registry.gates();
        const record = capabilityRecord(manifest, gates);
        return respond(request, prerender({ ...record, statistics: await catalogue.statistics(manifest.slug) }));
      },
      {
        access: { credential: "Platform", optional: true },
        params: T.Object({ slug: T.String() }),
        response: { 200: CapabilityDetail, ...errorResponses(401, 404, 422) },
        detail: {
          operationId: "getCapability",
          summary: "Inspect a capability",
          description: "The contract to consult before a run, with statistics where enough tenants used it.",
          tags,
          responses: notModified,
        },
      },
    );
