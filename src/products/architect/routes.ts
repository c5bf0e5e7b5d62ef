import { Type as T } from "@sinclair/typebox";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { callerOf } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import type { EventStreams } from "../../web/sse.ts";
import { BuilderSpec } from "./builder-spec.ts";
import {
  Blueprint,
  Composition,
  Design,
  DesignRequest,
  Expanded,
  ExpandRequest,
  Intake,
  IntakeResult,
  Inventory,
  Recommendations,
  Resumed,
  SolutionRequest,
  TemplateName,
  TokenPath,
  Unlocked,
  UnlockRequest,
} from "./schema.ts";
import type { Architect } from "./service.ts";
import { type ArchitectEvents, createTurns, type StreamNeeds, tellComposition } from "./stream.ts";

const tags = ["Solution architect"];
const access = { credential: "Bearer", scopes: ["account:read"] } as const;
const root = "/v1/solution-architect";
const refusals = errorResponses(401, 403, 404, 422);

/** The services that the routes of the solution architect use. */
interface ArchitectRoutesServices {
  readonly architect: Architect;
  readonly streams: EventStreams;
  readonly runtime: Runtime;
  readonly log: Log;
}

interface StreamTurns {
  readonly turn: StreamNeeds["turn"];
}

const intakeRoutes = ({ architect }: ArchitectRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: `${root}/intake`,
    access,
    body: Intake,
    response: { 200: IntakeResult, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "createSolution",
      summary: "Begin a solution from goals",
      description:
        "Reads the goals, says in their language what is missing, asks about a goal that was not recognised, and keeps the solution for the caller's firm. Free. resume_token is null without consent.",
      tags,
    },
    handler: ({ body, request }) => architect.intake(callerOf(request), body),
  }),
  defineRoute({
    method: "GET",
    path: `${root}/inventory`,
    access,
    response: { 200: Inventory, ...errorResponses(401, 403) },
    detail: {
      operationId: "getSolutionInventory",
      summary: "List what solutions are made of",
      description: "The approved product copy: what is sold now, with inputs, surfaces, approvals and present prices.",
      tags,
    },
    handler: ({ request }) => architect.inventory(callerOf(request)),
  }),
];

const planRoutes = ({ architect }: ArchitectRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: `${root}/blueprint`,
    access,
    body: SolutionRequest,
    response: { 200: Blueprint, ...refusals },
    detail: {
      operationId: "getSolutionBlueprint",
      summary: "See which products serve which needs",
      description: "Every need with every product, with the reason for each match and each refusal.",
      tags,
    },
    handler: ({ body, request }) => architect.blueprint(callerOf(request), body.solution_id),
  }),
  defineRoute({
    method: "POST",
    path: `${root}/design`,
    access,
    body: DesignRequest,
    response: { 200: Design, ...refusals },
    detail: {
      operationId: "designSolution",
      summary: "Choose products and see the design",
      description:
        "A graph of channels, sources, products, approvals and results, with permissions and the present price. `choices` replaces the best fit for a need, or leaves the need out if null; it is stored.",
      tags,
    },
    handler: ({ body, request }) => architect.design(callerOf(request), body.solution_id, body.choices),
  }),
  defineRoute({
    method: "POST",
    path: `${root}/recommendations`,
    access,
    body: SolutionRequest,
    response: { 200: Recommendations, ...refusals },
    detail: {
      operationId: "recommendSolution",
      summary: "Compare options",
      description: "Options by their scores, with the parts of each score, what each costs, and the alternatives.",
      tags,
    },
    handler: ({ body, request }) => architect.recommendations(callerOf(request), body.solution_id),
  }),
];

const events = {
  200: {
    description:
      "Events `started`, `stage` (`intake`, `match`, `price`, `risk`, `draft`, `verify`), `partial`, and `completed` or `error` at the end. Each has an id; `Last-Event-ID` gives the rest.",
    content: {
      "text/event-stream": {
        schema: { type: "string" },
        example: 'id: 9f2c41d07be85a36-1\nevent: stage\ndata: {"stage":"intake","done":1,"of":6}\n\n',
      },
    },
  },
} as const;

const composeRoutes = ({ architect, streams, turn, log }: ArchitectRoutesServices & StreamTurns): Route[] => [
  defineRoute({
    method: "POST",
    path: `${root}/compose`,
    access,
    body: SolutionRequest,
    response: { 200: Composition, ...refusals },
    detail: {
      operationId: "composeSolution",
      summary: "Compose the solution's document",
      description:
        "The whole document by sections and as Markdown. The same needs, products and prices give the same. If the operator lets a language model introduce the sections, its text is checked against the design and stored; `engine.model` names it, and `limitations` says if it failed.",
      tags,
    },
    handler: ({ body, request }) => architect.compose(callerOf(request), body.solution_id),
  }),
  defineRoute({
    method: "POST",
    path: `${root}/compose/stream`,
    access,
    body: SolutionRequest,
    response: refusals,
    detail: {
      operationId: "streamSolution",
      summary: "Compose the document as a stream of events",
      description:
        "The composition of /compose as server-sent events. Refusals come before the first byte, as usual; a later error is an event.",
      tags,
      responses: events,
    },
    handler: async ({ body, request }) => {
      await turn();
      const composing = await architect.composing(callerOf(request), body.solution_id);
      const failed = (error: unknown) => {
        log.error("composing a solution failed", { solution: body.solution_id, error: String(error) });
        return { code: "internal_error", message: messageOf("internal_error") };
      };
      return streams.open<ArchitectEvents>(request, tellComposition(composing, { turn, failed }));
    },
  }),
  defineRoute({
    method: "POST",
    path: `${root}/expand`,
    access,
    body: ExpandRequest,
    response: { 200: Expanded, ...refusals },
    detail: {
      operationId: "expandSolutionSection",
      summary: "Read a section in full",
      description: "A section of the document with its details. An unknown name gives 422, which lists the valid ones.",
      tags,
    },
    handler: ({ body, request }) => architect.expand(callerOf(request), body.solution_id, body.section),
  }),
];

const savedRoutes = ({ architect }: ArchitectRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: `${root}/unlock`,
    access,
    body: UnlockRequest,
    response: { 200: Unlocked, ...refusals },
    detail: {
      operationId: "unlockSolution",
      summary: "Save the solution and get a link to it",
      description:
        "Needs consent. Keeps the document and the prices as they are now, and signs a token that opens them for seven days.",
      tags,
    },
    handler: ({ body, request }) => architect.unlock(callerOf(request), body),
  }),
  defineRoute({
    method: "GET",
    path: `${root}/resume/:token`,
    access: { credential: "none" },
    params: TokenPath,
    response: { 200: Resumed, ...errorResponses(404, 422) },
    detail: {
      operationId: "resumeSolution",
      summary: "Resume a solution by its token",
      description: "The holder of the token sees what was saved. A wrong, expired or superseded token gives 404.",
      tags,
    },
    handler: ({ params }) => architect.resume(params.token),
  }),
  defineRoute({
    method: "GET",
    path: `${root}/builder-spec/:token`,
    access: { credential: "none" },
    params: TokenPath,
    query: T.Object({ template: TemplateName }),
    response: { 200: BuilderSpec, ...errorResponses(404, 422) },
    detail: {
      operationId: "getBuilderSpec",
      summary: "Get a build specification of the saved solution",
      description:
        "Made only from what was saved with consent: nothing in the request changes products, prices or tests. Needs a token from unlock.",
      tags,
    },
    handler: ({ params, query }) => architect.builderSpec(params.token, query.template),
  }),
];

/** Routes from goals to a priced, buildable solution. */
export const architectRoutes = (services: ArchitectRoutesServices): Route[] => [
  ...intakeRoutes(services),
  ...planRoutes(services),
  ...composeRoutes({ ...services, turn: createTurns(services.runtime) }),
  ...savedRoutes(services),
];
