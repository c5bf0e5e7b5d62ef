import type { Part } from "./docx-parts.ts";
import { type Attributes, readXml } from "./docx-xml.ts";
import type { Shift } from "./shifted.ts";

/** The properties of a style or paragraph that determine its place in the document. */
export class Properties {
  style: string | undefined;
  private outline: number | undefined;
  private listId: string | undefined;
  private listLevel = 0;

  /** Reads an element inside `w:pPr`. */
  open(name: string, { "w:val": value }: Attributes): void {
    if (name === "w:pStyle") this.style = value;
    else if (name === "w:outlineLvl" && value !== undefined) this.outline = Number(value);
    else if (name === "w:numId") this.listId = value;
    else if (name === "w:ilvl") this.listLevel = Number(value ?? 0);
  }

  /** Heading level, 1 the highest; 0: text, even if its style is a heading's; undefined if not specified. */
  get level(): number | undefined {
    if (this.outline === undefined) return undefined;
    return this.outline >= 0 && this.outline < 9 ? this.outline + 1 : 0;
  }

  get list(): List | undefined {
    return this.listId === undefined ? undefined : { id: this.listId, level: this.listLevel };
  }
}

/** Character formatting, as far as it affects meaning. */
export interface CharacterLook {
  readonly shift: Shift | undefined;
  readonly isHidden: boolean;
  readonly isStruck: boolean;
  readonly font: string | undefined;
}

const shifts: Readonly<Record<string, Shift>> = { superscript: "above", subscript: "below" };
const isOn = (value: string | undefined): boolean => !/^(?:0|false|off)$/.test(value ?? "");

/** The formatting properties of a run or a character style. */
export class Look {
  private style: string | undefined;
  private shift: Shift | "none" | undefined;
  private isHidden: boolean | undefined;
  private isStruck: boolean | undefined;
  private font: string | undefined;

  /** Reads an element inside `w:rPr`. */
  open(name: string, attributes: Attributes): void {
    const { "w:val": value } = attributes;
    if (name === "w:rStyle") this.style = value;
    else if (name === "w:vertAlign") this.shift = shifts[value ?? ""] ?? "none";
    else if (name === "w:vanish") this.isHidden = isOn(value);
    else if (name === "w:strike" || name === "w:dstrike") this.isStruck = this.isStruck === true || isOn(value);
    else if (name === "w:rFonts") this.font = attributes["w:ascii"] ?? attributes["w:hAnsi"] ?? this.font;
  }

  /** Returns this formatting applied over that of its style. */
  over(styles: ReadonlyMap<string, CharacterLook>): CharacterLook {
    return this.on(styles.get(this.style ?? ""));
  }

  /** Returns this formatting applied over another. */
  on(base: CharacterLook | undefined): CharacterLook {
    const shift = this.shift ?? base?.shift;
    return {
      shift: shift === "none" ? undefined : shift,
      isHidden: this.isHidden ?? base?.isHidden ?? false,
      isStruck: this.isStruck ?? base?.isStruck ?? false,
      font: this.font ?? base?.font,
    };
  }
}

export interface List {
  readonly id: string;
  readonly level: number;
}

export interface Style {
  /** 1 the highest; 0: not a heading. */
  readonly level: number;
  readonly list: List | undefined;
  readonly isTitle: boolean;
  readonly look: CharacterLook;
}

/** A style as written, before it inherits from its base style. */
interface Written {
  readonly properties: Properties;
  readonly look: Look;
  name: string;
  basedOn: string | undefined;
}

const headingName = /^(?:heading|nadpis|überschrift|nagłówek|titre)\s*([1-9])$/i;
const titleName = /^(title|název|titel|názov|tytuł)$/i;
/** Maximum depth of style inheritance; a longer chain is a cycle. */
const chainAtMost = 20;

function writtenStyles(part: Part | undefined): Map<string, Written> {
  const styles = new Map<string, Written>();
  let style: Written | undefined;
  let isProperty = false;
  let isLook = false;
  readXml(part, {
    open(name, attributes) {
      if (name === "w:style") {
        style = { properties: new Properties(), look: new Look(), name: "", basedOn: undefined };
        styles.set(attributes["w:styleId"] ?? "", style);
      } else if (name === "w:pPr") isProperty = true;
      else if (name === "w:rPr") isLook = true;
      else if (style && isLook) style.look.open(name, attributes);
      else if (style && isProperty) style.properties.open(name, attributes);
      else if (style && name === "w:name") style.name = attributes["w:val"] ?? "";
      else if (style && name === "w:basedOn") style.basedOn = attributes["w:val"];
    },
    close(name) {
      if (name === "w:style") style = undefined;
      else if (name === "w:pPr") isProperty = false;
      else if (name === "w:rPr") isLook = false;
    },
  });
  return styles;
}

/** Returns the styles by id, each with what it inherits from its base style. */
export function docxStyles(part: Part | undefined): ReadonlyMap<string, Style> {
  const written = writtenStyles(part);
  const read = (id: string, chain: number): Style => {
    const {
      properties,
      look,
      name = "",
      basedOn,
    } = written.get(id) ?? {
      properties: new Properties(),
      look: new Look(),
    };
    const base = basedOn !== undefined && chain < chainAtMost ? read(basedOn, chain + 1) : undefined;
    const named = headingName.exec(name)?.[1];
    const level = properties.level ?? (named === undefined ? base?.level : Number(named)) ?? 0;
    return { level, list: properties.list ?? base?.list, isTitle: titleName.test(name), look: look.on(base?.look) };
  };
  return new Map([...written.keys()].map((id) => [id, read(id, 0)] as const));
}
