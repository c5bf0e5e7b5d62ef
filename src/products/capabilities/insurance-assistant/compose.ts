import type { Chunk, CorpusDocument } from "../../../knowledge/corpus/corpus.ts";
import { type SearchLanguage, searchLanguageOf } from "../../../knowledge/language/languages.ts";
import { filled, phrases } from "./phrases.ts";
import { excerptOf } from "./sentences.ts";
import type { Supported } from "./support.ts";
import { type Keys, numbersOf } from "./words.ts";

/** A sentence of the answer with the number of its source, from 1. */
export interface Citation {
  readonly text: string;
  readonly source: number;
}

/** A chunk that is cited, and the stretch of it that was quoted. */
export interface Cited {
  readonly found: Chunk;
  readonly excerpt: string;
  readonly score: number;
}

export interface Composition {
  readonly citations: readonly Citation[];
  readonly sources: readonly Cited[];
  /** Numbers of sources that say different things of the same matter, by whether they are one carrier's. */
  readonly disagreeing: readonly number[];
  readonly differing: readonly number[];
}

/** A sentence that says what another says already adds nothing. */
const repeats = 0.7;
/** A sentence that scores far less than the best answers something else. */
const leastShare = 0.72;
/** One that has much less of the question's words speaks of something else. */
const leastOwn = 0.6;
const mostQuotes = 4;
const sameMatter = 0.6;

function overlap(a: Keys, b: Keys): number {
  let shared = 0;
  for (const stem of a.keys()) if (b.has(stem)) shared += 1;
  return shared / Math.max(1, Math.min(a.size, b.size));
}

/** The sentences that are quoted: the best, then those that come near it and say something else. */
export function chosen(sentences: readonly Supported[]): Supported[] {
  const [first] = sentences;
  if (!first) return [];
  const picked = [first];
  // The rarest word of the question that the best answer has is what the question is about.
  const [topic] = first.covers;
  for (const candidate of sentences) {
    if (picked.length === mostQuotes || candidate.score < leastShare * first.score) break;
    const near = picked.every((one) => one === candidate || overlap(one.keys, candidate.keys) < repeats);
    const isOnTopic = topic === undefined || candidate.covers.includes(topic);
    if (near && isOnTopic && candidate !== first && candidate.own >= leastOwn * first.own) picked.push(candidate);
  }
  return picked;
}

const quantitiesOf = ({ sentence: { quote, found } }: Supported) =>
  numbersOf(quote, searchLanguageOf(found.document.language) ?? "en");

/** Whether two sentences of one matter give different numbers of the same unit. */
function contradict(a: Supported, b: Supported): boolean {
  if (overlap(a.keys, b.keys) < sameMatter) return false;
  const first = quantitiesOf(a);
  const second = quantitiesOf(b);
  return first.some(
    ({ unit, value }) =>
      second.some((other) => other.unit === unit && other.value !== value) &&
      !second.some((other) => other.unit === unit && other.value === value),
  );
}

/**
 * Sentences of other documents that say something else of the matter of the one quoted first. They are quoted too, so
 * that the reader sees both.
 */
export function contradicting(first: Supported, sentences: readonly Supported[]): Supported[] {
  const { id: own, product_line: line } = first.sentence.found.document;
  const seen = new Set([own]);
  const found: Supported[] = [];
  for (const candidate of sentences) {
    const { id, product_line } = candidate.sentence.found.document;
    if (found.length === 2 || candidate.score < 0.6 * first.score) break;
    // Another line of insurance has rules of its own: that is no contradiction.
    if (seen.has(id) || product_line !== line || !contradict(first, candidate)) continue;
    seen.add(id);
    found.push(candidate);
  }
  return found;
}

/** Numbers the sources in the order of their first quotation, a chunk once. */
export function compose(sentences: readonly Supported[]): Composition {
  const first = sentences[0];
  const picked = chosen(sentences);
  const against = first ? contradicting(first, sentences) : [];
  const sources: Cited[] = [];
  const numbers = new Map<Supported, number>();
  const citations = [...new Set([...picked, ...against])].map((supported): Citation => {
    const { found, start, end, quote } = supported.sentence;
    let at = sources.findIndex((one) => one.found.chunk.id === found.chunk.id);
    if (at < 0)
      at = sources.push({ found, excerpt: excerptOf(found, start, end), score: Math.min(1, supported.score) }) - 1;
    numbers.set(supported, at + 1);
    return { text: quote, source: at + 1 };
  });
  const carrierOf = ({ sentence }: Supported) => sentence.found.document.carrier;
  const own = against.filter((one) => first && carrierOf(one) === carrierOf(first));
  const others = against.filter((one) => !own.includes(one));
  const compared = (list: readonly Supported[]) =>
    list.length > 0 ? [1, ...list.map((one) => numbers.get(one) ?? 0)] : [];
  return { citations, sources, disagreeing: compared(own), differing: compared(others) };
}

const places = (numbers: readonly number[]): string => numbers.map((number) => `[${number}]`).join(", ");

/** What the reader must know of the documents themselves, in the answer's language. */
function remarks(composition: Composition, language: SearchLanguage, isWeak: boolean): string[] {
  const words = phrases[language];
  const documents = composition.sources.map(({ found }) => found.document);
  const foreign = [...new Set(documents.map((d) => d.language))].filter((code) => code !== language);
  const names = foreign.map((code) => {
    const known = searchLanguageOf(code);
    return known ? words.languages[known] : code;
  });
  return [
    ...(composition.disagreeing.length > 0 ? [filled(words.disagree, places(composition.disagreeing))] : []),
    ...(composition.differing.length > 0 ? [filled(words.carriers_differ, places(composition.differing))] : []),
    ...(new Set(documents.map((d) => d.product_line)).size > 1 ? [words.lines] : []),
    ...(isWeak ? [words.weak] : []),
    ...(names.length > 0 ? [filled(words.other_language, names.join(", "))] : []),
    ...(onlySamples(documents) ? [words.samples] : []),
  ];
}

/** Whether nothing but samples of a fictitious carrier supports an answer. */
export const onlySamples = (documents: readonly CorpusDocument[]): boolean =>
  documents.every(({ provenance }) => provenance === "sample");

/** The answer's text: quotations with their sources' numbers, then the remarks on a line of their own. */
export function textOf(composition: Composition, language: SearchLanguage, isWeak: boolean): string {
  const quoted = composition.citations.map(({ text, source }) => `${text} [${source}]`).join(" ");
  const said = remarks(composition, language, isWeak);
  return said.length === 0 ? quoted : `${quoted}\n\n${said.join(" ")}`;
}
