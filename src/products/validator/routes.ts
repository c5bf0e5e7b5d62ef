import { callerOf } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { ValidatorUsageRequest, ValidatorUsageResponse } from "./schema.ts";
import type { ValidatorUsage } from "./usage.ts";

/** The route that reports a study's use. For audiences and validations, see `study-routes.ts`. */
export const validatorRoutes = ({ validatorUsage }: { readonly validatorUsage: ValidatorUsage }): Route[] => [
  defineRoute({
    method: "POST",
    path: "/v1/validator/usage",
    access: { credential: "Key", scopes: ["validator:usage:report"] },
    body: ValidatorUsageRequest,
    response: { 200: ValidatorUsageResponse, ...errorResponses(401, 402, 403, 404, 422) },
    detail: {
      operationId: "reportValidatorUsage",
      summary: "Report a validator study's use",
      description:
        "Charges an imported study for the personas stored with it. For a study that its own run has charged, returns that charge with replayed true. A study is charged once, however often this is called.",
      tags: ["Validator"],
    },
    handler: ({ body, request }) => validatorUsage.report(callerOf(request), body.study_id),
  }),
];
