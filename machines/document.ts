import { assign, setup } from "xstate";

/**
 * The lifecycle of a corpus document, from import to removal. Pure: no I/O, no clock. The host
 * (`src/products/insurance/ingest.ts`) carries out its actions, in the transaction that stores the snapshot or after
 * it.
 *
 * Only a `live` document is searched or counted. A document is imported completely or not at all: after any
 * interruption, the import starts over from the file.
 */

export interface DocumentContext {
  /** Number of passes through the pipeline started, including the first. */
  readonly attempt: number;
  /** `null` if the format has no pages or the file has not been read yet. */
  readonly pages: number | null;
  readonly characters: number;
  readonly sections: number;
  readonly chunks: number;
  /** Why the document was refused. */
  readonly reason: string | null;
}

export type DocumentEvent =
  | { readonly type: "EXTRACTED"; readonly pages: number | null; readonly characters: number }
  | { readonly type: "STRUCTURED"; readonly sections: number }
  | { readonly type: "CHUNKED"; readonly chunks: number }
  | { readonly type: "INDEXED" }
  | { readonly type: "REFUSE"; readonly reason: string }
  /** The process that was importing it has stopped; another process has the same file and starts over. */
  | { readonly type: "RESUME" }
  /** The same version was imported with different content. */
  | { readonly type: "REPLACE" }
  | { readonly type: "REMOVE" };

/** An action for the host to carry out. */
export type DocumentAction =
  | { readonly type: "extract" }
  | { readonly type: "structure" }
  | { readonly type: "chunk" }
  | { readonly type: "index" }
  /** Makes the document visible and hides the one it replaces, in the same transaction. */
  | { readonly type: "publish" }
  /** Deletes the document's chunks. */
  | { readonly type: "discard" };

const nothing = { pages: null, characters: 0, sections: 0, chunks: 0 } as const;

const leave = {
  REFUSE: {
    target: "#document.refused",
    actions: {
      type: "refuse" as const,
      params: ({ event }: { event: { reason: string } }) => ({ reason: event.reason }),
    },
  },
  RESUME: { target: "#document.extracting", reenter: true, actions: ["discard" as const, "again" as const] },
  REMOVE: { target: "#document.removed" },
};

export const documentMachine = setup({
  types: { context: {} as DocumentContext, events: {} as DocumentEvent },
  actions: {
    // Carried out by the host, so they do nothing here.
    extract: () => undefined,
    structure: () => undefined,
    chunk: () => undefined,
    index: () => undefined,
    publish: () => undefined,
    discard: () => undefined,
    // These update the machine's own context.
    again: assign(({ context }) => ({ ...nothing, attempt: context.attempt + 1 })),
    refuse: assign((_, { reason }: { reason: string }) => ({ reason })),
  },
  guards: {
    some: (_, { count }: { count: number }) => count > 0,
  },
}).createMachine({
  id: "document",
  context: { attempt: 1, ...nothing, reason: null },
  initial: "extracting",
  states: {
    extracting: {
      entry: "extract",
      on: {
        EXTRACTED: [
          {
            guard: { type: "some", params: ({ event }) => ({ count: event.characters }) },
            target: "structuring",
            actions: assign(({ event }) => ({ pages: event.pages, characters: event.characters })),
          },
          { target: "refused", actions: { type: "refuse", params: { reason: "empty" } } },
        ],
        ...leave,
      },
    },
    structuring: {
      entry: "structure",
      on: {
        STRUCTURED: { target: "chunking", actions: assign(({ event }) => ({ sections: event.sections })) },
        ...leave,
      },
    },
    chunking: {
      entry: "chunk",
      on: {
        CHUNKED: [
          {
            guard: { type: "some", params: ({ event }) => ({ count: event.chunks }) },
            target: "indexing",
            actions: assign(({ event }) => ({ chunks: event.chunks })),
          },
          { target: "refused", actions: { type: "refuse", params: { reason: "empty" } } },
        ],
        ...leave,
      },
    },
    indexing: {
      entry: "index",
      on: { INDEXED: { target: "live" }, ...leave },
    },
    live: {
      entry: "publish",
      on: { REPLACE: { target: "replaced" }, REMOVE: { target: "removed" } },
    },
    refused: { type: "final", entry: "discard" },
    replaced: { type: "final", entry: "discard" },
    removed: { type: "final", entry: "discard" },
  },
});
