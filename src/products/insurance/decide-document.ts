import { documentById } from "../../../db/queries/documents.ts";
import type { DocumentState, DocumentTable } from "../../../db/schema/corpus-tables.ts";
import type { Store } from "../../../db/store.ts";
import type { ActorWrite, AuditEntry } from "../../../db/transition.ts";
import {
  type DocumentAction,
  type DocumentContext,
  type DocumentEvent,
  documentMachine,
} from "../../../machines/document.ts";
import type { ActorKind, Decision } from "../../execution/host.ts";
import { createStatechart } from "../../execution/statechart.ts";
import { transitionOf } from "../../execution/transition.ts";
import { present } from "../../platform/assert.ts";

/** The document statechart. */
export const documentStatechart = createStatechart<typeof documentMachine, DocumentContext, DocumentAction>(
  documentMachine,
);

const asState = (state: string): DocumentState => state as DocumentState;

/** A document's row before its first event. */
export type NewDocument = Omit<
  DocumentTable,
  "pages" | "characters" | "chunks" | "state" | "reason" | "revision" | "snapshot_json" | "updated_at" | "live_at"
>;

export interface DocumentEventContext {
  readonly at: number;
  /** The importer, as the audit log names it. */
  readonly actor: string;
  /** The live document of the same version, which this one replaces when it goes live. */
  readonly replaces: DocumentTable | null;
}

/** A decision with the actions to carry out next. */
export interface DocumentDecision extends Decision<DocumentTable> {
  readonly actions: readonly DocumentAction[];
}

/** Creates a document that is about to be read. */
export function decideNewDocument(document: NewDocument): Decision<DocumentTable> {
  const initial = documentStatechart.initial(undefined);
  const row: DocumentTable = {
    ...document,
    pages: null,
    characters: 0,
    chunks: 0,
    state: asState(initial.state),
    reason: null,
    revision: 0,
    snapshot_json: initial.snapshot,
    updated_at: document.created_at,
    live_at: null,
  };
  return { state: row, transition: transitionOf({ actors: [{ write: "document.insert", row }] }) };
}

/** Returns the row after an event and the resulting actions; `undefined` if the state does not accept the event. */
function stepped(row: DocumentTable, event: DocumentEvent, at: number) {
  const step = documentStatechart.next(row.snapshot_json, event);
  if (step.snapshot === row.snapshot_json && step.actions.length === 0) return undefined;
  const { pages, characters, chunks, reason } = step.context;
  const next: DocumentTable = {
    ...row,
    state: asState(step.state),
    pages,
    characters,
    chunks,
    reason,
    revision: row.revision + 1,
    snapshot_json: step.snapshot,
    updated_at: at,
    live_at: step.state === "live" ? at : row.live_at,
  };
  return { row: next, actions: step.actions };
}

function auditOf(row: DocumentTable, { at, actor }: DocumentEventContext): AuditEntry[] {
  if (!["live", "replaced", "removed"].includes(row.state)) return [];
  const data = { version: row.version, chunks: row.chunks };
  return [{ at, firm_id: null, actor, action: `document.${row.state}`, subject: row.id, data }];
}

function writesOf(row: DocumentTable, known: number, actions: readonly DocumentAction[]): ActorWrite[] {
  const discards = actions.some(({ type }) => type === "discard");
  return [
    { write: "document.update", row, known },
    ...(discards ? [{ write: "chunks.delete" as const, document_id: row.id }] : []),
  ];
}

/** Applies events to a stored document. Returns `undefined` if its state accepts none of them. */
export function decideDocument(
  stored: DocumentTable,
  events: readonly DocumentEvent[],
  context: DocumentEventContext,
): DocumentDecision | undefined {
  let row = stored;
  let actions: readonly DocumentAction[] = [];
  const carried: DocumentAction[] = [];
  for (const event of events) {
    const step = stepped(row, event, context.at);
    if (!step) continue;
    row = step.row;
    actions = step.actions;
    carried.push(...step.actions);
  }
  if (row === stored) return undefined;
  const publishes = carried.some(({ type }) => type === "publish");
  const replaced =
    publishes && context.replaces
      ? present(stepped(context.replaces, { type: "REPLACE" }, context.at), "a live document that takes REPLACE")
      : undefined;
  return {
    state: row,
    actions,
    transition: transitionOf({
      actors: [
        // Only one document per version may be live, so the former one is updated first.
        ...(replaced ? writesOf(replaced.row, replaced.row.revision - 1, replaced.actions) : []),
        ...writesOf(row, stored.revision, carried),
      ],
      audit: [...(replaced ? auditOf(replaced.row, context) : []), ...auditOf(row, context)],
    }),
  };
}

/** Creates the actor kind of documents. */
export const documentKind = (
  store: Pick<Store, "read">,
): ActorKind<DocumentTable, DocumentEvent, DocumentEventContext> => ({
  load: async (id) => present(await documentById(store.read, id), "the document of an event"),
  decide: decideDocument,
  published: () => undefined,
});
