import { callerOf } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import {
  AskRequest,
  AskResponse,
  InsuranceCatalog,
  InsuranceCoverage,
  InsuranceProviders,
  ProviderQuery,
} from "./schema.ts";
import type { Insurance } from "./service.ts";

const tags = ["Insurance"];
const asker = { credential: "Bearer", scopes: ["insurance:ask"] } as const;

/** Routes of the insurance assistant: its holdings, and answers to questions. */
export const insuranceRoutes = ({ insurance }: { readonly insurance: Insurance }): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/insurance/catalog",
    access: { credential: "none" },
    response: { 200: InsuranceCatalog, ...errorResponses() },
    detail: {
      operationId: "getInsuranceCatalog",
      summary: "See what the insurance corpus holds",
      description:
        "Markets, carriers and classes of documents, counting only documents that are loaded and can be found. Samples of a fictitious carrier and notes on the law are distinguished by their provenance.",
      tags,
    },
    handler: () => insurance.catalog(),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/insurance/coverage",
    access: asker,
    response: { 200: InsuranceCoverage, ...errorResponses(401, 403) },
    detail: {
      operationId: "getInsuranceCoverage",
      summary: "See the corpus's holdings per market",
      description: "Carriers, product lines, languages, classes and validity for each market, and the index's state.",
      tags,
    },
    handler: () => insurance.coverage(),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/insurance/providers",
    access: asker,
    query: ProviderQuery,
    response: { 200: InsuranceProviders, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listInsuranceProviders",
      summary: "List carriers with documents",
      description: "Filtered by country and product line, if given.",
      tags,
    },
    handler: ({ query }) => insurance.providers(query),
  }),
  defineRoute({
    method: "POST",
    path: "/v1/insurance/ask",
    access: asker,
    body: AskRequest,
    response: { 200: AskResponse, ...errorResponses(401, 402, 403, 404, 422, 429, 500, 503) },
    detail: {
      operationId: "askInsurance",
      summary: "Ask the insurance assistant",
      description:
        "Answers from the country's documents with a citation for each sentence, in the language of the question if the documents have it. Without evidence it says so, with the trust state FAIL. Free; each user has a monthly quota, which is checked before any work.",
      tags,
    },
    handler: ({ body, request }) => insurance.ask(callerOf(request), body, request.signal),
  }),
];
