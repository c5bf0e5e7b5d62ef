import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import { type Span, splitSentences } from "../../../knowledge/faithfulness/claims.ts";
import { fold } from "../../../platform/text.ts";
import { isRow } from "./rows.ts";

/** A sentence that may be quoted. Offsets are in UTF-16 code units of the chunk's text. */
export interface Sentence {
  readonly found: Chunk;
  /** Rank of the chunk in retrieval, from 0. */
  readonly rank: number;
  /** The text as quoted: an item of a list comes after the words that introduce the list. */
  readonly quote: string;
  /** The same without the heading that keeps it from becoming its opposite: what its passage has to support. */
  readonly own: string;
  /** What is around it in its chunk, and the headings above, which may have the question's words. */
  readonly around: string;
  /** The sentence with its neighbours in the chunk. */
  readonly near: string;
  /** Where `near` begins. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

const marker =
  /^(?:[-–—•*▪■✓✔✗✘!]|\(?\d{1,3}(?:\.\d{1,3})*[.)]|\d{1,3}(?:\.\d{1,3})+|\(?[a-z]{1,2}\)|\(?[ivx]{1,4}\))\s+/iu;
/** A sign before an item. Numbers and letters are kept, because the text may refer to them. */
const bullet = /^[-–—•*▪■✓✔✗✘!]\s+/u;
const leadsIn = /:\s*$/u;
const ends = /[.!?…]["'”“’)\]]*$/u;
/** Maximum characters of a list that is quoted whole, with the words that introduce it. */
const longestList = 500;

const clean = (text: string): string => text.replace(/\s+/g, " ").trim();
const asSentence = (text: string): string => (ends.test(text) ? text : `${text.replace(/[,;:]$/u, "")}.`);

/** A stretch of a chunk as it is quoted. */
interface Quote extends Span {
  readonly quote: string;
}

/** Returns the quotes of a list: whole if it is short, otherwise item by item, each after the introduction. */
function listQuotes(text: string, leadIn: Span, items: readonly Span[]): Quote[] {
  const lead = clean(text.slice(leadIn.start, leadIn.end)).replace(marker, "");
  const said = items.map(({ start, end }) => clean(text.slice(start, end)).replace(bullet, ""));
  const whole = `${lead} ${said.join(" ")}`;
  if (whole.length <= longestList)
    return [{ quote: asSentence(whole), start: leadIn.start, end: items.at(-1)?.end ?? leadIn.end }];
  return items.map(({ start, end }, i) => ({
    quote: asSentence(`${lead} ${(said[i] ?? "").replace(marker, "")}`),
    start,
    end,
  }));
}

/** Returns a text's sentences and lists. A sentence that ends in a colon, or unmarked before an item, opens a list. */
function quotesOf(text: string): Quote[] {
  const spans = splitSentences(text);
  const own = ({ start, end }: Span) => text.slice(start, end);
  const quotes: Quote[] = [];
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at];
    if (!span) break;
    const next = spans[at + 1];
    const opens = next !== undefined && (leadsIn.test(own(span)) || (marker.test(own(next)) && !ends.test(own(span))));
    if (!opens) {
      quotes.push({ quote: asSentence(clean(own(span)).replace(marker, "")), start: span.start, end: span.end });
      continue;
    }
    const items: Span[] = [];
    for (let to = at + 1; to < spans.length; to += 1) {
      const item = spans[to];
      if (!item || (items.length > 0 && !marker.test(own(item)) && !/^\p{Ll}/u.test(own(item)))) break;
      items.push(item);
    }
    quotes.push(...listQuotes(text, span, items));
    at += items.length;
  }
  return quotes;
}

/** Headings under which a sentence says what is not so. Folded, in the six languages. */
const excluding =
  /(vyluk|nehrad|nevztah|nekryj|nepojist|not (cover|insur)|exclu|ausschlu|ausgeschl|nicht (versich|gedeck)|wylacz|nie (obejm|podleg)|exclus|non (couv|garan))/;

/** Returns a sentence with its heading, if it would turn into its opposite without. */
function underItsHeading(heading: string, quote: string): string {
  const last = heading.split(" > ").at(-1)?.trim() ?? "";
  if (!excluding.test(fold(last)) || excluding.test(fold(quote))) return quote;
  return `${last}${/[:?!.]$/u.test(last) ? "" : ":"} ${quote}`;
}

/** A note's own statement of its source. It is shown in the excerpt, and answers nothing. */
const attribution = /^(?:zdroj|prame[nň]|source|quelle|źródło|stav|stand|stan|status)e?s?\s*:/iu;

/** Returns whether a place is in a line that states the source of a note. */
const isAttributed = (text: string, at: number): boolean =>
  attribution.test(text.slice(text.lastIndexOf("\n", at - 1) + 1));

/** Returns the sentences of a chunk. A line that introduces a list is quoted with its items, not on its own. */
export function sentencesOf(found: Chunk, rank: number): Sentence[] {
  const { text, heading } = found.chunk;
  const quotes = quotesOf(text).filter(({ quote, start }) => !attribution.test(quote) && !isAttributed(text, start));
  return quotes.map((quote, at) => {
    // Neighbouring rows of a table are about other things.
    const [before, after] = isRow(quote.quote) ? [] : [quotes[at - 1], quotes[at + 1]];
    const from = before?.start ?? quote.start;
    const near = text.slice(from, after?.end ?? quote.end);
    const said = underItsHeading(heading, quote.quote);
    return { ...quote, quote: said, own: quote.quote, found, rank, near, from, around: `${heading}\n${near}` };
  });
}

const longestExcerpt = 700;

/** Returns the excerpt of a chunk around a quoted place, at most 700 characters, cut at white space. */
export function excerptOf({ chunk }: Chunk, start: number, end: number): string {
  const { text } = chunk;
  if (text.length <= longestExcerpt) return clean(text);
  const room = Math.max(0, longestExcerpt - (end - start));
  let from = Math.max(0, Math.min(start - Math.floor(room / 2), text.length - longestExcerpt));
  let to = Math.min(text.length, Math.max(end, from + longestExcerpt));
  if (from > 0) from = Math.min(start, text.indexOf(" ", from) + 1 || from);
  if (to < text.length) to = Math.max(end, text.lastIndexOf(" ", to));
  return `${from > 0 ? "… " : ""}${clean(text.slice(from, to))}${to < text.length ? " …" : ""}`;
}
