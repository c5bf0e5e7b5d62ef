import { type CheerioAPI, load } from "cheerio";
import type { AnyNode, Element, ParentNode } from "domhandler";
import { adapter } from "parse5-htmlparser2-tree-adapter";
import { type Block, block, type Extracted, type Extractor, heading, Refused, tableBlocks, tidy } from "./blocks.ts";
import { decodeText } from "./decode.ts";

/** What a page has around its text. */
const around =
  "script, style, noscript, template, svg, iframe, object, form, button, input, select, nav, aside, dialog, head, " +
  "[hidden], [aria-hidden=true], [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog]";
const aroundNames =
  /(^|[-_\s])(cookie|consent|gdpr|breadcrumbs?|navbar|menu|sidebar|social|share|newsletter|skip-?link|pagination)s?($|[-_\s])/i;

const flowing = new Set(
  "a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

const isElement = (node: AnyNode): node is Element => "attribs" in node;

/** How deep elements may be nested: deeper ones are no text for people, and cost more than they are worth. */
const deepest = 500;
/** Elements of a tree for each tag of the text, and beyond that: what a parser adds to mend a page is less. */
const elementsPerTag = 4;
const elementsAdded = 100;

/**
 * Makes a tree of HTML. A few thousand tags that are never closed can make millions of elements, since each paragraph
 * opens them again: depth and number are counted while the tree grows. Throws `Refused`.
 */
function treeOf(text: string, isDocument: boolean): CheerioAPI {
  let most = elementsAdded;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) most += elementsPerTag;
  let [elements, depth] = [0, 0];
  const counting: typeof adapter = {
    ...adapter,
    createElement(...element) {
      if (++elements > most) throw new Refused("broken", "its elements are never closed");
      return adapter.createElement(...element);
    },
    onItemPush() {
      if (++depth > deepest) throw new Refused("broken", `its elements are nested more than ${deepest} deep`);
    },
    onItemPop() {
      depth--;
    },
  };
  return load(text, { treeAdapter: counting }, isDocument);
}

/** Collects a tree's blocks. Text between block elements makes paragraphs; inline elements don't break it. */
class Walker {
  readonly blocks: Block[] = [];
  private line = "";
  private kind: "paragraph" | "item" = "paragraph";

  flush(): void {
    const text = tidy(this.line);
    if (text !== "") this.blocks.push(block(this.kind, text));
    this.line = "";
  }

  walk(node: AnyNode, depth: number): void {
    if (node.type === "text") {
      this.line += node.data;
      return;
    }
    if (!isElement(node) || depth > deepest) return;
    const { name } = node;
    if (name === "br") this.line += " ";
    else if (flowing.has(name)) this.into(node, depth);
    else if (/^h[1-6]$/.test(name)) this.title(node, Number(name[1]));
    else if (name === "table") this.table(node);
    else if (name === "li" || name === "dt" || name === "dd") this.item(node, depth);
    else {
      this.flush();
      this.into(node, depth);
      this.flush();
    }
  }

  private into(node: Element, depth: number): void {
    for (const child of node.children) this.walk(child, depth + 1);
  }

  private title(node: Element, level: number): void {
    this.flush();
    const text = tidy(textIn(node));
    if (text !== "") this.blocks.push(heading(text, level));
  }

  private item(node: Element, depth: number): void {
    this.flush();
    const before = this.kind;
    this.kind = "item";
    this.into(node, depth);
    this.flush();
    this.kind = before;
  }

  private table(node: Element): void {
    this.flush();
    const rows = rowsOf(node);
    const caption = node.children.find((child) => isElement(child) && child.name === "caption");
    if (caption) this.blocks.push(block("paragraph", tidy(textIn(caption))));
    for (const row of tableBlocks(rows.cells, null, rows.headed)) this.blocks.push(row);
  }
}

/** Puts an element's children on a stack, the first one on top. */
function openChildren({ children }: Element, open: AnyNode[]): void {
  for (let at = children.length - 1; at >= 0; at--) {
    const child = children[at];
    if (child) open.push(child);
  }
}

/** Takes elements out of a tree, in one pass: removing each by itself searches among all of its siblings. */
function prune(root: ParentNode, unwanted: ReadonlySet<AnyNode>): void {
  const open = [root];
  for (let parent = open.pop(); parent; parent = open.pop()) {
    parent.children = parent.children.filter((child) => !unwanted.has(child));
    for (const child of parent.children) if ("children" in child) open.push(child);
  }
}

/** All text inside, without recursion: however deep it is nested. */
function textIn(root: AnyNode): string {
  const open: AnyNode[] = [root];
  let text = "";
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "text") text += node.data;
    else if (isElement(node)) {
      // Cells and lines of a heading or a cell are apart on the page, so they are in the text.
      if (!flowing.has(node.name)) text += " ";
      openChildren(node, open);
    }
  }
  return text;
}

/** A table's cells. A header over several columns is that of each, so that it stays above what it heads. */
function rowsOf(table: Element): { cells: string[][]; headed: boolean } {
  const rows: Element[] = [];
  const open: AnyNode[] = [];
  openChildren(table, open);
  for (let node = open.pop(); node; node = open.pop()) {
    if (!isElement(node)) continue;
    if (node.name === "tr") rows.push(node);
    else if (node.name !== "table") openChildren(node, open);
  }
  const cellsOf = (row: Element) =>
    row.children.filter((child): child is Element => isElement(child) && /^t[dh]$/.test(child.name));
  const first = rows[0];
  const inHead = first?.parent && isElement(first.parent) && first.parent.name === "thead";
  const headed = inHead || (first !== undefined && cellsOf(first).every(({ name }) => name === "th"));
  const cells = rows.map((row) =>
    cellsOf(row).flatMap((cell) => {
      const span = Math.min(20, Math.max(1, Number(cell.attribs.colspan ?? 1) || 1));
      return headed && row === first
        ? Array<string>(span).fill(textIn(cell))
        : [textIn(cell), ...Array<string>(span - 1).fill("")];
    }),
  );
  return { cells, headed: headed === true };
}

/** The blocks of HTML inside another format, such as a table in Markdown. Throws `Refused`. */
export function htmlBlocks(text: string): Block[] {
  const $ = treeOf(text, false);
  const walker = new Walker();
  for (const node of $.root().contents().toArray()) walker.walk(node, 0);
  walker.flush();
  return walker.blocks;
}

const charset = /<meta[^<>]+charset\s*=\s*(?:["']\s*)?([\w-]+)/i;

function extract(bytes: Uint8Array): Extracted {
  const declared = charset.exec(new TextDecoder("windows-1252").decode(bytes.subarray(0, 4096)))?.[1];
  const page = decodeText(bytes, declared);
  const $ = treeOf(page, true);
  const title = tidy($("h1").first().text()) || tidy($("title").first().text());
  const language = $("html").attr("lang")?.slice(0, 2).toLowerCase();
  const marked = $("[class], [id]").filter((_, { attribs }) =>
    aroundNames.test(`${attribs.class ?? ""} ${attribs.id ?? ""}`),
  );
  const unwanted = [...marked.not("html, body, main, article").toArray(), ...$(around).toArray()];
  for (const root of $.root().toArray()) prune(root, new Set(unwanted));
  const mains = $("main, [role=main]");
  const articles = $("article");
  const root = mains.length === 1 ? mains : articles.length === 1 ? articles : $("body");
  // Outside an article these are the page's own; inside it they may hold its title.
  if (root.is("body")) root.children("header, footer").remove();
  const walker = new Walker();
  for (const node of root.contents().toArray()) walker.walk(node, 0);
  walker.flush();
  return {
    format: "html",
    blocks: walker.blocks,
    pages: null,
    title: title === "" ? null : title,
    language: language !== undefined && /^[a-z]{2}$/.test(language) ? language : null,
    notes: [],
  };
}

/** Web pages: their text without navigation, banners and scripts. */
export const html: Extractor = { format: "html", extensions: [".html", ".htm", ".xhtml"], extract };
