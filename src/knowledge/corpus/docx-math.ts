import type { Attributes } from "./docx-xml.ts";

/** Brackets around parts of a formula, by element name. */
const brackets: Readonly<Record<string, readonly [string, string]>> = {
  "m:num": ["(", ")"],
  "m:den": ["/(", ")"],
  "m:sup": ["^(", ")"],
  "m:sub": ["_(", ")"],
  "m:rad": ["√(", ")"],
  "m:deg": ["[", "]"],
};
/** Elements whose parts are separated by semicolons. */
const rows = new Set(["m:mr", "m:eqArr"]);

/** Maximum length, in characters, of a symbol specified by a formula, because it is repeated for each part. */
const signAtMost = 2;

interface Open {
  readonly name: string;
  parts: number;
  begin: string;
  end: string;
  separator: string;
}

/** Redundant brackets around a single number or letter. */
const single = String.raw`\((\d+(?:[.,]\d+)?|\p{L})\)`;
const needless = new RegExp(String.raw`(?<=[\^_/√])${single}|(?<![\p{L}\p{N}])${single}(?=/)`, "gu");

/** Writes a formula (ECMA-376, part 1, 22.1) on one line: `a/b`, `10^6`, `(1+r)^n`. */
export class Formula {
  private readonly parts: string[] = [];
  private readonly stack: Open[] = [];

  open(name: string, attributes: Attributes): void {
    const value = (attributes["m:val"] ?? "").slice(0, signAtMost);
    const parent = this.stack.at(-1);
    if (name === "m:e" && parent) this.part(parent);
    const [begin = "", end = ""] = brackets[name] ?? [];
    this.parts.push(begin);
    const owner = this.stack.at(-2);
    if (name === "m:begChr" && owner) owner.begin = value;
    else if (name === "m:endChr" && owner) owner.end = value;
    else if (name === "m:sepChr" && owner) owner.separator = ` ${value} `;
    else if (name === "m:chr" && parent?.name === "m:naryPr") parent.end = value;
    const own = { name, parts: 0, begin: "", end, separator: rows.has(name) ? "; " : "" };
    if (name === "m:d") this.stack.push({ ...own, begin: "(", end: ")", separator: " | " });
    else if (name === "m:func") this.stack.push({ ...own, begin: "(", end: ")" });
    else if (name === "m:naryPr") this.stack.push({ ...own, end: "∫" });
    else this.stack.push(own);
  }

  private part(parent: Open): void {
    this.parts.push(parent.parts++ === 0 ? parent.begin : parent.separator);
  }

  close(): void {
    this.parts.push(this.stack.pop()?.end ?? "");
  }

  /** Adds text of the open element. */
  add(text: string): void {
    if (this.stack.at(-1)?.name === "m:t") this.parts.push(text);
  }

  get text(): string {
    return this.parts
      .join("")
      .replaceAll("[]", "")
      .replace(needless, (_, after?: string, before?: string) => after ?? before ?? "");
  }
}
