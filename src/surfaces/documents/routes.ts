import { Type as T } from "@sinclair/typebox";
import { userById } from "../../../db/queries/firms.ts";
import { languageOf } from "../../accounts/pages/language.ts";
import type { Identity } from "../../identity/principal.ts";
import { failure } from "../../platform/errors.ts";
import { enumeration } from "../../platform/schema.ts";
import { answerLanguages } from "../../products/datasets/question-language.ts";
import type { Registry } from "../../registry/registry.ts";
import { byExpiry, runRecord } from "../../runs/record.ts";
import type { Run } from "../../runs/schema.ts";
import { type RunLookup, runFor } from "../../runs/service.ts";
import { preferred } from "../../web/accept.ts";
import { callerOf } from "../../web/access.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";

/** Services used by the routes for documents of runs. */
interface DocumentServices extends RunLookup {
  readonly registry: Registry;
  readonly identity: Identity;
  readonly baseUrl: string;
}

const markdownHeaders = {
  "content-type": "text/markdown; charset=utf-8",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  vary: "accept, accept-language",
};

/** Loads the modules that write documents, which contain all texts in all languages and would slow down the start. */
async function writing() {
  const [run, markdown, page] = await Promise.all([
    import("../../products/documents/run-document.ts"),
    import("../../products/documents/markdown.ts"),
    import("./page.ts"),
  ]);
  return { ...run, ...markdown, ...page };
}

/** Whether the client prefers HTML, as browsers do. */
const asksForPage = (accept: string | null): boolean =>
  preferred(accept, ["text/markdown", "text/html"]) === "text/html";

/** Returns who decided the run's approval: by name and address, or by id if the account no longer exists. */
async function deciderOf({ store }: RunLookup, { approval }: Run): Promise<string> {
  const id = approval?.decided_by ?? null;
  if (id === null || id === byExpiry) return "";
  const user = await userById(store.read, id);
  if (!user) return id;
  return user.full_name === null ? user.email : `${user.full_name} (${user.email})`;
}

/** The route that returns a finished run as a document. */
export const documentRoutes = (services: DocumentServices): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/runs/:run_id/document",
    access: { credential: "Platform", scopes: ["runs:read"] },
    params: T.Object({ run_id: T.String({ format: "uuid" }) }),
    query: T.Object({
      format: T.Optional({ ...enumeration("md", "html"), description: "By default, `Accept` decides, else Markdown." }),
      lang: T.Optional({
        ...enumeration(...answerLanguages),
        description:
          "Language of headings, fixed texts, numbers and dates. By default, the language of the run's result or input if it is known, else the preferred one in `Accept-Language`, else English.",
      }),
    }),
    response: { ...errorResponses(401, 403, 404, 409, 422) },
    detail: {
      operationId: "getRunDocument",
      summary: "Get a finished run's document",
      description:
        "What was asked, what was found, the evidence, the limitations, the credits, and the receipt, as Markdown or as a page to print. It contains only what was delivered, nothing that was withheld.",
      tags: ["Runs"],
      responses: {
        200: {
          description: "The document.",
          content: {
            "text/markdown": { schema: { type: "string" }, example: "# EU Market Snapshot\n\n## What was asked\n" },
            "text/html": { schema: { type: "string" }, example: "<!doctype html><title>EU Market Snapshot</title>" },
          },
        },
      },
    },
    handler: async ({ params, query, request }) => {
      const caller = callerOf(request);
      const stored = await runFor(services, caller, params.run_id);
      if (stored.row.finished_at === null) throw failure("run_not_finished");
      const run = runRecord(stored);
      const { documentHeaders, documentOf, documentPage, languageOfRun, markdownOf } = await writing();
      const language = query.lang ?? languageOfRun(run) ?? languageOf(request.headers.get("accept-language"));
      const { registry, identity, baseUrl } = services;
      const held = await identity.entitlements(caller.firm_id);
      const decider = await deciderOf(services, run);
      const document = documentOf(run, registry, baseUrl, language, { held, decider });
      const isPage = query.format === undefined ? asksForPage(request.headers.get("accept")) : query.format === "html";
      return isPage
        ? new Response(documentPage(document), { headers: { ...documentHeaders, vary: markdownHeaders.vary } })
        : new Response(markdownOf(document), { headers: markdownHeaders });
    },
  }),
];
