import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import { type Span, splitSentences } from "../../../knowledge/faithfulness/claims.ts";
import { fold } from "../../../platform/text.ts";
import { isRow } from "./rows.ts";

/** A sentence that may be quoted. Offsets are UTF-16 units into the chunk's text. */
export interface Sentence {
  readonly found: Chunk;
  /** Place of the chunk in the order of retrieval, from 0. */
  readonly rank: number;
  /** As it is quoted: an item of a list comes after the words that lead in to the list. */
  readonly quote: string;
  /** The same without the heading that is put before what would turn into its opposite: what its passage has to say. */
  readonly own: string;
  /** What is around it in its chunk, and the headings above: it may hold the words that the question uses. */
  readonly around: string;
  /** The sentence with its neighbours in the chunk. */
  readonly near: string;
  /** Where that begins. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

const marker =
  /^(?:[-–—•*▪■✓✔✗✘!]|\(?\d{1,3}(?:\.\d{1,3})*[.)]|\d{1,3}(?:\.\d{1,3})+|\(?[a-z]{1,2}\)|\(?[ivx]{1,4}\))\s+/iu;
/** A sign before an item; numbers and letters stay, for the list may be referred to by them. */
const bullet = /^[-–—•*▪■✓✔✗✘!]\s+/u;
const leadsIn = /:\s*$/u;
const ends = /[.!?…]["'”“’)\]]*$/u;
/** A list that is no longer than this is quoted whole, with the words that lead in to it. */
const longestList = 500;

const clean = (text: string): string => text.replace(/\s+/g, " ").trim();
const asSentence = (text: string): string => (ends.test(text) ? text : `${text.replace(/[,;:]$/u, "")}.`);

/** A stretch of a chunk as it is quoted. */
interface Quote extends Span {
  readonly quote: string;
}

/** A list with what leads in to it: whole where it is short, else item by item, each after the lead-in. */
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

/** Sentences and lists of a text. What ends in a colon, or in no mark before an item, leads in to a list. */
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

/** Says what heads a sentence where it would turn into its opposite without. A heading that asks is answered by it. */
function underItsHeading(heading: string, quote: string): string {
  const last = heading.split(" > ").at(-1)?.trim() ?? "";
  if (!excluding.test(fold(last)) || excluding.test(fold(quote))) return quote;
  return `${last}${/[:?!.]$/u.test(last) ? "" : ":"} ${quote}`;
}

/** A note's own statement of its source: it is shown in the excerpt, and answers nothing. */
const attribution = /^(?:zdroj|prame[nň]|source|quelle|źródło|stav|stand|stan|status)e?s?\s*:/iu;

/** Whether a place is in a line that says where a note comes from. */
const isAttributed = (text: string, at: number): boolean =>
  attribution.test(text.slice(text.lastIndexOf("\n", at - 1) + 1));

/** The sentences of a chunk. A line that leads in to a list is quoted with its items, not by itself. */
export function sentencesOf(found: Chunk, rank: number): Sentence[] {
  const { text, heading } = found.chunk;
  const quotes = quotesOf(text).filter(({ quote, start }) => !attribution.test(quote) && !isAttributed(text, start));
  return quotes.map((quote, at) => {
    // The rows beside one in a table speak of other things.
    const [before, after] = isRow(quote.quote) ? [] : [quotes[at - 1], quotes[at + 1]];
    const from = before?.start ?? quote.start;
    const near = text.slice(from, after?.end ?? quote.end);
    const said = underItsHeading(heading, quote.quote);
    return { ...quote, quote: said, own: quote.quote, found, rank, near, from, around: `${heading}\n${near}` };
  });
}

const longestExcerpt = 700;

/** The excerpt of a chunk around a quoted place, at most 700 characters, cut at white space. */
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
