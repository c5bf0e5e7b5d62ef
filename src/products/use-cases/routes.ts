import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { workspaceFor } from "../../identity/principal.ts";
import type { Parts } from "../../parts.ts";
import { failure } from "../../platform/errors.ts";
import type { UseCaseManifest } from "../../registry/contract.ts";
import { checkInput } from "../../registry/input.ts";
import type { Registry } from "../../registry/registry.ts";
import { useCasePlan } from "../../runs/plan.ts";
import { mayApprove, runRecord } from "../../runs/record.ts";
import { idempotencyHeader, Run, UseCaseRunCreateRequest } from "../../runs/schema.ts";
import { callerOf } from "../../web/access.ts";
import { page } from "../../web/cursor.ts";
import { errorResponses } from "../../web/errors.ts";
import { notModified, prerender, respond } from "../../web/prerendered.ts";
import { query } from "../../web/query.ts";
import { surfaceOf } from "../../web/surface.ts";
import { Quote, QuoteRequest, UseCase, UseCaseFilter, UseCaseSummary } from "./schema.ts";

const tags = ["Use cases"];
const SlugPath = T.Object({ slug: T.String() });

function find(registry: Registry, slug: string): UseCaseManifest {
  const useCase = registry.useCases.get(slug);
  if (!useCase) throw failure("not_found");
  return useCase;
}

/** Discovery, inspection and quotes: no credential, nothing reserved. */
const openRoutes = ({ access, registry, useCases }: Parts) =>
  new Elysia({ name: "use-cases.open", normalize: false })
    .use(access)
    .get(
      "/v1/use-cases",
      async ({ query: filter, request }) =>
        respond(request, prerender({ items: await useCases.list(filter), next_cursor: null })),
      {
        access: { credential: "none" },
        ...query(UseCaseFilter),
        response: { 200: page(UseCaseSummary, "UseCaseList"), ...errorResponses(422) },
        detail: {
          operationId: "listUseCases",
          summary: "List use cases",
          description: "Filtered, on one page.",
          tags,
          responses: notModified,
        },
      },
    )
    .get(
      "/v1/use-cases/:slug",
      async ({ params, request }) => respond(request, prerender(await useCases.detail(find(registry, params.slug)))),
      {
        access: { credential: "none" },
        params: SlugPath,
        response: { 200: UseCase, ...errorResponses(404, 422) },
        detail: {
          operationId: "getUseCase",
          summary: "Inspect a use case",
          description: "Steps, dependencies, limits, price, and what stands in the way of a run now.",
          tags,
          responses: notModified,
        },
      },
    )
    .post("/v1/use-cases/:slug/quote", ({ params, body }) => useCases.quote(find(registry, params.slug), body.input), {
      access: { credential: "none" },
      params: SlugPath,
      body: QuoteRequest,
      response: { 200: Quote, ...errorResponses(404, 422) },
      detail: {
        operationId: "quoteUseCase",
        summary: "Quote a use case",
        description: "The present maximum price for this input, valid one hour. Free; nothing is reserved.",
        tags,
      },
    });

/** Starting runs of use cases. */
const startRoutes = ({ access, acceptance, identity, registry, useCases }: Parts) =>
  new Elysia({ name: "use-cases.start", normalize: false }).use(access).post(
    "/v1/use-cases/:slug/runs",
    async ({ params, headers, body, request, set }) => {
      const caller = callerOf(request);
      const useCase = find(registry, params.slug);
      checkInput(useCase.input_schema, body.input);
      if (body.quote_id !== undefined) await useCases.checkQuote(useCase, body.input, body.quote_id);
      const { run, replayed } = await acceptance.accept({
        principal: caller,
        plan: useCasePlan(registry, useCase),
        input: body.input,
        mode: "live",
        workspace_id: await workspaceFor(identity, caller),
        surface: surfaceOf(request),
        idempotency_key: headers["idempotency-key"],
        operation: "use-case.run",
      });
      set.status = 202;
      if (replayed) set.headers["idempotency-replayed"] = "true";
      return runRecord(run, mayApprove(caller));
    },
    {
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
    },
  );

export const useCaseRoutes = (parts: Parts) =>
  new Elysia({ name: "use-cases", normalize: false }).use(openRoutes(parts)).use(startRoutes(parts));
