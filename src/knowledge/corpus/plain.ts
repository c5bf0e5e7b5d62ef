import { type Block, block, type Extracted, type Extractor, heading, tidy } from "./blocks.ts";
import { clauseOf } from "./clauses.ts";
import { decodeText } from "./decode.ts";
import { splitFrontMatter } from "./markdown.ts";
import { joinLines } from "./paragraphs.ts";

const bullet = /^\s*[-–•*·▪●]\s+/;

/** Checks for a heading: a single line in capitals between blank lines. Clauses are recognised by their numbers. */
function isTitle(lines: readonly string[]): boolean {
  const [line = ""] = lines;
  if (lines.length !== 1 || line.length > 100 || /[.;,:]$/.test(line) || !/\p{L}{2}/u.test(line)) return false;
  return clauseOf(line) === undefined && line === line.toUpperCase() && line.length > 3;
}

/** Splits plain text at blank lines into paragraphs of trimmed lines. */
function paragraphs(text: string): string[][] {
  return text
    .split(/\n[ \t]*\n/)
    .map((part) =>
      part
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    )
    .filter((lines) => lines.length > 0);
}

function blocksOf(lines: readonly string[], page: number | null): Block[] {
  if (isTitle(lines)) return [heading(tidy(lines[0] ?? ""), 1, page)];
  return joinLines(lines).map((text) =>
    bullet.test(text) ? block("item", tidy(text.replace(bullet, "")), page) : block("paragraph", tidy(text), page),
  );
}

function extract(bytes: Uint8Array): Extracted {
  const text = splitFrontMatter(decodeText(bytes)).body.replace(/\r\n?/g, "\n");
  const pages = text.split("\f");
  const paged = pages.length > 1;
  const blocks = pages.flatMap((page, i) => paragraphs(page).flatMap((lines) => blocksOf(lines, paged ? i + 1 : null)));
  const first = blocks[0];
  const title = first && first.text.length <= 160 ? first.text : null;
  return { format: "text", blocks, pages: paged ? pages.length : null, title, language: null, notes: [] };
}

/** Plain text. A form feed separates pages. */
export const plain: Extractor = { format: "text", extensions: [".txt", ".text"], extract };
