import { Type as T } from "@sinclair/typebox";
import { Job } from "../../jobs/schema.ts";
import { idempotencyHeader } from "../../runs/schema.ts";
import { callerOf } from "../../web/access.ts";
import { cursorMember } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { notModified, respond } from "../../web/prerendered.ts";
import type { Enrichments } from "./enrichments.ts";
import { playbookOf } from "./playbook.ts";
import {
  GermanyAccess,
  GermanyCandidate,
  GermanyCounts,
  GermanyDashboard,
  GermanyEnrichmentRequest,
  GermanyEntities,
  GermanyEntity,
  GermanyStructure,
  GermanySummary,
  GermanyUniverse,
  MarketDepth,
  ResearchPlaybook,
} from "./schema.ts";
import type { Germany } from "./service.ts";
import { enterprise, entitlement } from "./tier.ts";

const de = "/v1/market-intelligence/de";
const tags = ["Market intelligence"];
const entitled = { credential: "Platform", scopes: [entitlement], entitlements: () => [entitlement] } as const;
const full = { ...entitled, entitlements: () => [entitlement, enterprise] } as const;
const refused = errorResponses(401, 403, 503);
const refusedInput = errorResponses(401, 403, 422, 503);
const refusedItem = errorResponses(401, 403, 404, 422, 503);
const Key = T.String({ minLength: 1, maxLength: 200 });

const text = (maxLength: number, description?: string) =>
  T.String({ maxLength, default: "", ...(description && { description }) });
const limit = T.Integer({ minimum: 1, maximum: 100, default: 25 });

interface GermanyServices {
  readonly germany: Germany;
  readonly enrichments: Enrichments;
}

/** Routes about the data as a whole. */
const overviews = ({ germany }: GermanyServices): Route[] => [
  defineRoute({
    method: "GET",
    path: `${de}/summary`,
    access: { credential: "none" },
    response: { 200: GermanySummary, ...errorResponses(503) },
    detail: {
      operationId: "getGermanySummary",
      summary: "See which data there are on the German market",
      description:
        "Public figures with period, source and reliability, and how many rows and profiles are imported. It changes only with an import: send `If-None-Match`.",
      tags,
      responses: notModified,
    },
    handler: async ({ request }) => respond(request, await germany.summary()),
  }),
  defineRoute({
    method: "GET",
    path: `${de}/dashboard`,
    access: entitled,
    response: { 200: GermanyDashboard, ...refused },
    detail: {
      operationId: "getGermanyDashboard",
      summary: "See the German market at a glance",
      description:
        "Rows by tier, sector and reliability; networks and scenarios of the profiles for the enterprise tier.",
      tags,
    },
    handler: ({ request }) => germany.dashboard(callerOf(request)),
  }),
  defineRoute({
    method: "GET",
    path: `${de}/access`,
    access: { credential: "Platform" },
    response: { 200: GermanyAccess, ...errorResponses(401, 503) },
    detail: {
      operationId: "getGermanyAccess",
      summary: "See which market intelligence is granted",
      description: "Scope, entitlement and tier of the caller, and whether data are imported.",
      tags,
    },
    handler: ({ request }) => germany.access(callerOf(request)),
  }),
];

const entityRoutes = ({ germany }: GermanyServices): Route[] => [
  defineRoute({
    method: "GET",
    path: `${de}/entities`,
    access: entitled,
    query: T.Object({
      query: text(120, "Words, each the start of a word of the profile."),
      limit,
      fields: text(400, "Comma-separated names of fields; all if empty."),
      ...cursorMember,
    }),
    response: { 200: GermanyEntities, ...refusedInput },
    detail: {
      operationId: "listGermanyEntities",
      summary: "Search the researched profiles",
      description:
        "Accents, umlauts (ü, ue) and legal forms make no difference. Only the enterprise tier sees names and can search by them.",
      tags,
    },
    handler: ({ query, request }) => germany.entities(callerOf(request), query),
  }),
  defineRoute({
    method: "GET",
    path: `${de}/entities/:target_key`,
    access: entitled,
    params: T.Object({ target_key: Key }),
    response: { 200: GermanyEntity, ...refusedItem },
    detail: {
      operationId: "getGermanyEntity",
      summary: "Read a researched profile",
      description: "Fields that the caller's tier may not see are null and listed in `withheld`.",
      tags,
    },
    handler: ({ params, request }) => germany.entity(callerOf(request), params.target_key),
  }),
];

/** `/counts` must come before `/:candidate_id`, which would match it. */
const universeRoutes = ({ germany }: GermanyServices): Route[] => [
  defineRoute({
    method: "GET",
    path: `${de}/universe`,
    access: full,
    query: T.Object({
      query: text(120, "Words, each the start of a word of the row."),
      tier: text(20),
      sector: text(60),
      city: text(60),
      limit,
      offset: T.Integer({ minimum: 0, maximum: 20_000, default: 0 }),
      ...cursorMember,
    }),
    response: { 200: GermanyUniverse, ...refusedInput },
    detail: {
      operationId: "listGermanyUniverse",
      summary: "Search the discovery universe",
      description:
        "Rows of registers and directories, for the enterprise tier. Filters match whole values. A cursor overrides an offset and reaches beyond 20,000. Caveats are always included: nothing in it is approved.",
      tags,
    },
    handler: ({ query }) => germany.universe(query),
  }),
  defineRoute({
    method: "GET",
    path: `${de}/universe/counts`,
    access: entitled,
    response: { 200: GermanyCounts, ...refused },
    detail: {
      operationId: "countGermanyUniverse",
      summary: "Count the discovery universe",
      description: "The number of rows, in total, by tier and by sector.",
      tags,
    },
    handler: () => germany.counts(),
  }),
  defineRoute({
    method: "GET",
    path: `${de}/universe/:candidate_id`,
    access: entitled,
    params: T.Object({ candidate_id: Key }),
    response: { 200: GermanyCandidate, ...refusedItem },
    detail: {
      operationId: "getGermanyCandidate",
      summary: "Read a row of the discovery universe",
      description: "Includes rows that may be about the same firm, and why. They are proposed, never merged.",
      tags,
    },
    handler: ({ params, request }) => germany.candidate(callerOf(request), params.candidate_id),
  }),
];

const enrichmentRoutes = ({ enrichments }: GermanyServices): Route[] => [
  defineRoute({
    method: "POST",
    path: `${de}/enrichments`,
    access: entitled,
    headers: T.Object({ "idempotency-key": T.Optional(idempotencyHeader) }),
    body: GermanyEnrichmentRequest,
    response: { 202: Job, ...errorResponses(401, 402, 403, 404, 409, 422, 503) },
    detail: {
      operationId: "createGermanyEnrichment",
      summary: "Read a profile's own site",
      description:
        "Queues a job of the type germany.enrich: at most six pages are read, and every value found is a proposal with its evidence. No record is changed. Counts towards the user's month. With an Idempotency-Key, the same key and input answer with the same job and count nothing.",
      tags,
    },
    async handler({ body, headers, request, set }) {
      const { job, replayed } = await enrichments.submit(callerOf(request), body, headers["idempotency-key"]);
      set.status = 202;
      if (replayed) set.headers["idempotency-replayed"] = "true";
      set.headers.location = `${de}/enrichments/${job.id}`;
      set.headers["retry-after"] = "1";
      return job;
    },
  }),
  defineRoute({
    method: "GET",
    path: `${de}/enrichments/:job_id`,
    access: entitled,
    params: T.Object({ job_id: T.String({ format: "uuid" }) }),
    response: { 200: Job, ...refusedItem },
    detail: {
      operationId: "getGermanyEnrichment",
      summary: "Poll an enrichment",
      description: "Visible to the firm and, for a key, only within its workspace; any other job gives 404.",
      tags,
    },
    handler: ({ params, request }) => enrichments.view(callerOf(request), params.job_id),
  }),
];

const knowledge = ({ germany }: GermanyServices): Route[] => [
  defineRoute({
    method: "GET",
    path: `${de}/research-playbook`,
    access: entitled,
    query: T.Object({ country: T.String({ maxLength: 2, default: "DE" }) }),
    response: { 200: ResearchPlaybook, ...refusedInput },
    detail: {
      operationId: "getResearchPlaybook",
      summary: "Read how a market is researched",
      description: "Registers, steps and rules of evidence for a country. Read only: nothing is started.",
      tags,
    },
    handler: ({ query }) => playbookOf(query.country),
  }),
  defineRoute({
    method: "GET",
    path: `${de}/structure`,
    access: entitled,
    response: { 200: GermanyStructure, ...refused },
    detail: {
      operationId: "getGermanyStructure",
      summary: "See the structure of the universe",
      description: "Geography by Land, capacity by size, composition by sector and tier: counted, never estimated.",
      tags,
    },
    handler: () => germany.structure(),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/market-intelligence/depth",
    access: entitled,
    response: { 200: MarketDepth, ...refused },
    detail: {
      operationId: "getMarketDepth",
      summary: "See how deep the data go",
      description: "The ladder from macro figures to imported registers, country by country.",
      tags,
    },
    handler: () => germany.depth(),
  }),
];

/** All routes of market intelligence about Germany. */
export const germanyRoutes = (services: GermanyServices): Route[] => [
  ...overviews(services),
  ...entityRoutes(services),
  ...universeRoutes(services),
  ...enrichmentRoutes(services),
  ...knowledge(services),
];
