import { type Block, block, heading, tableBlocks, tidy } from "./blocks.ts";
import { clauseOf, isClauseTitle, looksLikeTitle } from "./clauses.ts";
import { beginsBlock, continues, LineJoiner } from "./paragraphs.ts";
import type { Line } from "./pdf-lines.ts";
import { tableFrom } from "./pdf-tables.ts";

/** Type size, relative to the body's, above which it counts as larger. */
const largerThan = 1.12;
/** Line gaps, as multiples of the type size, that separate two paragraphs and two titles. */
const paragraphGap = 1.75;
const titleGap = 1.8;
/** Maximum length of a title that spans several lines, in characters. */
const titleAtMost = 300;

/** Returns the number of letters in any script. A page with hardly any is a scan. */
export const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;

/** The style of body text. Text in another style may be a heading. */
interface Body {
  readonly size: number;
  readonly font: string;
}

/** Returns the value shared by the most letters. */
function most<V>(lines: readonly Line[], of: (line: Line) => V, otherwise: V): V {
  const letters = new Map<V, number>();
  for (const line of lines) letters.set(of(line), (letters.get(of(line)) ?? 0) + line.text.length);
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? otherwise;
}

const bodyOf = (lines: readonly Line[]): Body => ({
  size: most(lines, ({ size }) => Math.round(size * 2) / 2, 10),
  font: most(lines, ({ font }) => font, ""),
});

/** Returns the type sizes above the body's, largest first, for levels 1, 2, 3 … */
function sizesAbove(lines: readonly Line[], body: number): number[] {
  const larger = lines.filter(({ size, text }) => size > body * largerThan && text.length <= 160);
  return [...new Set(larger.map(({ size }) => Math.round(size)))].sort((a, b) => b - a).slice(0, 6);
}

/** Checks for a clause that continues as a sentence, such as `3.2 Pojištění se` in bold at the start of a line. */
const isClauseSentence = (text: string): boolean => (clauseOf(text)?.rank ?? 0) > 3 && !isClauseTitle(text);

class Composer {
  readonly blocks: Block[] = [];
  private readonly text = new LineJoiner();
  private before: Line | undefined;
  private page = 1;

  constructor(
    private readonly body: Body,
    private readonly sizes: readonly number[],
  ) {}

  add(lines: readonly Line[], page: number): void {
    // A sentence that continues on the next page is kept whole, on the page where it starts.
    const isContinued = /[\p{Ll},-]$/u.test(this.text.lastLine.slice(-2)) && /^\p{Ll}/u.test(lines[0]?.text ?? "");
    if (!isContinued) this.flush();
    let crossing = isContinued;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at];
      if (!line) continue;
      const table = tableFrom(lines, at);
      if (table) {
        this.flush();
        for (const row of tableBlocks(table.rows, page, table.headed)) this.blocks.push(row);
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
    const isApart = !before || (!crossing && (gap > before.size * paragraphGap || gap < -before.size));
    if (this.text.isEmpty || isApart || !continues(this.text, line.text)) {
      this.flush();
      this.page = page;
    }
    this.text.add(line.text);
    this.before = line;
  }

  /**
   * Returns the heading level; 0 for text. Larger type ranks first, then body-sized type in another font, mostly bold,
   * if the words read like a title.
   */
  private levelOf({ size, text, font, cells }: Line): number {
    if (lettersIn(text) < 2) return 0;
    const at = size > this.body.size * largerThan ? this.sizes.indexOf(Math.round(size)) : -1;
    if (at >= 0) return at + 1;
    const isMarked = font !== this.body.font && size >= this.body.size * 0.95 && cells.length === 1;
    return isMarked && (looksLikeTitle(text) || isClauseTitle(text)) && !isClauseSentence(text)
      ? this.sizes.length + 1
      : 0;
  }

  /** Adds a title, or a further line of the previous title. */
  private title(line: Line, level: number, page: number): void {
    const last = this.blocks.at(-1);
    const { before } = this;
    const isBelow = before && this.text.isEmpty && before.y > line.y && before.y - line.y < line.size * titleGap;
    const isSame = last?.kind === "heading" && last.level === level && last.page === page;
    if (last && isSame && isBelow && !beginsBlock(line.text) && last.text.length < titleAtMost) {
      const title = new LineJoiner();
      title.add(last.text);
      title.add(line.text);
      this.blocks[this.blocks.length - 1] = heading(tidy(title.take()), level, page);
    } else {
      this.flush();
      this.blocks.push(heading(tidy(line.text), level, page));
    }
    this.before = line;
  }

  flush(): void {
    const text = tidy(this.text.take());
    const bullet = /^[-–•*·▪●■□✓✔✗✘]\s+/.exec(text)?.[0].length;
    if (text !== "")
      this.blocks.push(block(bullet === undefined ? "paragraph" : "item", text.slice(bullet ?? 0), this.page));
    this.before = undefined;
  }
}

/** Converts pages in reading order, without headers and footers, to blocks. */
export function pdfBlocks(pages: readonly (readonly Line[])[]): Block[] {
  const lines = pages.flat();
  const body = bodyOf(lines);
  const composer = new Composer(body, sizesAbove(lines, body.size));
  for (const [i, page] of pages.entries()) composer.add(page, i + 1);
  composer.flush();
  return composer.blocks;
}
