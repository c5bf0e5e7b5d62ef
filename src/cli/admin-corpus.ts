import type { Command } from "commander";
import { chunksOf } from "../../db/queries/chunks.ts";
import { documentById, documentsIn, liveDocuments } from "../../db/queries/documents.ts";
import type { DocumentTable } from "../../db/schema/corpus-tables.ts";
import { operator } from "../accounts/admin/audit-context.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import { removeDocument } from "../products/insurance/ingest.ts";
import { look, show } from "./admin-run.ts";
import { type Context, jsonHelp } from "./context.ts";
import { CommandError } from "./io.ts";
import { grid, pairs } from "./table.ts";

const shown = (document: DocumentTable) => {
  const { snapshot_json, revision, digest, created_at, updated_at, live_at, ...view } = document;
  return {
    ...view,
    created_at: rfc3339(created_at),
    updated_at: rfc3339(updated_at),
    live_at: rfc3339OrNull(live_at),
  };
};

const unknown = (id: string) =>
  new CommandError(2, `there is no document ${id}`, "`assay admin corpus list` shows them.");

const allStates = [
  "extracting",
  "structuring",
  "chunking",
  "indexing",
  "live",
  "refused",
  "replaced",
  "removed",
] as const;

function registerList(corpus: Command, context: Context): void {
  const { io } = context;
  corpus
    .command("list")
    .description("List the documents that are searched")
    .option("--all", "include refused, replaced, removed and unfinished documents")
    .option("--json", jsonHelp)
    .action(async (flags: { all?: boolean; json?: boolean }) => {
      const view = await look(context, ({ read }) => (flags.all ? documentsIn(read, allStates) : liveDocuments(read)));
      const rows = view.map((one) => [
        one.id,
        one.state,
        one.market,
        one.carrier,
        one.document_type ?? one.provenance,
        one.product_line,
        one.language,
        one.version,
        one.valid_from,
        one.valid_to,
        one.chunks,
        one.title,
      ]);
      const titles = "ID STATE MARKET CARRIER TYPE LINE LANG VERSION FROM TO PASSAGES TITLE".split(" ");
      show(io, flags.json, view.map(shown), grid(io, titles, rows));
    });
}

function registerShow(corpus: Command, context: Context): void {
  const { io } = context;
  corpus
    .command("show")
    .description("Show a document's facts and passages")
    .argument("<document>", "the document's id")
    .option("--json", jsonHelp)
    .action(async (id: string, flags: { json?: boolean }) => {
      const [found, chunks] = await look(context, async ({ read }) => [
        await documentById(read, id),
        await chunksOf(read, id),
      ]);
      if (!found) throw unknown(id);
      const passages = chunks.map(({ ordinal, page, heading, text, start }) => ({
        ordinal,
        page,
        heading,
        text,
        start,
      }));
      const lines = passages.flatMap(({ ordinal, page, heading, text }) => [
        "",
        `[${ordinal}]${page === null ? "" : ` page ${page}`} ${heading}`,
        text,
      ]);
      show(io, flags.json, { ...shown(found), passages }, [...pairs(io, shown(found)), ...lines]);
    });
}

function registerRemove(corpus: Command, context: Context): void {
  const { io } = context;
  corpus
    .command("remove")
    .description("Remove a document from the corpus at once; its file can be imported again")
    .argument("<document>", "the document's id")
    .option("--json", jsonHelp)
    .action(async (id: string, flags: { json?: boolean }) => {
      const removed = await look(context, (store) => removeDocument(store, io.runtime, id, operator));
      if (!removed) throw unknown(id);
      show(io, flags.json, { id, removed }, [`removed ${id}`]);
    });
}

/** `assay admin corpus …`: the insurance documents of the installation. A running server sees a change at once. */
export function registerCorpusCommands(admin: Command, context: Context): void {
  const corpus = admin.command("corpus").description("List, show and remove insurance documents");
  registerList(corpus, context);
  registerShow(corpus, context);
  registerRemove(corpus, context);
}
