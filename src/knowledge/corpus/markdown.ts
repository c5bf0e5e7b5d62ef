import MarkdownIt, { type StateBlock, type Token } from "markdown-it";
import { type Block, block, type Extracted, type Extractor, heading, Refused, tableBlocks, tidy } from "./blocks.ts";
import { decodeText } from "./decode.ts";
import { htmlBlocks } from "./html.ts";
import { treeOf } from "./html-tree.ts";
import { unseenIn } from "./html-unseen.ts";
import { leftOutAs, struckOut } from "./left-out.ts";
import { LineJoiner } from "./paragraphs.ts";
import { type Shift, shifted } from "./shifted.ts";

/** Maximum nesting of quotes and lists. The parser drops deeper content, so such a file is refused instead. */
const deepest = 100;
/** A shorter paragraph above a line of dashes is a heading; below a longer one the dashes are a rule. In characters. */
const underlinedBelow = 120;

const parser = new MarkdownIt({ html: true, maxNesting: deepest })
  // Laws indent their clauses without meaning code, and text inside HTML tags is still Markdown.
  .disable(["code", "html_block"]);
parser.block.ruler.before("heading", "html_structure", htmlStructure, {
  alt: ["paragraph", "reference", "blockquote"],
});

/** Block rule: an HTML table or list extends to its closing tag, even across blank lines. */
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

/** Splits off the front matter, the text between `---` lines at the top. `front` is null if there is none. */
export function splitFrontMatter(text: string): { front: string | null; body: string } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text);
  return found ? { front: found[1] ?? "", body: text.slice(found[0].length) } : { front: null, body: text };
}

const footnoteSign = /^\^?\d+\)?$/;

/** Text that was omitted. */
interface LeftOut {
  /** The hidden texts. */
  readonly hidden: string[];
  /** Number of places with struck-out text. */
  struck: number;
}

/** Markup that hides or strikes out text, with the keys of its opening and closing tokens. */
interface Mark {
  readonly as: "hidden" | "struck";
  readonly open: string;
  readonly close: string;
}

/** Returns the mark that a token opens; null if it opens none. */
function markOf({ type, content }: Token): Mark | null {
  if (type === "s_open") return { as: "struck", open: "s_open", close: "s_close" };
  const name = type === "html_inline" ? /^<([a-z][a-z0-9]*)\b/i.exec(content)?.[1]?.toLowerCase() : undefined;
  if (name === undefined) return null;
  const ends = { open: `<${name}`, close: `</${name}>` };
  if (/^(?:del|s|strike)$/.test(name)) return { as: "struck", ...ends };
  if (!/\b(?:style|hidden)\b/i.test(content)) return null;
  const { hidden, struck } = unseenIn(treeOf(`${content}.`, false));
  return hidden.size > 0 ? { as: "hidden", ...ends } : struck.size > 0 ? { as: "struck", ...ends } : null;
}

const endKey = ({ type, content }: Token): string =>
  type === "html_inline" ? (/^<[a-z][a-z0-9]*/i.exec(content)?.[0] ?? content).toLowerCase() : type;

/** Returns inline tokens without hidden or struck-out text, recorded in `left`. An unclosed mark is ignored. */
function withoutMarked(tokens: readonly Token[], left: LeftOut): Token[] {
  const last = new Map(tokens.map((token, at) => [endKey(token), at]));
  const kept: Token[] = [];
  let open: { mark: Mark; depth: number; text: string } | undefined;
  for (const [at, token] of tokens.entries()) {
    if (!open) {
      const mark = markOf(token);
      if (mark && (last.get(mark.close) ?? -1) > at) open = { mark, depth: 1, text: "" };
      else kept.push(token);
      continue;
    }
    const key = endKey(token);
    if (key === open.mark.open) open.depth++;
    else if (key === open.mark.close) open.depth--;
    else if (token.type !== "html_inline") open.text += token.content;
    if (open.depth > 0 && at < tokens.length - 1) continue;
    if (open.mark.as === "struck") left.struck++;
    else left.hidden.push(open.text);
    open = undefined;
  }
  return kept;
}

const shiftTag = /^<(sup|sub)\b/i;

/** Returns the position of the text after a tag; null if the tag does not change it. */
function shiftAfter(tag: string): Shift | undefined | null {
  const name = shiftTag.exec(tag)?.[1]?.toLowerCase();
  if (name !== undefined) return name === "sup" ? "above" : "below";
  return /^<\/su[pb]\b/i.test(tag) ? undefined : null;
}

/** Returns the text of inline tokens, without images, tags and footnote references. */
function wordsOf(tokens: readonly Token[]): string {
  const text = new LineJoiner();
  let line = "";
  /** Text of the open link, if it leads to an anchor of the same page. */
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

/** Converts tokens to blocks, in document order. */
class Reader {
  readonly blocks: Block[] = [];
  /** The numbers of list items whose text has not been read yet; null outside an item's first paragraph. */
  private marker: string | null = null;
  private table: string[][] = [];
  private opened: Token | undefined;

  constructor(
    private readonly page: number | null,
    private readonly left: LeftOut,
  ) {}

  read(tokens: readonly Token[]): void {
    for (const token of tokens) this.take(token);
  }

  private take(token: Token): void {
    if (token.level >= deepest - 1)
      throw new Refused("broken", `its lists or quotes are nested more than ${deepest} deep`);
    const { type, content } = token;
    if (type === "list_item_open") {
      // A clause's number is part of its text; a bullet is not.
      const number = token.info === "" ? "" : `${token.info}${token.markup} `;
      this.marker = (this.marker ?? "") + number;
    } else if (type === "list_item_close") this.endItem();
    else if (type === "table_open") this.table = [];
    else if (type === "tr_open") this.table.push([]);
    else if (type === "table_close") this.add(tableBlocks(this.table, this.page, true));
    else if (type === "inline") this.inline(token);
    else if (type === "fence") this.lines(content);
    else if (type === "html_block") {
      const { blocks, hidden, struck } = htmlBlocks(content);
      this.left.hidden.push(...hidden);
      this.left.struck += struck;
      this.add(blocks);
    }
    if (token.nesting === 1) this.opened = token;
  }

  private add(blocks: readonly Block[]): void {
    for (const one of blocks) this.blocks.push({ ...one, page: this.page });
  }

  /** A number with no text in its item belongs to the text after the list. */
  private endItem(): void {
    const alone = tidy(this.marker ?? "");
    if (alone !== "") this.blocks.push(block("paragraph", alone, this.page));
    this.marker = null;
  }

  private inline({ children, content }: Token): void {
    const words = wordsOf(withoutMarked(children ?? [], this.left));
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
      // An escaped bullet, or one indented too far for a list item, still looks like one to a reader.
      const sign = /^[-–•·*+]\s+/.exec(text)?.[0].length;
      const kind = sign !== undefined || this.marker !== null ? "item" : "paragraph";
      this.blocks.push(block(kind, text.slice(sign ?? 0), this.page));
    }
    this.marker = null;
  }

  /** Adds each line of a code block as a paragraph. */
  private lines(content: string): void {
    for (const line of content.split("\n").map(tidy))
      if (line !== "") this.blocks.push(block("paragraph", line, this.page));
  }
}

const pageBreak = /<!--\s*page\s?-?break\s*-->|\\(?:newpage|pagebreak)\b/i;

/** Removes comments, which may be page headers and footers. An unclosed comment loses only its opening mark. */
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
 * Returns the blocks of a Markdown text without front matter, and what was omitted. Pages are numbered if the text
 * marks page breaks.
 */
function markdownBlocks(text: string): { blocks: Block[]; pages: number | null; left: LeftOut } {
  const parts = text.replace(/[\u2028\u2029]/g, "\n").split(pageBreak);
  const paged = parts.length > 1;
  const left: LeftOut = { hidden: [], struck: 0 };
  const blocks = parts.flatMap((part, i) => {
    const reader = new Reader(paged ? i + 1 : null, left);
    // A footnote's text is kept in place. The parser would take a short one for a link definition.
    reader.read(parser.parse(withoutComments(part).replace(/^ {0,3}\[\^[\w-]+\]:/gm, ""), {}));
    return reader.blocks;
  });
  return { blocks, pages: paged ? parts.length : null, left };
}

function extract(bytes: Uint8Array): Extracted {
  const { blocks, pages, left } = markdownBlocks(splitFrontMatter(decodeText(bytes)).body);
  const title = blocks.find(({ kind, level }) => kind === "heading" && level === 1)?.text ?? null;
  const notes = [...leftOutAs("hidden", left.hidden), ...struckOut(left.struck)];
  return { format: "markdown", blocks, pages, title, language: null, notes };
}

/** Markdown files. Front matter provides facts, not text. */
export const markdown: Extractor = { format: "markdown", extensions: [".md", ".markdown"], extract };
