import { getDocumentProxy } from "unpdf";
import { type Block, block, type Extracted, heading, Refused, tableBlocks, tidy } from "./blocks.ts";
import { clauseOf, isClauseTitle, looksLikeTitle } from "./clauses.ts";
import { beginsBlock, goesOn, joinText } from "./paragraphs.ts";
import { type Line, type Piece, readingOrder, withoutFurniture } from "./pdf-lines.ts";

/** More pages than any wording has: a file beyond it is refused instead of read for hours. */
const pagesAtMost = 3_000;
/** Letters on a page below which it counts as a picture. */
const lettersAtLeast = 25;
/** Of all signs, so many without meaning make a text unreadable. */
const oddAtMost = 0.2;

export type PageProgress = (page: number, pages: number) => void;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Opens the file; says which of its troubles it is when it can't be. */
async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // The reader takes the bytes for its own: it gets a copy.
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, stopAtErrors: false });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") throw new Refused("encrypted");
    throw new Refused("broken", "the PDF can't be opened: its structure is damaged");
  }
}

async function piecesOf(pdf: Pdf, at: number): Promise<{ pieces: Piece[]; width: number }> {
  const page = await pdf.getPage(at);
  const { items } = await page.getTextContent();
  const pieces = items.flatMap((item): Piece[] => {
    if (!("str" in item) || item.str.trim() === "") return [];
    const [, , c = 0, d = 0, x = 0, y = 0] = item.transform.map(Number);
    return [
      { text: item.str, x, y, width: item.width, size: Math.hypot(c, d) || item.height || 10, font: item.fontName },
    ];
  });
  const { width } = page.getViewport({ scale: 1 });
  page.cleanup();
  return { pieces, width };
}

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

/** How the text itself is set: what is set otherwise may be a heading. */
interface Body {
  readonly size: number;
  readonly font: string;
}

/** What most letters have. */
function most<V>(lines: readonly Line[], of: (line: Line) => V, otherwise: V): V {
  const letters = new Map<V, number>();
  for (const line of lines) letters.set(of(line), (letters.get(of(line)) ?? 0) + line.text.length);
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? otherwise;
}

const bodyOf = (lines: readonly Line[]): Body => ({
  size: most(lines, ({ size }) => Math.round(size * 2) / 2, 10),
  font: most(lines, ({ font }) => font, ""),
});

/** Type sizes above the body's, the largest first: level 1, 2, 3 … */
function sizesAbove(pages: readonly (readonly Line[])[], body: number): number[] {
  const sizes = pages.flat().filter(({ size, text }) => size > body * 1.12 && text.length <= 160);
  return [...new Set(sizes.map(({ size }) => Math.round(size)))].sort((a, b) => b - a).slice(0, 6);
}

/** How far the second line of a table may be out of the first one's columns, in points. */
const columnSlack = 12;
const alike = (a: Line, b: Line): boolean =>
  b.cells.length >= 2 &&
  b.cells.length <= a.cells.length &&
  b.cells.every(({ x }) => a.cells.some((cell) => Math.abs(cell.x - x) <= columnSlack));

/** How many lines from `at` on are a table's. */
function tableAt(lines: readonly Line[], at: number): number {
  const head = lines[at];
  if (!head || head.cells.length < 2) return 0;
  let end = at + 1;
  while (end < lines.length && alike(head, lines[end] ?? head)) end++;
  return end - at >= 3 || (end - at === 2 && head.cells.length > 2) ? end - at : 0;
}

/** Whether a line stands as the header over a table: a cell for each column, set anywhere within its width. */
function isHeaderOf({ cells }: Line, { cells: columns }: Line): boolean {
  if (cells.length < 2 || cells.length !== columns.length) return false;
  return cells.every(({ x }, i) => {
    const left = (columns[i]?.x ?? 0) - columnSlack;
    return x >= left && x < (columns[i + 1]?.x ?? Number.POSITIVE_INFINITY);
  });
}

/** What heads columns is no value itself. */
const isValues = ({ cells }: Line): boolean => cells.slice(1).some(({ text }) => /\d/.test(text));

/** A table with its header, which may be centred over the columns. */
interface Table {
  readonly lines: number;
  readonly rows: readonly (readonly string[])[];
  readonly headed: boolean;
}

function tableFrom(lines: readonly Line[], at: number): Table | undefined {
  const line = lines[at];
  const below = lines[at + 1];
  if (!line) return undefined;
  const rows = tableAt(lines, at);
  if (rows > 0)
    return { lines: rows, rows: lines.slice(at, at + rows).map((row) => cellsIn(line, row)), headed: !isValues(line) };
  const under = tableAt(lines, at + 1);
  if (!below || under === 0 || !isHeaderOf(line, below)) return undefined;
  const body = lines.slice(at + 1, at + 1 + under).map((row) => cellsIn(below, row));
  return { lines: under + 1, rows: [line.cells.map(({ text }) => text), ...body], headed: true };
}

/** A table's cells in the columns of its first line. */
const cellsIn = (head: Line, line: Line): string[] =>
  head.cells.map(({ x }) => line.cells.find((cell) => Math.abs(cell.x - x) <= columnSlack)?.text ?? "");

class Composer {
  readonly blocks: Block[] = [];
  private text = "";
  private before: Line | undefined;
  private page = 1;

  constructor(
    private readonly body: Body,
    private readonly sizes: readonly number[],
  ) {}

  add(lines: readonly Line[], page: number): void {
    // A sentence that goes on over the page's end stays whole, on the page where it began.
    const goesOn = /[\p{Ll},-]$/u.test(this.text) && /^\p{Ll}/u.test(lines[0]?.text ?? "");
    if (!goesOn) this.flush();
    let crossing = goesOn;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at];
      if (!line) continue;
      const table = tableFrom(lines, at);
      if (table) {
        this.flush();
        this.blocks.push(...tableBlocks(table.rows, page, table.headed));
        at += table.lines - 1;
      } else this.line(line, page, crossing);
      crossing = false;
    }
  }

  private line(line: Line, page: number, crossing: boolean): void {
    const level = this.levelOf(line);
    if (level > 0) {
      this.title(line, level, page);
      return;
    }
    const before = this.before;
    const gap = before ? before.y - line.y : 0;
    const apart = !before || (!crossing && (gap > before.size * 1.75 || gap < -before.size));
    if (this.text === "" || apart || !goesOn(this.text, line.text)) {
      this.flush();
      this.page = page;
      this.text = line.text;
    } else this.text = joinText(this.text, line.text);
    this.before = line;
  }

  /** Larger type first; then the text's own size in another font, bold mostly, where the words read like a title. */
  private levelOf({ size, text, font, cells }: Line): number {
    if (lettersIn(text) < 2) return 0;
    const at = size > this.body.size * 1.12 ? this.sizes.indexOf(Math.round(size)) : -1;
    if (at >= 0) return at + 1;
    const isMarked = font !== this.body.font && size >= this.body.size * 0.95 && cells.length === 1;
    return isMarked && (looksLikeTitle(text) || isClauseTitle(text)) && !clauseSentence(text)
      ? this.sizes.length + 1
      : 0;
  }

  /** A title over several lines is one. */
  private title(line: Line, level: number, page: number): void {
    const before = this.blocks.at(-1);
    const follows =
      this.before && this.text === "" && this.before.y - line.y < line.size * 1.8 && this.before.y > line.y;
    if (
      before?.kind === "heading" &&
      before.level === level &&
      before.page === page &&
      follows &&
      !beginsBlock(line.text)
    )
      this.blocks[this.blocks.length - 1] = heading(tidy(joinText(before.text, line.text)), level, page);
    else {
      this.flush();
      this.blocks.push(heading(tidy(line.text), level, page));
    }
    this.before = line;
  }

  flush(): void {
    const text = tidy(this.text);
    const sign = /^[-–•*·▪●■□✓✔✗✘]\s+/.exec(text);
    if (text !== "")
      this.blocks.push(
        sign ? block("item", text.slice(sign[0].length), this.page) : block("paragraph", text, this.page),
      );
    this.text = "";
    this.before = undefined;
  }
}

/** `3.2 Pojištění se` in bold at a line's beginning is a sentence that goes on. */
const clauseSentence = (text: string): boolean => (clauseOf(text)?.rank ?? 0) > 3 && !isClauseTitle(text);

/** Refuses what is no text; tells of pages without any. */
function checkText(pages: readonly (readonly Line[])[]): string[] {
  const texts = pages.map((lines) => lines.map(({ text }) => text).join(" "));
  const all = texts.join(" ");
  if (lettersIn(all) < lettersAtLeast && /[^\s\d]/.test(all) === false) throw new Refused("scanned");
  const odd = all.match(/[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu)?.length ?? 0;
  if (odd > all.length * oddAtMost) throw new Refused("unreadable");
  const bare = texts.flatMap((text, i) => (lettersIn(text) < lettersAtLeast ? [i + 1] : []));
  if (bare.length === pages.length) throw new Refused("scanned");
  if (bare.length > pages.length / 2)
    throw new Refused(
      "scanned",
      `${bare.length} of its ${pages.length} pages are pictures without text, and OCR is not done here`,
    );
  return bare.length === 0
    ? []
    : [`no text on ${bare.length} of ${pages.length} pages (${bare.slice(0, 8).join(", ")})`];
}

async function titleOf(pdf: Pdf): Promise<string | null> {
  const { info } = await pdf.getMetadata();
  const title = "Title" in info && typeof info.Title === "string" ? tidy(info.Title) : "";
  // Word processors put the file's name there.
  return title.length < 4 || /\.(docx?|odt|rtf|pdf|indd|qxd|pptx?|xlsx?|html?|txt|tmp)$|^microsoft word/i.test(title)
    ? null
    : title;
}

/** Reads a PDF page by page; the event loop gets its turn between them. Throws `Refused`. */
export async function extractPdf(bytes: Uint8Array, progress: PageProgress): Promise<Extracted> {
  const pdf = await open(bytes);
  try {
    const { numPages } = pdf;
    if (numPages > pagesAtMost)
      throw new Refused("too_large", `it has ${numPages} pages, and ${pagesAtMost} is the limit`);
    const pages: Line[][] = [];
    for (let at = 1; at <= numPages; at++) {
      const { pieces, width } = await piecesOf(pdf, at);
      pages.push(readingOrder(pieces, width));
      progress(at, numPages);
    }
    const notes = checkText(pages);
    const clean = withoutFurniture(pages);
    const body = bodyOf(clean.flat());
    const composer = new Composer(body, sizesAbove(clean, body.size));
    for (const [i, lines] of clean.entries()) composer.add(lines, i + 1);
    composer.flush();
    const { blocks } = composer;
    const first = blocks.find(({ kind, level, page }) => kind === "heading" && level === 1 && page === 1)?.text;
    const title = (await titleOf(pdf)) ?? first ?? null;
    return { format: "pdf", blocks, pages: numPages, title, language: null, notes };
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused("broken", "a page of the PDF can't be read");
  } finally {
    await pdf.loadingTask.destroy();
  }
}
