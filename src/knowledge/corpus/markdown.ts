import MarkdownIt, { type StateBlock, type Token } from "markdown-it";
import { type Block, block, type Extracted, type Extractor, heading, Refused, tableBlocks, tidy } from "./blocks.ts";
import { decodeText } from "./decode.ts";
import { htmlBlocks } from "./html.ts";
import { treeOf } from "./html-tree.ts";
import { unseenIn } from "./html-unseen.ts";
import { leftOutAs, struckOut } from "./left-out.ts";
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

/** What is left out of a text. */
interface LeftOut {
  /** The words that are hidden. */
  readonly hidden: string[];
  /** In how many places text is struck out. */
  struck: number;
}

/** What hides or strikes out text, with the keys of the tokens that open and close it. */
interface Mark {
  readonly as: "hidden" | "struck";
  readonly open: string;
  readonly close: string;
}

/** The mark that a token begins; null: none. */
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

/** Inline tokens without what is hidden or struck out, which is added to `left`. A mark that never ends is none. */
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
  /** The numbers of list items whose text is yet to come; null outside of an item's first paragraph. */
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

  /** A number with nothing after it: the text that it numbers follows the list. */
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
 * The blocks of a Markdown text without front matter, and what is left out. Pages are counted when the text marks their
 * breaks.
 */
function markdownBlocks(text: string): { blocks: Block[]; pages: number | null; left: LeftOut } {
  const parts = text.replace(/[\u2028\u2029]/g, "\n").split(pageBreak);
  const paged = parts.length > 1;
  const left: LeftOut = { hidden: [], struck: 0 };
  const blocks = parts.flatMap((part, i) => {
    const reader = new Reader(paged ? i + 1 : null, left);
    // A footnote's text is read where it is; the parser would take a short one for the target of a link.
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

/** Markdown files; their front matter is facts, not text. */
export const markdown: Extractor = { format: "markdown", extensions: [".md", ".markdown"], extract };
