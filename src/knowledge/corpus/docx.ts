import { type Block, block, type Extracted, type Extractor, heading, Refused, tableBlocks, tidy } from "./blocks.ts";
import { Numbering } from "./docx-numbering.ts";
import { docxParts, type Part } from "./docx-parts.ts";
import { RunText, Unread } from "./docx-runs.ts";
import { type CharacterLook, docxStyles, Properties, type Style } from "./docx-styles.ts";
import { type Attributes, readXml, type XmlReader } from "./docx-xml.ts";

/** Maximum column span of a cell, so that a number alone can't create a huge table. */
const spanAtMost = 20;

/** The outermost table being read. */
interface Table {
  readonly rows: string[][];
  /** The paragraphs of the open cell, including those of nested tables. */
  cell: string[];
  span: number;
  /** Number of open tables, including nested ones. */
  depth: number;
}

/** Converts the body to blocks: paragraphs with their numbers, and tables. A text box is part of its paragraph. */
class BodyReader implements XmlReader {
  readonly blocks: Block[] = [];
  title: string | null = null;
  hasBody = false;
  private readonly words: RunText;
  private properties = new Properties();
  /** Number of open paragraphs; more than one inside a text box. */
  private paragraphs = 0;
  private isProperty = false;
  private table: Table | undefined;
  /** Texts of the footnotes referenced so far, to be added after the current paragraph or table. */
  private pendingNotes: string[] = [];

  constructor(
    private readonly styles: ReadonlyMap<string, Style>,
    private readonly numbering: Numbering,
    private readonly notes: Map<string, string>,
    looks: ReadonlyMap<string, CharacterLook>,
    private readonly unread: Unread,
  ) {
    this.words = new RunText(looks, unread);
  }

  open(name: string, attributes: Attributes): void {
    if (name === "w:body") this.hasBody = true;
    else if (name === "w:pPr") this.isProperty = true;
    else if (this.isProperty) this.property(name, attributes);
    else if (name === "w:footnoteReference" || name === "w:endnoteReference") this.note(name, attributes["w:id"] ?? "");
    else if (name === "w:p" && this.paragraphs++ === 0) this.properties = new Properties();
    else if (this.paragraphs > 0) this.words.open(name, attributes);
    else {
      this.unread.open(name);
      this.openTable(name, attributes);
    }
  }

  close(name: string): void {
    if (name === "w:pPr") this.isProperty = false;
    else if (name === "w:p" && --this.paragraphs === 0) this.paragraph(tidy(this.words.take()));
    else if (this.paragraphs > 0) this.words.close(name);
    else if (this.table) this.closeTable(this.table, name);
  }

  text(text: string): void {
    if (!this.isProperty) this.words.add(text);
  }

  private property(name: string, attributes: Attributes): void {
    if (this.paragraphs === 1) this.properties.open(name, attributes);
  }

  /** Adds a note at its first reference only. */
  private note(name: string, id: string): void {
    const key = `${name.slice(0, -"Reference".length)} ${id}`;
    const text = this.notes.get(key) ?? "";
    if (text !== "") this.pendingNotes.push(text);
    this.notes.delete(key);
  }

  private openTable(name: string, attributes: Attributes): void {
    const { table } = this;
    if (name === "w:tbl") {
      if (table) table.depth++;
      else this.table = { rows: [], cell: [], span: 1, depth: 1 };
    } else if (table?.depth !== 1) return;
    else if (name === "w:tr") table.rows.push([]);
    else if (name === "w:tc") [table.cell, table.span] = [[], 1];
    else if (name === "w:gridSpan") table.span = Math.min(spanAtMost, Number(attributes["w:val"] ?? 1) || 1);
  }

  private closeTable(table: Table, name: string): void {
    if (name === "w:tc" && table.depth === 1)
      table.rows.at(-1)?.push(table.cell.join(" "), ...Array<string>(Math.max(0, table.span - 1)).fill(""));
    if (name !== "w:tbl" || --table.depth > 0) return;
    this.table = undefined;
    for (const row of tableBlocks(table.rows, null, true)) this.blocks.push(row);
    this.addNotes();
  }

  private paragraph(words: string): void {
    if (this.table) {
      if (words !== "") this.table.cell.push(words);
      return;
    }
    if (words !== "") this.addParagraph(words);
    this.addNotes();
  }

  private addParagraph(words: string): void {
    const { properties } = this;
    const style = this.styles.get(properties.style ?? "");
    const level = properties.level ?? style?.level ?? 0;
    const list = properties.list ?? style?.list;
    const isListed = list !== undefined && list.id !== "0";
    const number = isListed ? this.numbering.next(list.id, list.level) : "";
    const text = tidy(`${number} ${words}`);
    if (style?.isTitle === true) this.title ??= words;
    if (level > 0 || style?.isTitle) this.blocks.push(heading(text, Math.max(1, level)));
    else this.blocks.push(block(isListed && number === "" ? "item" : "paragraph", text));
  }

  private addNotes(): void {
    for (const text of this.pendingNotes) this.blocks.push(block("paragraph", text));
    this.pendingNotes = [];
  }
}

/** Adds the texts of footnotes or endnotes, keyed like `w:footnote 2`. */
function readNotes(part: Part | undefined, texts: Map<string, string>, words: RunText): void {
  let key = "";
  readXml(part, {
    open(name, attributes) {
      if (name === "w:footnote" || name === "w:endnote") key = `${name} ${attributes["w:id"] ?? ""}`;
      else words.open(name, attributes);
    },
    close(name) {
      if (name === "w:footnote" || name === "w:endnote") texts.set(key, tidy(words.take()));
      else words.close(name);
    },
    text: (text) => words.add(text),
  });
}

/** Returns the file's metadata: the first `dc:title` and `dc:language`. */
function readCore(part: Part | undefined): { title: string; language: string } {
  const texts = new Map<string, string>();
  let element = "";
  readXml(part, {
    open(name) {
      element = texts.has(name) ? "" : name;
      if (element !== "") texts.set(element, "");
    },
    close: () => {
      element = "";
    },
    text: (text) => {
      if (element !== "") texts.set(element, (texts.get(element) ?? "") + text);
    },
  });
  return {
    title: tidy(texts.get("dc:title") ?? ""),
    language: (texts.get("dc:language") ?? "").slice(0, 2).toLowerCase(),
  };
}

function extract(bytes: Uint8Array): Extracted {
  const parts = docxParts(bytes);
  const notes = new Map<string, string>();
  const styles = docxStyles(parts.get("styles"));
  const looks = new Map([...styles].map(([id, { look }]) => [id, look] as const));
  const unread = new Unread();
  readNotes(parts.get("footnotes"), notes, new RunText(looks, unread));
  readNotes(parts.get("endnotes"), notes, new RunText(looks, unread));
  const reader = new BodyReader(styles, new Numbering(parts.get("numbering")), notes, looks, unread);
  readXml(parts.get("document"), reader);
  if (!reader.hasBody) throw new Refused("broken", "it is not a Word document: it has no body");
  const core = readCore(parts.get("core"));
  const first = reader.blocks.find(({ kind, level }) => kind === "heading" && level === 1)?.text ?? null;
  return {
    format: "docx",
    blocks: reader.blocks,
    pages: null,
    title: reader.title ?? (core.title === "" ? first : core.title),
    language: /^[a-z]{2}$/.test(core.language) ? core.language : null,
    notes: unread.notes,
  };
}

/** Word documents: headings by style, list numbers, tables and notes; tracked changes count as accepted. */
export const docx: Extractor = { format: "docx", extensions: [".docx"], extract };
