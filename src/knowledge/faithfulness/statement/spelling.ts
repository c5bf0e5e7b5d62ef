import { fold } from "../../../platform/text.ts";
import { markOf } from "../../language/statement-words.ts";
import type { Part, Statement } from "./read.ts";

/** How the sources write their amounts, times and dates: what each is, and its different spellings in their order. */
export type Spellings = ReadonlyMap<string, ReadonlySet<string>>;

/** What an amount or a date is, however it is written; null for a word. */
function identityOf({ quantity, date }: Part): string | null {
  if (date !== null) return `@${date.year}-${date.month}-${date.day}`;
  return quantity === null ? null : `${quantity.value} ${quantity.measure ?? ""}`;
}

/** `A week` without a number, and `dreimonatig` in one word: written in a sentence of another make, they stay as they are. */
const isWordAlone = ({ form, quantity }: Part, text: string): boolean =>
  quantity !== null && (markOf("time", form) !== undefined || !/[\s\d]/.test(text));

/** Adds what one sentence of the sources has. */
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

/** `1500 euróig`: up to it. */
const isBounding = (written: string): boolean => /ig$/i.test(written);

const plain = (written: string): string => fold(written).replace(/[\s\u00a0\u202f.,]/g, "");

/** The claim's text with each amount, time and date as the sources write the same one: `3 Mio. EUR` as `3.000.000 EUR`. */
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
    // `Within a week`, of which the article is a word of its own.
    const before = parts[at - 1];
    const isArticle = markOf("time", part.form) !== undefined && /^an?$/.test(before?.form ?? "");
    written += text.slice(end, isArticle ? before?.start : part.start) + first;
    end = part.end;
  }
  return written + text.slice(end);
}
