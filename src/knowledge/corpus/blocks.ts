/** What every format is read into: blocks in reading order. Structure and chunks are made from these alone. */

export type BlockKind = "heading" | "paragraph" | "item" | "row";

export interface Block {
  readonly kind: BlockKind;
  readonly text: string;
  /** Of a heading, 1 the highest; 0 for everything else. */
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
  /** As the file itself states it, in its metadata or its first heading; null: it does not. */
  readonly title: string | null;
  /** As the file itself states it, ISO 639-1; null: it does not. */
  readonly language: string | null;
  /** What a reader should know of the extraction, such as pages without text. */
  readonly notes: readonly string[];
}

/** Reports each page of a format that has pages once it is read; counted from 1. */
export type PageProgress = (page: number, pages: number) => void;

/** Reads one format. */
export interface Extractor {
  readonly format: Format;
  /** Of the files' names, in lower case and with their dots. */
  readonly extensions: readonly string[];
  /** Throws `Refused`, or anything else for a file that is damaged. */
  extract(bytes: Uint8Array, progress: PageProgress): Extracted | Promise<Extracted>;
}

/** Why a file is refused: the default message of each code. */
export const refusals = {
  empty: "it holds no text",
  encrypted: "it is encrypted: save it without a password and import it again",
  broken: "it can't be read: the file is damaged, or not what its name says",
  scanned: "its pages are pictures without text, and text recognition (OCR) is not done here",
  unreadable: "its text has no meaning: the font does not say which letters its glyphs are",
  too_large: "it is larger than this importer takes",
  unsupported: "files of this kind are not read (PDF, DOCX, HTML, Markdown and text are)",
  encoding: "its character encoding can't be determined",
  facts: "facts are missing or wrong",
  missing: "the manifest names it, but there is no such file",
  outside: "it lies outside the folder that is imported",
  duplicate: "another file of this import is the same version of the same document",
} as const;
export type RefusalCode = keyof typeof refusals;

/** Thrown by every step of reading a file. Its message is for the person who imports, and never quotes the content. */
export class Refused extends Error {
  constructor(
    readonly code: RefusalCode,
    detail?: string,
  ) {
    super(detail ?? refusals[code]);
    this.name = "Refused";
  }
}

/** A heading as the readers of files make it. Level 1 is the highest. */
export const heading = (text: string, level: number, page: number | null = null): Block => ({
  kind: "heading",
  text,
  level,
  page,
});

/** Any other block as the readers of files make it. */
export const block = (kind: Exclude<BlockKind, "heading">, text: string, page: number | null = null): Block => ({
  kind,
  text,
  level: 0,
  page,
});

// Soft hyphens, zero-width characters, controls and ligatures: they only get in the way of search.
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const controls = /\p{Cc}/gu;
const ligatures = /[\ufb00-\ufb06]/g;

/** A block's text as it is stored: one line, plain spaces, composed letters. */
export const tidy = (text: string): string =>
  text
    .replace(invisible, "")
    .replace(controls, " ")
    .replace(ligatures, (ligature) => ligature.normalize("NFKC"))
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");

/** The name of a column is repeated in each row; a longer text at its head is text. */
const columnNameAtMost = 160;

/**
 * A table's rows, each readable without the others: the name of its column comes before each cell. A table of one
 * column, or without a header that fits, gives its cells in a line.
 */
export function tableBlocks(rows: readonly (readonly string[])[], page: number | null, headed: boolean): Block[] {
  const tidied = rows.map((cells) => cells.map(tidy)).filter((cells) => cells.some((cell) => cell !== ""));
  const [head, ...body] = tidied;
  if (!head) return [];
  const isHead =
    headed &&
    body.length > 0 &&
    head.length > 1 &&
    head.filter((cell) => cell !== "").length > 1 &&
    head.every((cell) => cell.length <= columnNameAtMost);
  const lines = (isHead ? body : tidied).map((cells) => {
    const filled = cells.map((cell, i) => ({ cell, name: isHead ? (head[i] ?? "") : "" }));
    return filled
      .filter(({ cell }) => cell !== "")
      .map(({ cell, name }) => (name === "" || name === cell ? cell : `${name}: ${cell}`))
      .join("; ");
  });
  return lines.map((line) => block("row", line, page));
}
