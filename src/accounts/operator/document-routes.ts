import { Type as T } from "@sinclair/typebox";
import { documentsBefore } from "../../../db/queries/documents.ts";
import type { Store } from "../../../db/store.ts";
import type { Waits } from "../../execution/wait.ts";
import { actorOf } from "../../identity/principal.ts";
import { second } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { twoCapitals } from "../../platform/validate.ts";
import type { DocumentImports, ShownImport } from "../../products/insurance/document-imports.ts";
import { removeDocument } from "../../products/insurance/ingest.ts";
import { uploadBytesAtMost } from "../../products/insurance/uploads.ts";
import { callerOf } from "../../web/access.ts";
import { type Cursors, cursorMember, page } from "../../web/cursor.ts";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { changes, looks, tags } from "./access.ts";
import { DocumentFacts, DocumentImport, documentView, importView, OperatorDocument } from "./document-schema.ts";

/** Services used by these routes. */
export interface DocumentRoutesServices {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly cursors: Cursors;
  readonly waits: Waits;
  readonly documentImports: DocumentImports;
}

const path = "/v1/operator/documents";
const imports = "/v1/operator/document-imports";
const documentList = "operator documents";
const importList = "operator document imports";
const limit = T.Integer({ minimum: 1, maximum: 100, default: 50 });
const rests = ({ row }: ShownImport): boolean => row.ended_at !== null;

const importRoute = ({ documentImports }: DocumentRoutesServices): Route =>
  defineRoute({
    method: "POST",
    path,
    access: changes,
    query: DocumentFacts,
    file: { bytesAtMost: uploadBytesAtMost },
    response: { 202: DocumentImport, ...errorResponses(401, 403, 404, 422, 429) },
    detail: {
      operationId: "importOperatorDocument",
      summary: "Import a document",
      description:
        "The body is one file of at most 32 MiB: PDF, DOCX, HTML, Markdown or text. Facts about it are sent as parameters; its own front matter takes precedence. Once this responds, the file is stored durably, and will be imported, or refused with a reason. Sending the same file again changes nothing. Files are imported one at a time, in order of arrival.",
      tags,
    },
    handler: async ({ query: { file, ...facts }, request, set }) => {
      const accepted = await documentImports.accept(callerOf(request), { file, facts, body: request.body });
      set.status = 202;
      set.headers.location = `${imports}/${accepted.row.id}`;
      set.headers["retry-after"] = "1";
      return importView(accepted);
    },
  });

const progressRoutes = ({ documentImports, waits, cursors }: DocumentRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path: imports,
    access: looks,
    query: T.Object({ limit, ...cursorMember }),
    response: { 200: page(DocumentImport, "DocumentImportList"), ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listOperatorDocumentImports",
      summary: "List document imports",
      description: "Files sent to this server in the last 30 days, newest first, each with its outcome.",
      tags,
    },
    handler: async ({ query }) => {
      const rows = await documentImports.list(cursors.read(importList, query.cursor), query.limit);
      return cursors.page(importList, { rows, limit: query.limit, show: importView, position: ({ row }) => row.id });
    },
  }),
  defineRoute({
    method: "GET",
    path: `${imports}/:import_id`,
    access: looks,
    params: T.Object({ import_id: T.String({ format: "uuid" }) }),
    query: T.Object({ wait: T.Optional(T.Integer({ minimum: 1, maximum: 60 })) }),
    response: { 200: DocumentImport, ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "getOperatorDocumentImport",
      summary: "Get a document import",
      description: "Its progress, and its outcome once `ended_at` is set.",
      tags,
    },
    handler: async ({ params: { import_id: id }, query: { wait }, request }) => {
      const read = () => documentImports.show(id);
      const caller = callerOf(request);
      const { signal } = request;
      return importView(
        await (wait === undefined ? read() : waits.until({ id, caller, ms: wait * second, signal, read, rests })),
      );
    },
  }),
];

const corpusRoutes = ({ store, runtime, cursors }: DocumentRoutesServices): Route[] => [
  defineRoute({
    method: "GET",
    path,
    access: looks,
    query: T.Object({
      market: T.Optional(T.String({ pattern: twoCapitals, description: "Only documents of this market." })),
      limit,
      ...cursorMember,
    }),
    response: { 200: page(OperatorDocument, "OperatorDocumentList"), ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listOperatorDocuments",
      summary: "List documents",
      description: "The documents that answers are based on, newest first, however they were imported.",
      tags,
    },
    handler: async ({ query: { market, cursor, limit } }) => {
      const before = cursors.read(documentList, cursor);
      const rows = await documentsBefore(store.read, { states: ["live"], market, before, limit: limit + 1 });
      return cursors.page(documentList, { rows, limit, show: documentView, position: ({ id }) => id });
    },
  }),
  defineRoute({
    method: "DELETE",
    path: `${path}/:document_id`,
    access: changes,
    params: T.Object({ document_id: T.String({ format: "uuid" }) }),
    response: { ...errorResponses(401, 403, 404, 422) },
    detail: {
      operationId: "removeOperatorDocument",
      summary: "Remove a document",
      description: "Answers no longer use it, with immediate effect. Its file can be imported again.",
      tags,
      responses: { 204: { description: "Removed." } },
    },
    handler: async ({ params: { document_id }, request }) => {
      const removed = await removeDocument(store, runtime, document_id, actorOf(callerOf(request)));
      if (!removed) throw failure("not_found");
      return new Response(null, { status: 204 });
    },
  }),
];

/** The routes for the installation's insurance documents, for `routes.ts`. */
export const documentRoutes = (services: DocumentRoutesServices): Route[] => [
  importRoute(services),
  ...progressRoutes(services),
  ...corpusRoutes(services),
];
