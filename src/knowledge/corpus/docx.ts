import { type CheerioAPI, load } from "cheerio";
import type { AnyNode, Element } from "domhandler";
import { type Block, block, type Extracted, heading, Refused, tableBlocks, tidy } from "./blocks.ts";
import { Numbering } from "./docx-numbering.ts";
import { docxParts } from "./docx-parts.ts";

const isElement = (node: AnyNode): node is Element => "attribs" in node;
const childrenOf = (node: Element | undefined, name?: string): Element[] =>
  (node?.children ?? []).filter(
    (child): child is Element => isElement(child) && (name === undefined || child.name === name),
  );
const childOf = (node: Element | undefined, name: string): Element | undefined => childrenOf(node, name)[0];
const attributeOf = (node: Element | undefined): string | undefined => node?.attribs["w:val"];

/** Deleted text, the second rendering of what older programs can't show, field codes, and what floats or is hidden. */
const unread = new Set([
  "w:del",
  "w:moveFrom",
  "mc:Fallback",
  "w:instrText",
  "w:delText",
  "w:pPr",
  "w:rPr",
  "w:footnoteReference",
]);

interface Style {
  /** 1 the highest; 0: no heading. */
  readonly level: number;
  readonly list: { readonly id: string; readonly level: number } | undefined;
  readonly isTitle: boolean;
}

const listOf = (properties: Element | undefined): Style["list"] => {
  const numbered = childOf(properties, "w:numPr");
  const id = attributeOf(childOf(numbered, "w:numId"));
  return id === undefined ? undefined : { id, level: Number(attributeOf(childOf(numbered, "w:ilvl")) ?? 0) };
};

/** The styles by their ids. A style takes over from the one that it is based on. */
function stylesOf($: CheerioAPI | undefined): Map<string, Style> {
  const styles = new Map<string, Style>();
  if (!$) return styles;
  const nodes = new Map(
    $("w\\:style")
      .toArray()
      .map((node) => [node.attribs["w:styleId"] ?? "", node]),
  );
  const read = (id: string, depth: number): Style => {
    const node = nodes.get(id);
    const based = attributeOf(childOf(node, "w:basedOn"));
    const base = based !== undefined && depth < 20 ? read(based, depth + 1) : undefined;
    const name = attributeOf(childOf(node, "w:name")) ?? "";
    const properties = childOf(node, "w:pPr");
    const outline = attributeOf(childOf(properties, "w:outlineLvl"));
    const named = /^(?:heading|nadpis|überschrift|nagłówek|titre)\s*([1-9])$/i.exec(name)?.[1];
    const level =
      outline !== undefined ? Number(outline) + 1 : named !== undefined ? Number(named) : (base?.level ?? 0);
    const isTitle = /^(title|název|titel|názov|tytuł)$/i.test(name);
    return { level: level > 9 ? 0 : level, list: listOf(properties) ?? base?.list, isTitle };
  };
  for (const id of nodes.keys()) styles.set(id, read(id, 0));
  return styles;
}

/** A paragraph's words. A loop and not a recursion: files nest as deep as they like. */
function textOf(root: Element): string {
  const open: AnyNode[] = [...root.children].reverse();
  let text = "";
  for (let node = open.pop(); node; node = open.pop()) {
    if (!isElement(node) || unread.has(node.name)) continue;
    if (node.name === "w:t") text += node.children.map((child) => (child.type === "text" ? child.data : "")).join("");
    else if (node.name === "w:tab" || node.name === "w:br" || node.name === "w:cr") text += " ";
    else if (node.name === "w:noBreakHyphen") text += "-";
    else open.push(...[...node.children].reverse());
  }
  return tidy(text);
}

class Reader {
  readonly blocks: Block[] = [];
  title: string | null = null;

  constructor(
    private readonly styles: ReadonlyMap<string, Style>,
    private readonly numbering: Numbering,
  ) {}

  /** Reads what stands below one another; wrappers such as content controls are looked into. */
  read(root: Element): void {
    const open = [...root.children].reverse();
    for (let node = open.pop(); node; node = open.pop()) {
      if (!isElement(node) || unread.has(node.name)) continue;
      if (node.name === "w:p") this.paragraph(node);
      else if (node.name === "w:tbl") this.blocks.push(...this.table(node));
      else open.push(...[...node.children].reverse());
    }
  }

  private paragraph(node: Element): void {
    const properties = childOf(node, "w:pPr");
    const style = this.styles.get(attributeOf(childOf(properties, "w:pStyle")) ?? "");
    const outline = attributeOf(childOf(properties, "w:outlineLvl"));
    const level = outline !== undefined && Number(outline) < 9 ? Number(outline) + 1 : (style?.level ?? 0);
    const list = listOf(properties) ?? style?.list;
    const words = textOf(node);
    if (words === "") return;
    const number = list && list.id !== "0" ? this.numbering.next(list.id, list.level) : "";
    const text = tidy(`${number} ${words}`);
    if (style?.isTitle === true) this.title ??= words;
    if (level > 0 || style?.isTitle) this.blocks.push(heading(text, Math.max(1, level)));
    else this.blocks.push(block(list && list.id !== "0" && number === "" ? "item" : "paragraph", text));
  }

  /** Rows of cells; a table inside a cell is read as the cell's text. */
  private table(node: Element): Block[] {
    const rows = childrenOf(node, "w:tr");
    const cells = rows.map((row) =>
      childrenOf(row).flatMap((child) => {
        const cell = child.name === "w:sdt" ? childOf(childOf(child, "w:sdtContent"), "w:tc") : child;
        if (cell?.name !== "w:tc") return [];
        const properties = childOf(cell, "w:tcPr");
        const span = Math.min(20, Number(attributeOf(childOf(properties, "w:gridSpan")) ?? 1) || 1);
        return [cellText(cell), ...Array<string>(span - 1).fill("")];
      }),
    );
    return tableBlocks(cells, null, true);
  }
}

/** The paragraphs of a cell, those of tables inside it too. */
function cellText(cell: Element): string {
  const open = [...cell.children].reverse();
  const texts: string[] = [];
  for (let node = open.pop(); node; node = open.pop()) {
    if (!isElement(node)) continue;
    if (node.name === "w:p") texts.push(textOf(node));
    else open.push(...[...node.children].reverse());
  }
  return texts.filter((text) => text !== "").join(" ");
}

const parse = (xml: string | undefined): CheerioAPI | undefined =>
  xml === undefined ? undefined : load(xml, { xml: { xmlMode: true, decodeEntities: true } });

/** Reads a Word document: headings by their styles, the numbers of lists, tables; changes as if accepted. */
export function extractDocx(bytes: Uint8Array): Extracted {
  const parts = docxParts(bytes);
  const $ = parse(parts.get("word/document.xml"));
  const body = $?.("w\\:body").toArray()[0];
  if (!body) throw new Refused("broken", "it is no Word document: it has no body");
  const numbering = new Numbering(parse(parts.get("word/numbering.xml")));
  const reader = new Reader(stylesOf(parse(parts.get("word/styles.xml"))), numbering);
  reader.read(body);
  const core = parse(parts.get("docProps/core.xml"));
  const title = reader.title ?? tidy(core?.("dc\\:title").first().text() ?? "");
  const first = reader.blocks.find(({ kind, level }) => kind === "heading" && level === 1)?.text;
  const language = core?.("dc\\:language").first().text().slice(0, 2).toLowerCase() ?? "";
  return {
    format: "docx",
    blocks: reader.blocks,
    pages: null,
    title: title !== "" ? title : (first ?? null),
    language: /^[a-z]{2}$/.test(language) ? language : null,
    notes: [],
  };
}
