import { type Block, block, type Extracted, heading, tableBlocks, tidy } from "./blocks.ts";
import { decodeText } from "./decode.ts";
import { htmlBlocks } from "./html.ts";
import { joinText } from "./paragraphs.ts";

const fence = /^\s{0,3}(```|~~~)/;
const atx = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const setext = /^\s{0,3}(=+|-+)\s*$/;
const rule = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const bullet = /^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$/;
const divider = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;
const pageBreak = /<!--\s*page\s?-?break\s*-->|\\(newpage|pagebreak)\b/i;
const pageFurniture = /<!--\s*Page(Header|Footer|Number)[^>]*-->/i;

/** What stands between the `---` lines at the top of a file, and the rest. Null: there is none. */
export function splitFrontMatter(text: string): { front: string | null; body: string; line: number } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) return { front: null, body: text, line: 1 };
  return { front: found[1] ?? "", body: text.slice(found[0].length), line: found[0].split("\n").length };
}

/** The words without their marks: emphasis, links, footnotes, escapes. */
export function plainInline(text: string): string {
  return tidy(
    text
      .replace(/<!--[\s\S]*?-->/g, "")
      .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
      // A footnote's sign that leads to its place at the foot.
      .replace(/\[\^?\d+\)?\]\(#[^)]*\)|\[\^\w+\]/g, "")
      .replace(/\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
      .replace(/<((?:https?|mailto):[^>\s]+)>/g, "$1")
      .replace(/<br\s*\/?>/gi, " ")
      .replace(/<\/?[a-z][^>]*>/gi, "")
      .replace(/(\*\*|__)(?=\S)([\s\S]*?\S)\1/g, "$2")
      .replace(/(?<![\p{L}\p{N}\\])([*_])(?=\S)([^*_]*\S)\1(?![\p{L}\p{N}])/gu, "$2")
      .replace(/`([^`]*)`/g, "$1")
      .replace(/\\([\\`*_{}[\]()#+\-.!|<>~§])/g, "$1")
      .replace(/&nbsp;/g, " ")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&amp;/g, "&"),
  );
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map(plainInline);

/** Reads lines one after the other. Pages are counted when the file marks their breaks. */
class Reader {
  readonly blocks: Block[] = [];
  private paragraph: string[] = [];
  private kind: "paragraph" | "item" = "paragraph";
  private page: number | null;

  constructor(private readonly lines: readonly string[]) {
    this.page = lines.some((line) => pageBreak.test(line)) ? 1 : null;
  }

  get pages(): number | null {
    return this.page;
  }

  read(): void {
    for (let at = 0; at < this.lines.length; ) at = this.take(at);
    this.flush();
  }

  private line(at: number): string {
    return this.lines[at] ?? "";
  }

  private flush(): void {
    const text = plainInline(this.paragraph.reduce(joinText, ""));
    // An escaped bullet is one for the reader.
    const sign = /^[-–•·]\s+/.exec(text);
    if (text !== "") this.blocks.push(block(sign ? "item" : this.kind, text.slice(sign?.[0].length ?? 0), this.page));
    this.paragraph = [];
    this.kind = "paragraph";
  }

  /** Takes what begins at the line, and answers where to go on. */
  private take(at: number): number {
    const line = this.line(at);
    if (pageBreak.test(line)) {
      this.flush();
      this.page = (this.page ?? 1) + 1;
      return at + 1;
    }
    if (line.trim() === "" || rule.test(line) || pageFurniture.test(line)) return this.blank(at);
    if (fence.test(line)) return this.fenced(at);
    const title = atx.exec(line);
    if (title) return this.title(at, title[2] ?? "", title[1]?.length ?? 1);
    if (/^\s*<(table|ul|ol|dl)\b/i.test(line)) return this.html(at);
    if (line.includes("|") && divider.test(this.line(at + 1))) return this.table(at);
    const entry = bullet.exec(line);
    if (entry) {
      this.flush();
      const [, , sign = "", text = ""] = entry;
      this.kind = "item";
      // A clause's number is part of its text; a bullet is not.
      this.paragraph.push(/\d/.test(sign) ? `${sign} ${text}` : text);
      return at + 1;
    }
    if (this.paragraph.length === 1 && this.kind === "paragraph" && setext.test(line)) {
      const [text = ""] = this.paragraph;
      this.paragraph = [];
      return this.title(at, text, line.includes("=") ? 1 : 2);
    }
    this.paragraph.push(line.replace(/^\s*>\s?/, "").trim());
    return at + 1;
  }

  private blank(at: number): number {
    // `---` below a paragraph is its underline.
    const isUnderline = this.paragraph.length === 1 && this.kind === "paragraph" && setext.test(this.line(at));
    const [text = ""] = this.paragraph;
    if (isUnderline && text.length < 120) {
      this.paragraph = [];
      return this.title(at, text, 2);
    }
    this.flush();
    return at + 1;
  }

  private title(at: number, text: string, level: number): number {
    this.flush();
    const words = plainInline(text);
    if (words !== "") this.blocks.push(heading(words, level, this.page));
    return at + 1;
  }

  private fenced(at: number): number {
    this.flush();
    let end = at + 1;
    while (end < this.lines.length && !fence.test(this.line(end))) end++;
    for (const line of this.lines.slice(at + 1, end))
      if (tidy(line) !== "") this.blocks.push(block("paragraph", tidy(line), this.page));
    return end + 1;
  }

  private table(at: number): number {
    this.flush();
    let end = at + 2;
    while (end < this.lines.length && this.line(end).includes("|")) end++;
    const rows = [at, ...Array.from({ length: end - at - 2 }, (_, i) => at + 2 + i)];
    this.blocks.push(
      ...tableBlocks(
        rows.map((row) => cellsOf(this.line(row))),
        this.page,
        true,
      ),
    );
    return end;
  }

  private html(at: number): number {
    this.flush();
    const name = /^\s*<(\w+)/.exec(this.line(at))?.[1] ?? "table";
    const close = new RegExp(`</${name}>`, "i");
    let end = at;
    while (end < this.lines.length && !close.test(this.line(end))) end++;
    const html = this.lines.slice(at, end + 1).join("\n");
    this.blocks.push(...htmlBlocks(html).map((one) => ({ ...one, page: this.page })));
    return end + 1;
  }
}

/** The blocks of a Markdown text without front matter. */
export function markdownBlocks(text: string): { blocks: Block[]; pages: number | null } {
  // A comment over several lines is none of the text.
  const clean = text.replace(/<!--(?![^>]*page)[\s\S]*?-->/gi, "").replace(/<\/?figure>/gi, "");
  const reader = new Reader(clean.split(/\r\n|\r|\n|\u2028|\u2029/));
  reader.read();
  return { blocks: reader.blocks, pages: reader.pages };
}

/** Reads a Markdown file; its front matter is facts, not text. Throws `Refused`. */
export function extractMarkdown(bytes: Uint8Array): Extracted {
  const { blocks, pages } = markdownBlocks(splitFrontMatter(decodeText(bytes)).body);
  const title = blocks.find(({ kind, level }) => kind === "heading" && level === 1)?.text ?? null;
  return { format: "markdown", blocks, pages, title, language: null, notes: [] };
}
