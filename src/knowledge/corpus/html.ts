import type { CheerioAPI } from "cheerio";
import type { AnyNode, Element } from "domhandler";
import { type Block, block, type Extracted, type Extractor, heading, tableBlocks, tidy } from "./blocks.ts";
import { decodeText } from "./decode.ts";
import { aroundText, beside } from "./html-around.ts";
import { deepest, flowing, isElement, openChildren, prepare, type Removed, textIn, treeOf } from "./html-tree.ts";
import { unseenIn } from "./html-unseen.ts";
import { leftOutAs, struckOut } from "./left-out.ts";

/** Collects a tree's blocks. Block elements separate paragraphs; inline elements do not. */
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

/** Returns a table's cells. A header that spans several columns is repeated for each of them. */
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

/** Removes surroundings and hidden or struck-out text from a page. Throws `Refused`. */
function removeFrom($: CheerioAPI, around: ReadonlySet<AnyNode>): Removed {
  const unwanted = { around, ...unseenIn($) };
  const removed = $.root()
    .toArray()
    .map((root) => prepare(root, unwanted));
  return {
    around: removed.flatMap((one) => one.around),
    hidden: removed.flatMap((one) => one.hidden),
    struck: removed.reduce((places, { struck }) => places + struck, 0),
  };
}

/** Returns the blocks of HTML in another format, such as a Markdown table, and what was omitted. Throws `Refused`. */
export function htmlBlocks(text: string): { blocks: Block[]; hidden: string[]; struck: number } {
  const $ = treeOf(text, false);
  const { hidden, struck } = removeFrom($, new Set());
  const walker = new Walker();
  for (const node of $.root().contents().toArray()) walker.walk(node, 0);
  walker.flush();
  return { blocks: walker.blocks, hidden: hidden.map(textIn), struck };
}

const charset = /<meta[^<>]+charset\s*=\s*(?:["']\s*)?([\w-]+)/i;

function extract(bytes: Uint8Array): Extracted {
  const declared = charset.exec(new TextDecoder("windows-1252").decode(bytes.subarray(0, 4096)))?.[1];
  const page = decodeText(bytes, declared);
  const $ = treeOf(page, true);
  const titles = [$("h1").first(), $("title").first()];
  const language = $("html").attr("lang")?.slice(0, 2).toLowerCase();
  const removed = removeFrom($, aroundText($));
  const mains = $("main, [role=main]");
  const articles = $("article");
  const root = mains.length === 1 ? mains : articles.length === 1 ? articles : $("body");
  const around = [...removed.around, ...beside($("body").get(0), root.get(0))];
  // Directly in the body these belong to the page; inside an article they may contain its title.
  if (root.is("body")) around.push(...root.children("header, footer").remove().toArray());
  const walker = new Walker();
  for (const node of root.contents().toArray()) walker.walk(node, 0);
  walker.flush();
  const title = titles.map((one) => tidy(one.text())).find((text) => text !== "");
  return {
    format: "html",
    blocks: walker.blocks,
    pages: null,
    title: title ?? null,
    language: language !== undefined && /^[a-z]{2}$/.test(language) ? language : null,
    notes: [
      ...leftOutAs("outside the main text", around.map(textIn)),
      ...leftOutAs("hidden", removed.hidden.map(textIn)),
      ...struckOut(removed.struck),
    ],
  };
}

/** Web pages: their text without navigation, banners and scripts. */
export const html: Extractor = { format: "html", extensions: [".html", ".htm", ".xhtml"], extract };
