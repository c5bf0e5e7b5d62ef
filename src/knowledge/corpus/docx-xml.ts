import { Parser } from "htmlparser2";
import { Refused } from "./blocks.ts";
import type { Part } from "./docx-parts.ts";

/** How deep elements may be nested: word processors stay far below, and the parser's cost grows with the depth. */
const deepest = 1000;

/**
 * What no reader looks into: deleted text, the second rendering of what older programs can't show, field codes, and
 * properties as they were before a change.
 */
const unread = new Set([
  "w:del",
  "w:moveFrom",
  "mc:Fallback",
  "w:instrText",
  "w:delText",
  "w:rPrChange",
  "w:pPrChange",
  "w:tblStylePr",
]);

export type Attributes = Readonly<Record<string, string>>;

/** What a part's elements are reported to, in the order of the document. */
export interface XmlReader {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text?(text: string): void;
}

/**
 * Reads a part without making a tree of it: a few kilobytes can unpack to millions of elements, and a tree of those
 * takes gigabytes. Throws `Refused` for elements that are nested too deep.
 */
export function readXml(part: Part | undefined, reader: XmlReader): void {
  let [depth, skipped] = [0, 0];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > deepest) throw new Refused("broken", `its elements are nested more than ${deepest} deep`);
        if (skipped > 0 || unread.has(name)) skipped++;
        else reader.open(name, attributes);
      },
      onclosetag(name) {
        depth--;
        if (skipped > 0) skipped--;
        else reader.close(name);
      },
      ontext(text) {
        if (skipped === 0) reader.text?.(text);
      },
    },
    { xmlMode: true },
  );
  const decoder = new TextDecoder();
  for (const bytes of part ?? []) parser.write(decoder.decode(bytes, { stream: true }));
  parser.end(decoder.decode());
}
