import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";
import type { PhraseLanguage } from "./phrase-book.ts";

/** A document as its parts, from which Markdown and a page are written. Text in it is text: nobody writes markup. */

const Paragraph = closed({ kind: T.Literal("paragraph"), text: T.String() });
const List = closed({ kind: T.Literal("list"), items: T.Array(T.String()) });
const Table = closed({
  kind: T.Literal("table"),
  caption: T.String(),
  columns: T.Array(T.String()),
  rows: T.Array(T.Array(T.String())),
});
/** A bar each, as long as its value; `shown` is the value as it is read. */
const Bars = closed({
  kind: T.Literal("bars"),
  caption: T.String(),
  bars: T.Array(closed({ label: T.String(), value: T.Number({ minimum: 0 }), shown: T.String() })),
});

export const Block = T.Union([Paragraph, List, Table, Bars]);
export type Block = Static<typeof Block>;

/** `step` is the key of the run's step that everything in the section is from; null: the run itself. */
export const Section = closed({ heading: T.String(), step: nullable(T.String()), blocks: T.Array(Block) });
export type Section = Static<typeof Section>;

export interface Document {
  /** Of its headings and fixed texts. */
  readonly language: PhraseLanguage;
  readonly title: string;
  /** Under the title: which run it is about, and when. */
  readonly subtitle: string;
  readonly sections: readonly Section[];
}

/** A paragraph of plain text. */
export const paragraph = (text: string): Block => ({ kind: "paragraph", text });
/** A list of plain texts. */
export const list = (items: readonly string[]): Block => ({ kind: "list", items: [...items] });
/** A table: its columns, and rows of as many cells. */
export const table = (caption: string, columns: readonly string[], rows: readonly (readonly string[])[]): Block => ({
  ...{ kind: "table", caption, columns: [...columns] },
  rows: rows.map((row) => [...row]),
});

/** A section without what is empty; none where nothing is left. */
export function section(heading: string, step: string | null, blocks: readonly Block[]): Section[] {
  const isThere = (block: Block) =>
    block.kind === "paragraph"
      ? block.text !== ""
      : block.kind === "list"
        ? block.items.length > 0
        : block.kind === "table"
          ? block.rows.length > 0
          : block.bars.length > 0;
  const own = blocks.filter(isThere);
  return own.length === 0 ? [] : [{ heading, step, blocks: own }];
}
