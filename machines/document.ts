import { assign, setup } from "xstate";

/**
 * A document of the corpus from its file to its last day. Pure: no I/O, no clock. Its actions are orders to the host
 * (`src/products/insurance/ingest.ts`), which carries them out in the transaction that stores the snapshot, or behind it.
 *
 * Only `live` is ever searched or counted. Until then a document is whole or it is nothing: whatever interrupts it, it
 * starts again from its file.
 */

export interface DocumentContext {
  /** Passages through the pipeline begun, the first included. */
  readonly attempt: number;
  /** Null: the format has none, or it was not read yet. */
  readonly pages: number | null;
  readonly characters: number;
  readonly sections: number;
  readonly chunks: number;
  /** Why it was refused. */
  readonly reason: string | null;
}

export type DocumentEvent =
  | { readonly type: "EXTRACTED"; readonly pages: number | null; readonly characters: number }
  | { readonly type: "STRUCTURED"; readonly sections: number }
  | { readonly type: "CHUNKED"; readonly chunks: number }
  | { readonly type: "INDEXED" }
  | { readonly type: "REFUSE"; readonly reason: string }
  /** The process that worked on it is gone; another one has the same file. */
  | { readonly type: "RESUME" }
  /** The same version has come with another content. */
  | { readonly type: "REPLACE" }
  | { readonly type: "REMOVE" };

/** What the host is told to do. */
export type DocumentAction =
  | { readonly type: "extract" }
  | { readonly type: "structure" }
  | { readonly type: "chunk" }
  | { readonly type: "index" }
  /** Becomes visible, and what it replaces ceases to be, in this very transaction. */
  | { readonly type: "publish" }
  /** Its passages go. */
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
    // The host's orders: nothing happens here.
    extract: () => undefined,
    structure: () => undefined,
    chunk: () => undefined,
    index: () => undefined,
    publish: () => undefined,
    discard: () => undefined,
    // The machine's own book-keeping.
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
