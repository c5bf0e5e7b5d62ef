import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";
import type { PhraseLanguage } from "./phrase-book.ts";

/** A document as structured parts, rendered to Markdown or a page. All text in it is plain, never markup. */

const Paragraph = closed({ kind: T.Literal("paragraph"), text: T.String() });
const List = closed({ kind: T.Literal("list"), items: T.Array(T.String()) });
const Table = closed({
  kind: T.Literal("table"),
  caption: T.String(),
  columns: T.Array(T.String()),
  rows: T.Array(T.Array(T.String())),
});
/** A bar chart, each bar as long as its value; `shown` is the formatted value. */
const Bars = closed({
  kind: T.Literal("bars"),
  caption: T.String(),
  bars: T.Array(closed({ label: T.String(), value: T.Number({ minimum: 0 }), shown: T.String() })),
});

export const Block = T.Union([Paragraph, List, Table, Bars]);
export type Block = Static<typeof Block>;

/** `step` is the key of the run's step that the section comes from; null for the run itself. */
export const Section = closed({ heading: T.String(), step: nullable(T.String()), blocks: T.Array(Block) });
export type Section = Static<typeof Section>;

export interface Document {
  /** The language of its headings and fixed texts. */
  readonly language: PhraseLanguage;
  readonly title: string;
  /** The run and its date, shown below the title. */
  readonly subtitle: string;
  readonly sections: readonly Section[];
}

/** Creates a paragraph of plain text. */
export const paragraph = (text: string): Block => ({ kind: "paragraph", text });
/** Creates a list of plain texts. */
export const list = (items: readonly string[]): Block => ({ kind: "list", items: [...items] });
/** Creates a table; every row has as many cells as there are columns. */
export const table = (caption: string, columns: readonly string[], rows: readonly (readonly string[])[]): Block => ({
  ...{ kind: "table", caption, columns: [...columns] },
  rows: rows.map((row) => [...row]),
});

/** Creates a section without its empty blocks; returns none if nothing remains. */
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
