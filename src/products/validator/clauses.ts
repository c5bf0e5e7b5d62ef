import type { Money } from "./price.ts";
import { findIn, matchAt, type Structure, type Token } from "./words.ts";

/** A half-open range of tokens: `from` inclusive, `to` exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A tokenised text in one language. */
export interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly structure: Structure;
  readonly money: readonly Money[];
  /** The amount that each token belongs to, if any. */
  readonly amounts: readonly (Money | undefined)[];
}

/** The kind of word that opens a clause. `also`: a coordinating conjunction. */
export type Opener = "cause" | "condition" | "result" | "contrast" | "relative" | "also";

/** A piece of a sentence between punctuation marks or clause-opening words. */
export interface Clause extends Span {
  readonly opener: Opener | null;
  /** Index of its sentence, from 0. */
  readonly sentence: number;
  /** Its label, if the sentence starts with one and a colon: `Price:`. */
  readonly label: Label | null;
}

export type Label = "who" | "problem" | "offer" | "price" | "channel" | "proof";

/** Returns the characters between a token and the one before it. */
export const gapBefore = ({ text, tokens }: Reading, at: number): string =>
  text.slice(tokens[at - 1]?.end ?? 0, tokens[at]?.start ?? text.length);

/** Whether a sentence ends before a token. The full stop of an abbreviation or ordinal does not end one. */
function endsBefore(reading: Reading, at: number): boolean {
  const { text, tokens, structure } = reading;
  const gap = gapBefore(reading, at);
  if (/\n/.test(gap)) return true;
  if (!/[.;!?…](?:["”“»)'’]*)\s/.test(gap)) return false;
  if (!/^\.\s+$/.test(gap)) return true;
  const [word, next] = [tokens[at - 1]?.word ?? "", text.slice(tokens[at]?.start ?? 0, tokens[at]?.end)];
  const goesOn = /^(?:[\p{Ll}\d]|Kč|EUR|CZK|Eur)/u.test(next);
  return !(goesOn && (structure.abbreviations.includes(word) || (/^\d{1,4}$/.test(word) && /^\p{Ll}/u.test(next))));
}

const isMark = (gap: string): boolean => /[,:]\s|[()]|\s[-–—+]\s|[–—]/.test(gap);

function openerOf({ tokens, structure }: Reading, at: number): Opener | null {
  if (matchAt(tokens, at, structure.results) > 0) return "result";
  if (matchAt(tokens, at, structure.causes) > 0) return "cause";
  if (matchAt(tokens, at, structure.conditions) > 0) return "condition";
  if (matchAt(tokens, at, structure.contrasts) > 0) return "contrast";
  if (matchAt(tokens, at, structure.relatives) > 0) return "relative";
  return matchAt(tokens, at, structure.joins) > 0 ? "also" : null;
}

/** Whether a clause starts at a token without a comma: a cause, or `and` with something the writers do or would do. */
function beginsWithin({ tokens, structure }: Reading, at: number): boolean {
  if (matchAt(tokens, at, structure.causes) > 0) return true;
  const joined = matchAt(tokens, at, structure.joins);
  if (joined === 0) return false;
  return matchAt(tokens, at + joined, structure.ours) > 0 || matchAt(tokens, at + joined, structure.modals) > 0;
}

const labelled = ["who", "problem", "offer", "price", "channel", "proof"] as const;

/** Returns the label that a sentence starts with, and its length in words. */
function labelAt(reading: Reading, from: number): { readonly label: Label; readonly words: number } | null {
  const { tokens, structure } = reading;
  for (const label of labelled) {
    const words = matchAt(tokens, from, structure.labels[label]);
    if (words > 0 && from + words < tokens.length && /^\s?(?::|[-–—=]\s)/.test(gapBefore(reading, from + words)))
      return { label, words };
  }
  // `Waiting list: 63 families`
  const evidence = matchAt(tokens, from, structure.evidence);
  return evidence > 0 && gapBefore(reading, from + evidence).startsWith(":") ? { label: "proof", words: 0 } : null;
}

/** Returns where a sentence starts after lead-ins such as `We believe that` or `Hypothesis no. 4:`. */
function afterLead(reading: Reading, from: number): number {
  const { tokens, structure } = reading;
  // `Our guess: ...`
  const isOurs = matchAt(tokens, from, structure.ours) > 0;
  for (let mark = from + 1; isOurs && mark < Math.min(from + 4, tokens.length); mark++)
    if (gapBefore(reading, mark).startsWith(":")) return mark;
  const at = afterFillers(reading, { from, to: tokens.length });
  if (at === from) return from;
  let next = at;
  while (
    next < at + 2 &&
    (structure.abbreviations.includes(tokens[next]?.word ?? "") || /^\d+$/.test(tokens[next]?.word ?? ""))
  )
    next += 1;
  return next > at && next < tokens.length && gapBefore(reading, next).includes(":") ? next : at;
}

/** Splits a text into its clauses, in order. A label is not part of its clause. */
export function clausesOf(reading: Reading): Clause[] {
  const { tokens } = reading;
  const found: Clause[] = [];
  let [from, sentence] = [0, 0];
  const begin = (at: number) => {
    const named = labelAt(reading, at);
    return { label: named?.label ?? null, at: named ? at + named.words : afterLead(reading, at) };
  };
  let start = begin(0);
  from = start.at;
  for (let at = from + 1; at <= tokens.length; at++) {
    const isEnd = at === tokens.length || endsBefore(reading, at);
    if (!isEnd && !isMark(gapBefore(reading, at)) && !beginsWithin(reading, at)) continue;
    const target = matchAt(tokens, from, reading.structure.targets);
    if (target > 0 && from + target < at)
      found.push({ from: from + target, to: at, sentence, label: "who", opener: null });
    else found.push({ from, to: at, sentence, label: start.label, opener: openerOf(reading, from) });
    from = at;
    if (!isEnd) continue;
    sentence += 1;
    start = begin(at);
    from = start.at;
    at = from;
  }
  return found.filter((clause) => clause.to > clause.from);
}

/** Returns a span's original text, with a percent or currency sign that follows it. */
export function cut({ text, tokens }: Reading, { from, to }: Span): string {
  const end = tokens[to - 1]?.end ?? 0;
  const [sign = ""] = /^\s?[%€$£]/.exec(text.slice(end, end + 2)) ?? [];
  return text.slice(tokens[from]?.start ?? 0, end + sign.length);
}

/** Maximum number of lead-ins in a row, such as `So`, `we believe that`, `today`. */
const mostLeads = 4;

/** Returns where a span starts after lead-ins such as `We believe that`, `our idea`, `so`. */
export function afterFillers({ tokens, structure }: Reading, { from, to }: Span): number {
  let at = from;
  for (let leads = 0; leads < mostLeads; leads++) {
    const more = matchAt(tokens, at, structure.fillers);
    if (more === 0 || at + more >= to) break;
    at += more;
  }
  return at;
}

/** Whether a span contains an entry of a list. */
export const holds = ({ tokens }: Reading, { from, to }: Span, list: readonly string[]): boolean =>
  findIn(tokens, list, from, to) >= 0;
