/** The common result of all extractors: blocks in reading order. Structure and chunks are derived only from these. */

export type BlockKind = "heading" | "paragraph" | "item" | "row";

export interface Block {
  readonly kind: BlockKind;
  readonly text: string;
  /** Level of a heading, 1 the highest; 0 for other blocks. */
  readonly level: number;
  /** From 1; null if the format has no pages. */
  readonly page: number | null;
}

export const formats = ["pdf", "docx", "html", "markdown", "text"] as const;
export type Format = (typeof formats)[number];

/** A document as extracted from its format. */
export interface Extracted {
  readonly format: Format;
  readonly blocks: readonly Block[];
  /** Null if the format has no pages. */
  readonly pages: number | null;
  /** From the file's metadata or its first heading; null if it has none. */
  readonly title: string | null;
  /** ISO 639-1 code that the file itself declares; null if it declares none. */
  readonly language: string | null;
  /** Notes for the user about the extraction, such as pages without text. */
  readonly notes: readonly string[];
}

/** Reports each page after it is read, counted from 1. Only for formats that have pages. */
export type PageProgress = (page: number, pages: number) => void;

/** Extracts text from one format. */
export interface Extractor {
  readonly format: Format;
  /** File extensions in lower case, with the dot. */
  readonly extensions: readonly string[];
  /** Throws `Refused`, or any other error for a damaged file. */
  extract(bytes: Uint8Array, progress: PageProgress): Extracted | Promise<Extracted>;
}

/** Default message for each reason to refuse a file. */
export const refusals = {
  empty: "it contains no text",
  encrypted: "it is encrypted: save it without a password and import it again",
  broken: "it can't be read: it is damaged, or its content does not match its name",
  scanned: "its pages are images without text: recognise the text (OCR) with another tool first",
  unreadable: "its text can't be extracted, because its font does not map glyphs to letters: use another copy",
  too_large: "it exceeds the size limits: split it",
  unsupported: "its format is not supported: use PDF, DOCX, HTML, Markdown or plain text",
  encoding: "its character encoding can't be determined: save it as UTF-8",
  facts: "facts are missing or invalid",
  missing: "the manifest names it, but it does not exist",
  outside: "it is outside the imported folder",
  duplicate: "another file of this import is the same version of the same document",
} as const;
export type RefusalCode = keyof typeof refusals;

/** Thrown by every step of reading a file. Its message is for the person who imports and never quotes the content. */
export class Refused extends Error {
  constructor(
    readonly code: RefusalCode,
    detail?: string,
  ) {
    super(detail ?? refusals[code]);
    this.name = "Refused";
  }
}

/** Creates a heading block. Level 1 is the highest. */
export const heading = (text: string, level: number, page: number | null = null): Block => ({
  kind: "heading",
  text,
  level,
  page,
});

/** Creates a block of any other kind. */
export const block = (kind: Exclude<BlockKind, "heading">, text: string, page: number | null = null): Block => ({
  kind,
  text,
  level: 0,
  page,
});

// Soft hyphens, zero-width characters, control characters and ligatures interfere with search.
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const controls = /\p{Cc}/gu;
const ligatures = /[\ufb00-\ufb06]/g;

/** Normalises a block's text to one line, plain spaces and composed letters (NFC). */
export const tidy = (text: string): string =>
  text
    .replace(invisible, "")
    .replace(controls, " ")
    .replace(ligatures, (ligature) => ligature.normalize("NFKC"))
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");

/** Maximum characters of a column name, since each row repeats it. Longer text in the first row is content. */
const columnNameAtMost = 160;

/**
 * Returns a table's rows as blocks that can be read alone: each cell is preceded by its column's name. If the table has
 * one column or no suitable header, the cells are only joined.
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
