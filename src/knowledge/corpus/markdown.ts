import MarkdownIt, { type StateBlock, type Token } from "markdown-it";
import { type Block, block, type Extracted, type Extractor, heading, Refused, tableBlocks, tidy } from "./blocks.ts";
import { decodeText } from "./decode.ts";
import { htmlBlocks } from "./html.ts";
import { struckOut } from "./left-out.ts";
import { LineJoiner } from "./paragraphs.ts";
import { type Shift, shifted } from "./shifted.ts";

/** How deep quotes and lists may be nested; the parser drops what is deeper, so the file is refused instead. */
const deepest = 100;
/** A paragraph with a line of dashes below it is a heading when it is shorter; else the dashes are a rule. */
const underlinedBelow = 120;

const parser = new MarkdownIt({ html: true, maxNesting: deepest })
  // Laws indent their clauses without meaning code, and tags around text are no reason not to read its Markdown.
  .disable(["code", "html_block"]);
parser.block.ruler.before("heading", "html_structure", htmlStructure, {
  alt: ["paragraph", "reference", "blockquote"],
});

/** A block rule: a table or a list in HTML lasts until its closing tag, whatever blank lines it has. */
function htmlStructure(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const lineAt = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const name = /^<(table|ul|ol|dl)\b/i.exec(lineAt(start))?.[1];
  if (name === undefined) return false;
  if (silent) return true;
  const close = new RegExp(`</${name}>`, "i");
  let last = start;
  while (last < end - 1 && !close.test(lineAt(last))) last++;
  state.line = last + 1;
  const token = state.push("html_block", "", 0);
  token.content = state.getLines(start, last + 1, 0, false);
  return true;
}

/** The text between the `---` lines at the top of a file, and the rest. Null: there is none. */
export function splitFrontMatter(text: string): { front: string | null; body: string } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text);
  return found ? { front: found[1] ?? "", body: text.slice(found[0].length) } : { front: null, body: text };
}

const footnoteSign = /^\^?\d+\)?$/;

/** What strikes text out from a token on, and what ends it; undefined: it doesn't. */
function endOfStruck({ type, content }: Token): string | undefined {
  if (type === "s_open") return "s_close";
  const name = type === "html_inline" ? /^<(del|s|strike)\b/i.exec(content)?.[1] : undefined;
  return name === undefined ? undefined : `</${name.toLowerCase()}>`;
}

const endKey = ({ type, content }: Token): string => (type === "html_inline" ? content.toLowerCase() : type);

/** Inline tokens without what is struck out, and in how many places something was. A mark that never ends is none. */
function withoutStruck(tokens: readonly Token[]): { kept: Token[]; struck: number } {
  const last = new Map(tokens.map((token, at) => [endKey(token), at]));
  const kept: Token[] = [];
  let struck = 0;
  let until: string | undefined;
  for (const [at, token] of tokens.entries()) {
    const end = endOfStruck(token);
    if (until !== undefined) until = endKey(token) === until ? undefined : until;
    else if (end !== undefined && (last.get(end) ?? -1) > at) {
      until = end;
      struck++;
    } else kept.push(token);
  }
  return { kept, struck };
}

const shiftTag = /^<(sup|sub)\b/i;

/** How the text after a tag is set; null: the tag says nothing of it. */
function shiftAfter(tag: string): Shift | undefined | null {
  const name = shiftTag.exec(tag)?.[1]?.toLowerCase();
  if (name !== undefined) return name === "sup" ? "above" : "below";
  return /^<\/su[pb]\b/i.test(tag) ? undefined : null;
}

/** The words of inline tokens, without images, tags and the signs that lead to footnotes. */
function wordsOf(tokens: readonly Token[]): string {
  const text = new LineJoiner();
  let line = "";
  /** The words of an open link that leads into the page. */
  let link: string | undefined;
  let shift: Shift | undefined;
  const endLine = () => {
    text.add(`${line}${link ?? ""}`.trim());
    [line, link] = ["", undefined];
  };
  for (const { type, content, attrs } of tokens) {
    if (type === "softbreak" || type === "hardbreak") endLine();
    else if (type === "link_open") {
      const href = attrs?.find(([name]) => name === "href")?.[1];
      if (String(href).startsWith("#")) link = "";
    } else if (type === "link_close") {
      if (link !== undefined && !footnoteSign.test(link)) line += link;
      link = undefined;
    } else if (type !== "image") {
      const words = type !== "html_inline" ? shifted(content, shift) : /^<br\b/i.test(content) ? " " : "";
      if (link === undefined) line += words;
      else link += words;
      const next = type === "html_inline" ? shiftAfter(content) : null;
      if (next !== null) shift = next;
    }
  }
  endLine();
  return tidy(text.take().replace(/\[\^\w+\]/g, ""));
}

/** Turns tokens into blocks, in the order of the text. */
class Reader {
  readonly blocks: Block[] = [];
  /** In how many places text is struck out. */
  struck = 0;
  /** The numbers of list items whose text is yet to come; null outside of an item's first paragraph. */
  private marker: string | null = null;
  private table: string[][] = [];
  private opened: Token | undefined;

  constructor(private readonly page: number | null) {}

  read(tokens: readonly Token[]): void {
    for (const token of tokens) this.take(token);
  }

  private take(token: Token): void {
    if (token.level >= deepest - 1)
      throw new Refused("broken", `its lists or quotes are nested more than ${deepest} deep`);
    const { type, content } = token;
    if (type === "list_item_open") {
      // The number of a clause is part of its text; a bullet is not.
      const number = token.info === "" ? "" : `${token.info}${token.markup} `;
      this.marker = (this.marker ?? "") + number;
    } else if (type === "list_item_close") this.endItem();
    else if (type === "table_open") this.table = [];
    else if (type === "tr_open") this.table.push([]);
    else if (type === "table_close") this.add(tableBlocks(this.table, this.page, true));
    else if (type === "inline") this.inline(token);
    else if (type === "fence") this.lines(content);
    else if (type === "html_block") {
      const { blocks, struck } = htmlBlocks(content);
      this.struck += struck;
      this.add(blocks);
    }
    if (token.nesting === 1) this.opened = token;
  }

  private add(blocks: readonly Block[]): void {
    for (const one of blocks) this.blocks.push({ ...one, page: this.page });
  }

  /** A number with nothing after it: the text that it numbers follows the list. */
  private endItem(): void {
    const alone = tidy(this.marker ?? "");
    if (alone !== "") this.blocks.push(block("paragraph", alone, this.page));
    this.marker = null;
  }

  private inline({ children, content }: Token): void {
    const { kept, struck } = withoutStruck(children ?? []);
    this.struck += struck;
    const words = wordsOf(kept);
    const { type, tag, markup } = this.opened ?? { type: "paragraph_open", tag: "p", markup: "" };
    if (type === "th_open" || type === "td_open") {
      this.table.at(-1)?.push(words);
      return;
    }
    if (words === "") return;
    const isHeading =
      type === "heading_open" &&
      (markup.startsWith("#") || !(content.includes("\n") || (markup === "-" && content.length >= underlinedBelow)));
    const text = `${this.marker ?? ""}${words}`;
    if (isHeading) this.blocks.push(heading(text, Number(tag.slice(1)), this.page));
    else {
      // A bullet that was escaped, or indented too far for a list, is one for the reader.
      const sign = /^[-–•·*+]\s+/.exec(text)?.[0].length;
      const kind = sign !== undefined || this.marker !== null ? "item" : "paragraph";
      this.blocks.push(block(kind, text.slice(sign ?? 0), this.page));
    }
    this.marker = null;
  }

  /** Each line of a code block is a paragraph. */
  private lines(content: string): void {
    for (const line of content.split("\n").map(tidy))
      if (line !== "") this.blocks.push(block("paragraph", line, this.page));
  }
}

const pageBreak = /<!--\s*page\s?-?break\s*-->|\\(?:newpage|pagebreak)\b/i;

/** Text without comments, which may be headers and footers of its pages; one that never ends loses its mark alone. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let open = text.indexOf("<!--"); open >= 0; open = text.indexOf("<!--", at)) {
    const close = text.indexOf("-->", open + 4);
    kept.push(text.slice(at, open));
    at = close < 0 ? open + 4 : close + 3;
    if (close < 0) break;
  }
  return kept.join("") + text.slice(at);
}

/**
 * The blocks of a Markdown text without front matter, and in how many places text is struck out. Pages are counted when
 * the text marks their breaks.
 */
function markdownBlocks(text: string): { blocks: Block[]; pages: number | null; struck: number } {
  const parts = text.replace(/[\u2028\u2029]/g, "\n").split(pageBreak);
  const paged = parts.length > 1;
  let struck = 0;
  const blocks = parts.flatMap((part, i) => {
    const reader = new Reader(paged ? i + 1 : null);
    // A footnote's text is read where it is; the parser would take a short one for the target of a link.
    reader.read(parser.parse(withoutComments(part).replace(/^ {0,3}\[\^[\w-]+\]:/gm, ""), {}));
    struck += reader.struck;
    return reader.blocks;
  });
  return { blocks, pages: paged ? parts.length : null, struck };
}

function extract(bytes: Uint8Array): Extracted {
  const { blocks, pages, struck } = markdownBlocks(splitFrontMatter(decodeText(bytes)).body);
  const title = blocks.find(({ kind, level }) => kind === "heading" && level === 1)?.text ?? null;
  return { format: "markdown", blocks, pages, title, language: null, notes: struckOut(struck) };
}

/** Markdown files; their front matter is facts, not text. */
export const markdown: Extractor = { format: "markdown", extensions: [".md", ".markdown"], extract };
