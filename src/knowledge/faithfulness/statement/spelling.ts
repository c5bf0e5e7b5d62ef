import { fold } from "../../../platform/text.ts";
import { markOf } from "../../language/statement-words.ts";
import type { Part, Statement } from "./read.ts";

/** How the sources write their amounts, times and dates: the spellings of each, in order of appearance. */
export type Spellings = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns an identity for an amount or a date, however it is written; null for a word. */
function identityOf({ quantity, date }: Part): string | null {
  if (date !== null) return `@${date.year}-${date.month}-${date.day}`;
  return quantity === null ? null : `${quantity.value} ${quantity.measure ?? ""}`;
}

/**
 * Checks for a quantity written as a word: `a week` without a number, `dreimonatig`. It would not fit into a sentence
 * built differently.
 */
const isWordAlone = ({ form, quantity }: Part, text: string): boolean =>
  quantity !== null && (markOf("time", form) !== undefined || !/[\s\d]/.test(text));

/** Adds the spellings in one sentence of the sources. */
export function addSpellings(spellings: Map<string, Set<string>>, { parts, text }: Statement): void {
  for (const part of parts) {
    const identity = identityOf(part);
    const written = text.slice(part.start, part.end);
    if (identity === null || isWordAlone(part, written)) continue;
    const known = spellings.get(identity);
    if (known === undefined) spellings.set(identity, new Set([written]));
    else known.add(written);
  }
}

/** `1500 euróig` means up to that amount. */
const isBounding = (written: string): boolean => /ig$/i.test(written);

const plain = (written: string): string => fold(written).replace(/[\s\u00a0\u202f.,]/g, "");

/**
 * Returns the claim's text with each amount, time and date spelled as in the sources: `3 Mio. EUR` as `3.000.000 EUR`.
 */
export function asSourcesWrite({ text, parts }: Statement, spellings: Spellings): string {
  let written = "";
  let end = 0;
  for (const [at, part] of parts.entries()) {
    const own = text.slice(part.start, part.end);
    const known = [...(spellings.get(identityOf(part) ?? "") ?? [])].filter(
      (one) => isBounding(one) === isBounding(own),
    );
    const [first] = known;
    if (first === undefined || known.some((one) => plain(one) === plain(own))) continue;
    // In `within a week` the article is a separate word.
    const before = parts[at - 1];
    const isArticle = markOf("time", part.form) !== undefined && /^an?$/.test(before?.form ?? "");
    written += text.slice(end, isArticle ? before?.start : part.start) + first;
    end = part.end;
  }
  return written + text.slice(end);
}
