import type { Part } from "./docx-parts.ts";
import { type Attributes, readXml } from "./docx-xml.ts";

/** What the properties of a style or a paragraph say of its place in the document. */
export class Properties {
  style: string | undefined;
  private outline: number | undefined;
  private listId: string | undefined;
  private listLevel = 0;

  /** Takes an element from inside `w:pPr`. */
  open(name: string, { "w:val": value }: Attributes): void {
    if (name === "w:pStyle") this.style = value;
    else if (name === "w:outlineLvl" && value !== undefined) this.outline = Number(value);
    else if (name === "w:numId") this.listId = value;
    else if (name === "w:ilvl") this.listLevel = Number(value ?? 0);
  }

  /** Of a heading, 1 the highest; 0: text, though its style is a heading's. Undefined: they don't say. */
  get level(): number | undefined {
    if (this.outline === undefined) return undefined;
    return this.outline >= 0 && this.outline < 9 ? this.outline + 1 : 0;
  }

  get list(): List | undefined {
    return this.listId === undefined ? undefined : { id: this.listId, level: this.listLevel };
  }
}

export interface List {
  readonly id: string;
  readonly level: number;
}

export interface Style {
  /** 1 the highest; 0: no heading. */
  readonly level: number;
  readonly list: List | undefined;
  readonly isTitle: boolean;
}

/** A style as it is written, before it takes over from the one that it is based on. */
interface Written {
  readonly properties: Properties;
  name: string;
  basedOn: string | undefined;
}

const headingName = /^(?:heading|nadpis|überschrift|nagłówek|titre)\s*([1-9])$/i;
const titleName = /^(title|název|titel|názov|tytuł)$/i;
/** A longer chain of styles that are based on one another is a circle. */
const chainAtMost = 20;

function writtenStyles(part: Part | undefined): Map<string, Written> {
  const styles = new Map<string, Written>();
  let style: Written | undefined;
  let isProperty = false;
  readXml(part, {
    open(name, attributes) {
      if (name === "w:style") {
        style = { properties: new Properties(), name: "", basedOn: undefined };
        styles.set(attributes["w:styleId"] ?? "", style);
      } else if (name === "w:pPr") isProperty = true;
      else if (style && isProperty) style.properties.open(name, attributes);
      else if (style && name === "w:name") style.name = attributes["w:val"] ?? "";
      else if (style && name === "w:basedOn") style.basedOn = attributes["w:val"];
    },
    close(name) {
      if (name === "w:style") style = undefined;
      else if (name === "w:pPr") isProperty = false;
    },
  });
  return styles;
}

/** The styles of the styles part by their ids. A style takes over from the one that it is based on. */
export function docxStyles(part: Part | undefined): ReadonlyMap<string, Style> {
  const written = writtenStyles(part);
  const read = (id: string, chain: number): Style => {
    const { properties, name = "", basedOn } = written.get(id) ?? { properties: new Properties() };
    const base = basedOn !== undefined && chain < chainAtMost ? read(basedOn, chain + 1) : undefined;
    const named = headingName.exec(name)?.[1];
    const level = properties.level ?? (named === undefined ? base?.level : Number(named)) ?? 0;
    return { level, list: properties.list ?? base?.list, isTitle: titleName.test(name) };
  };
  return new Map([...written.keys()].map((id) => [id, read(id, 0)] as const));
}
