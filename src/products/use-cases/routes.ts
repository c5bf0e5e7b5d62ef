import { Type as T } from "@sinclair/typebox";
import { type Identity, workspaceFor } from "../../identity/principal.ts";
import { useCaseNamed } from "../../registry/named.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Acceptance } from "../../runs/accept.ts";
import { runAnswers } from "../../runs/answers.ts";
import type { RecentRuns } from "../../runs/recent.ts";
import { idempotencyHeader, Run, UseCaseRunCreateRequest } from "../../runs/schema.ts";
import { callerOf } from "../../web/access.ts";
import { page } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { notModified, prerender, respond } from "../../web/prerendered.ts";
import { surfaceOf } from "../../web/surface.ts";
import { Quote, QuoteRequest, UseCase, UseCaseFilter, UseCaseSummary } from "./schema.ts";
import type { UseCases } from "./service.ts";

const tags = ["Use cases"];
const SlugPath = T.Object({ slug: T.String() });

/** The services that the routes of use cases use. */
interface UseCaseRoutesServices {
  readonly acceptance: Acceptance;
  readonly identity: Identity;
  readonly recentRuns: RecentRuns;
  readonly registry: Registry;
  readonly useCases: UseCases;
}

/** Routes for discovery, inspection and quotes: they need no credential and reserve nothing. */
const openRoutes = ({ registry, useCases }: UseCaseRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/use-cases",
    access: { credential: "none" },
    query: UseCaseFilter,
    response: { 200: page(UseCaseSummary, "UseCaseList"), ...errorResponses(422) },
    detail: {
      operationId: "listUseCases",
      summary: "List use cases",
      description: "All use cases that match the filters, on one page.",
      tags,
      responses: notModified,
    },
    handler: async ({ query: filter, request }) =>
      respond(request, prerender({ items: await useCases.list(filter), next_cursor: null })),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/use-cases/:slug",
    access: { credential: "none" },
    params: SlugPath,
    response: { 200: UseCase, ...errorResponses(404, 422) },
    detail: {
      operationId: "getUseCase",
      summary: "Inspect a use case",
      description: "Steps, dependencies, limits, price, and what currently blocks a run.",
      tags,
      responses: notModified,
    },
    handler: async ({ params, request }) =>
      respond(request, prerender(await useCases.detail(useCaseNamed(registry, params.slug)))),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/use-cases/:slug/quote",
    access: { credential: "none" },
    params: SlugPath,
    body: QuoteRequest,
    // A quote takes the same input as the run that may follow.
    bodyLimit: Number.POSITIVE_INFINITY,
    response: { 200: Quote, ...errorResponses(404, 422) },
    detail: {
      operationId: "quoteUseCase",
      summary: "Quote a use case",
      description: "The current maximum price for this input, valid for one hour. Free; nothing is reserved.",
      tags,
    },
    handler: ({ params, body }) => useCases.quote(useCaseNamed(registry, params.slug), body.input, null),
  }),
];

/** Routes that start runs of use cases. */
const startRoutes = ({ acceptance, identity, recentRuns, useCases }: UseCaseRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/v1/use-cases/:slug/runs",
    access: { credential: "Platform", scopes: ["use-cases:run"] },
    params: SlugPath,
    headers: T.Object({ "idempotency-key": T.Optional(idempotencyHeader) }),
    body: UseCaseRunCreateRequest,
    response: { 202: Run, ...errorResponses(401, 402, 403, 404, 409, 422, 503) },
    detail: {
      operationId: "createUseCaseRun",
      summary: "Run a use case",
      description: "Only while the use case, its engines, the platform and its commercial gate are all open.",
      tags,
    },
    handler: async ({ params, headers, body, request }) => {
      const caller = callerOf(request);
      const { slug } = params;
      const { input, quote_id } = body;
      const { run, replayed } = await acceptance.accept({
        principal: caller,
        slug,
        plan: () => useCases.plan(slug, input, quote_id),
        input,
        mode: "live",
        workspace_id: await workspaceFor(identity, caller, body.workspace_id),
        surface: surfaceOf(request),
        idempotency_key: headers["idempotency-key"],
        operation: "use-case.run",
      });
      return runAnswers(recentRuns).accepted(run, caller, replayed);
    },
  }),
];

/** All routes of use cases, for `app.ts`. */
export const useCaseRoutes = (services: UseCaseRoutesServices): Route[] => [
  ...openRoutes(services),
  ...startRoutes(services),
];
