import { Parser } from "htmlparser2";
import { Refused } from "./blocks.ts";
import type { Part } from "./docx-parts.ts";

/** Maximum nesting of elements. Word processors stay far below it, and the parser's cost grows with the depth. */
const deepest = 1000;

/**
 * Elements that are skipped: deleted text, fallback content for older programs, field codes, and properties before a
 * tracked change.
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

/** Receives a part's elements in document order. */
export interface XmlReader {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  text?(text: string): void;
}

/**
 * Parses a part without building a tree: a few kilobytes can expand to millions of elements, whose tree would take
 * gigabytes. Throws `Refused` for elements that are nested too deeply.
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
