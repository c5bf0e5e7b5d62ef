/** What every format is read into: blocks in reading order. Structure and chunks are made from these alone. */

export type BlockKind = "heading" | "paragraph" | "item" | "row";

export interface Block {
  readonly kind: BlockKind;
  readonly text: string;
  /** Of a heading: 1 is the highest. 0 for everything else. */
  readonly level: number;
  /** Counted from 1; null where the format has no pages. */
  readonly page: number | null;
}

export const formats = ["pdf", "docx", "html", "markdown", "text"] as const;
export type Format = (typeof formats)[number];

/** A document as its format gave it. */
export interface Extracted {
  readonly format: Format;
  readonly blocks: readonly Block[];
  /** Null: the format has none. */
  readonly pages: number | null;
  /** As the file itself states it: metadata or its first heading; null: it does not. */
  readonly title: string | null;
  /** As the file itself states it, ISO 639-1; null: it does not. */
  readonly language: string | null;
  /** What a reader should know of the extraction, such as pages without text. */
  readonly notes: readonly string[];
}

/** Why a file is not taken; the words are in `refusals`. */
export const refusals = {
  empty: "it holds no text",
  encrypted: "it is encrypted: save it without a password and import it again",
  broken: "it can't be read: the file is damaged, or not what its name says",
  scanned: "its pages are pictures without text, and text recognition (OCR) is not done here",
  unreadable: "its text comes out as signs without meaning: the font does not say which letters its signs are",
  too_large: "it is larger than this importer takes",
  unsupported: "files of this kind are not read (PDF, DOCX, HTML, Markdown and text are)",
  encoding: "its character encoding can't be told",
  facts: "facts are missing or wrong",
  missing: "the manifest names it, but there is no such file",
  outside: "it lies outside the folder that is imported",
  duplicate: "another file of this import is the same version of the same document",
} as const;
export type RefusalCode = keyof typeof refusals;

/** Thrown by every step of reading a file. Its message is for the person who imports; it never quotes the content. */
export class Refused extends Error {
  constructor(
    readonly code: RefusalCode,
    detail?: string,
  ) {
    super(detail ?? refusals[code]);
    this.name = "Refused";
  }
}

export const heading = (text: string, level: number, page: number | null = null): Block => ({
  kind: "heading",
  text,
  level,
  page,
});

export const block = (kind: Exclude<BlockKind, "heading">, text: string, page: number | null = null): Block => ({
  kind,
  text,
  level: 0,
  page,
});

// No-break and thin spaces, soft hyphens, zero-width signs and ligatures: they only get in a reader's way.
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const controls = /\p{Cc}/gu;
const ligatures = /[\ufb00-\ufb06]/g;

/** A block's text as it is stored: one line, plain spaces, composed letters. */
export const tidy = (text: string): string =>
  text
    .replace(invisible, "")
    .replace(controls, " ")
    .replace(ligatures, (sign) => sign.normalize("NFKC"))
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");

/**
 * A table's rows, each readable without the others: the header's words stand before each cell. A table of one column,
 * or without a header that fits, gives its cells in a line.
 */
export function tableBlocks(rows: readonly (readonly string[])[], page: number | null, headed: boolean): Block[] {
  const tidied = rows.map((cells) => cells.map(tidy)).filter((cells) => cells.some((cell) => cell !== ""));
  const [head, ...body] = tidied;
  if (!head) return [];
  const isHead = headed && body.length > 0 && head.length > 1 && head.filter((cell) => cell !== "").length > 1;
  const lines = (isHead ? body : tidied).map((cells) => {
    const filled = cells.map((cell, i) => ({ cell, name: isHead ? (head[i] ?? "") : "" }));
    return filled
      .filter(({ cell }) => cell !== "")
      .map(({ cell, name }) => (name === "" || name === cell ? cell : `${name}: ${cell}`))
      .join("; ");
  });
  return lines.map((line) => block("row", line, page));
}
