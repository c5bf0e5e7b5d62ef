import { type Static, Type as T } from "@sinclair/typebox";
import type { Waits } from "../../execution/wait.ts";
import { failure } from "../../platform/errors.ts";
import { closed } from "../../platform/schema.ts";
import { idempotencyHeader } from "../../runs/schema.ts";
import { callerOf } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { surfaceOf } from "../../web/surface.ts";
import { afterWait, WaitQuery } from "../../web/waiting.ts";
import {
  CreateAudienceInput,
  ListValidationsInput,
  RunValidationInput,
} from "../capabilities/market-validator/schema.ts";
import { DecisionSizeSchema } from "./report.ts";
import {
  AudienceCreated,
  AudienceDetails,
  AudienceList,
  ValidationList,
  ValidationStarted,
  ValidationStudy,
} from "./schema.ts";
import type { Validator } from "./service.ts";
import { startedOf } from "./started.ts";

const tags = ["Validator"];
const reads = { credential: "Platform", scopes: ["validator:read"] } as const;
const writes = { credential: "Platform", scopes: ["validator:run"] } as const;
const Listed = T.Object({ limit: T.Integer({ ...ListValidationsInput.properties.limit, default: 10 }) });
const AudienceId = T.String({ format: "uuid", description: "The audience's id." });
const SimulationId = T.String({ format: "uuid", description: "The validation's id." });
/** The tools' input, but without a default for an optional member: generated clients would require it. */
const AudienceBody = closed(
  {
    ...CreateAudienceInput.properties,
    size: T.Optional(T.Integer({ minimum: 5, maximum: 50, description: "Number of personas, 10 by default." })),
  },
  { title: "AudienceCreateRequest" },
);
const ValidationBody = closed(
  {
    ...RunValidationInput.properties,
    decision_size: T.Optional({
      ...DecisionSizeSchema,
      description: "The size of the decision, `M` by default; a larger one triggers a deeper analysis.",
    }),
  },
  { title: "ValidationCreateRequest" },
);

/** Routes of audiences. */
const audienceRoutes = (validator: Validator): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/validator/audiences",
    access: reads,
    response: { 200: AudienceList, ...errorResponses(401, 403) },
    detail: {
      operationId: "listAudiences",
      summary: "List audiences",
      description: "A key sees the audiences of its workspace, a person those of the firm.",
      tags,
    },
    handler: ({ request }) => validator.audiences(callerOf(request)),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/validator/audiences",
    access: writes,
    headers: T.Object({ "idempotency-key": T.Optional(idempotencyHeader) }),
    body: AudienceBody,
    response: { 201: AudienceCreated, ...errorResponses(401, 403, 404, 409, 422) },
    detail: {
      operationId: "createAudience",
      summary: "Describe an audience",
      description:
        "Describes an audience in words; each study draws its personas. Free. The response says which of the words they are selected by.",
      tags,
    },
    handler: async ({ headers, body, request, set }) => {
      const { made, replayed } = await validator.createAudience(callerOf(request), body, headers["idempotency-key"]);
      set.status = 201;
      if (replayed) set.headers["idempotency-replayed"] = "true";
      return made;
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/validator/audiences/:audience_id",
    access: reads,
    params: T.Object({ audience_id: AudienceId }),
    response: { 200: AudienceDetails, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "getAudience",
      summary: "Read an audience",
      description: "With a preview of its personas.",
      tags,
    },
    handler: ({ params, request }) => validator.audienceDetails(callerOf(request), params.audience_id),
  }),
];

/** Starts a validation, as the tool `run_validation` does. */
async function start(
  validator: Validator,
  request: Request,
  body: Static<typeof ValidationBody>,
  idempotency_key: string,
) {
  const { run, replayed } = await validator.order(callerOf(request), body, surfaceOf(request), idempotency_key);
  if (run.row.status === "refused") throw failure("quota_exceeded");
  return { started: startedOf(run), replayed };
}

/** The services that the routes of audiences and validations use. */
interface StudyRoutesServices {
  readonly validator: Validator;
  readonly waits: Waits;
}

/** Routes of validations. */
const validationRoutes = ({ validator, waits }: StudyRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/validator/validations",
    access: reads,
    query: Listed,
    response: { 200: ValidationList, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listValidations",
      summary: "List validations",
      description: "The newest first.",
      tags,
    },
    handler: ({ query: { limit }, request }) => validator.latest(callerOf(request), limit),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/validator/validations",
    access: writes,
    headers: T.Object({ "idempotency-key": idempotencyHeader }),
    body: ValidationBody,
    response: { 202: ValidationStarted, ...errorResponses(401, 402, 403, 404, 409, 422, 503) },
    detail: {
      operationId: "createValidation",
      summary: "Ask an audience",
      description:
        "Reserves the price of the whole audience at this size and settles the personas interviewed. It is also a run, under the same id.",
      tags,
    },
    handler: async ({ headers, body, request, set }) => {
      const { started, replayed } = await start(validator, request, body, headers["idempotency-key"]);
      set.status = 202;
      if (replayed) set.headers["idempotency-replayed"] = "true";
      set.headers.location = `/v1/validator/validations/${started.simulation_id}`;
      set.headers["retry-after"] = "1";
      return started;
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/validator/validations/:simulation_id",
    access: reads,
    params: T.Object({ simulation_id: SimulationId }),
    query: WaitQuery,
    response: { 200: ValidationStudy, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "getValidation",
      summary: "Read a validation",
      description:
        "The current state or, with `wait`, the state once it is completed, after that many seconds at the latest. Includes the question and, except for a trial, what each persona answered.",
      tags,
    },
    handler: async ({ params: { simulation_id: id }, query: { wait }, request }) => {
      const caller = callerOf(request);
      const read = () => validator.study(caller, id);
      const rests = ({ result }: Awaited<ReturnType<typeof read>>) => result.status === "completed";
      const { result, ...asked } = await afterWait(waits, request, wait, { id, caller, read, rests });
      return { ...result, ...asked };
    },
  }),
];

/** Routes of audiences and validations for REST and the console; `/mcp` offers the same as tools. */
export const studyRoutes = (services: StudyRoutesServices): Route[] => [
  ...audienceRoutes(services.validator),
  ...validationRoutes(services),
];
