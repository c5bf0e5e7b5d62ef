import type { Chunk, CorpusDocument } from "../../../knowledge/corpus/corpus.ts";
import { type SearchLanguage, searchLanguageOf } from "../../../knowledge/language/languages.ts";
import { isLater } from "../../../knowledge/retrieval/versions.ts";
import { fold } from "../../../platform/text.ts";
import { type Amendment, amendmentsOf } from "./amendments.ts";
import { differInAmounts, unitsOf } from "./amounts.ts";
import { filled, phrases } from "./phrases.ts";
import { hardlyOwn } from "./reading.ts";
import { excerptOf, type Sentence } from "./sentences.ts";
import type { Supported } from "./support.ts";
import type { Keys } from "./words.ts";

/** A sentence of the answer with the number of its source, from 1. */
export interface Citation {
  readonly text: string;
  /** The part that the source itself has to support. A heading quoted before it is above the source's text. */
  readonly own: string;
  readonly source: number;
}

/** A quotation with its source, before the sources are numbered. */
export interface Quotation extends Cited {
  readonly text: string;
  readonly own: string;
}

/** A cited chunk, and the excerpt around what was quoted. */
export interface Cited {
  readonly found: Chunk;
  readonly excerpt: string;
  readonly score: number;
}

export interface Composition {
  readonly citations: readonly Citation[];
  readonly sources: readonly Cited[];
  /** Numbers of sources that give different amounts on one matter: of one carrier, and of several. */
  readonly disagreeing: readonly number[];
  readonly differing: readonly number[];
  /** What later documents change in the quotations, and the numbers of the sources of both. */
  readonly amendments: readonly Amendment[];
  readonly amended: readonly number[];
}

/** Overlap of words from which a sentence adds nothing to another. */
const repeats = 0.7;
/** Minimum share of the best score. A sentence below it answers something else. */
const leastShare = 0.72;
/** Minimum share of the best sentence's own words of the question. One below it is about something else. */
const leastOwn = 0.6;
export const mostQuotes = 4;
const sameMatter = 0.6;

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  a.intersection(b).size / Math.max(1, Math.min(a.size, b.size));

const stemsOf = (keys: Keys): ReadonlySet<string> => new Set(keys.keys());
/** Returns the words of its matter, without amounts: similar amounts, or one unit, are no shared matter. */
function matterOf({ keys, sentence }: Supported): ReadonlySet<string> {
  const units = unitsOf(sentence);
  const words = [...keys.values()].filter(({ stem, form }) => !/^\d/.test(stem) && !units.has(form.slice(0, 4)));
  return new Set(words.map(({ stem }) => stem));
}

/**
 * Returns the sentences that come near the best. If the best has hardly a word of the question itself, their own words
 * count once more. The first quotation is then right for 299 instead of 289 of 380 questions, ours and others'.
 */
function contendersOf(sentences: readonly Supported[]): readonly Supported[] {
  const [best] = sentences;
  if (!best) return [];
  const near = sentences.filter(({ score }) => score >= leastShare * best.score);
  const worth = ({ score, own }: Supported): number => score + 0.75 * own;
  return best.own < hardlyOwn ? near.sort((a, b) => worth(b) - worth(a)) : near;
}

/** Returns the sentences to quote: the best, then those that come near it and say something else. */
export function chosen(sentences: readonly Supported[]): Supported[] {
  const contenders = contendersOf(sentences);
  const [first] = contenders;
  if (!first) return [];
  const picked = [first];
  // The rarest word of the question in the best answer is what the question is about.
  const [topic] = first.covers;
  for (const candidate of contenders) {
    if (picked.length === mostQuotes) break;
    const near = picked.every(
      (one) => one === candidate || overlap(stemsOf(one.keys), stemsOf(candidate.keys)) < repeats,
    );
    const isOnTopic = topic === undefined || candidate.covers.includes(topic);
    if (near && isOnTopic && candidate !== first && candidate.own >= leastOwn * first.own) picked.push(candidate);
  }
  return picked;
}

/** Returns whether two sentences on one matter give different amounts. */
const contradict = (a: Supported, b: Supported): boolean =>
  overlap(matterOf(a), matterOf(b)) >= sameMatter && differInAmounts(a.sentence, b.sentence);

/** A sentence of another document, and the quoted one that it contradicts. */
interface Contradiction {
  readonly quoted: Supported;
  readonly other: Supported;
}

/** Returns what other documents say against the quoted sentences. It is quoted too, so that the reader sees both. */
function contradictions(quoted: readonly Supported[], sentences: readonly Supported[]): Contradiction[] {
  const [first] = quoted;
  const seen = new Set<string>();
  const found: Contradiction[] = [];
  for (const other of sentences) {
    const { id, product_line } = other.sentence.found.document;
    if (!first || found.length === 2 || other.score < 0.6 * first.score) break;
    const against = quoted.find((one) => {
      const { document } = one.sentence.found;
      // Another line of insurance has rules of its own, so that is no contradiction.
      return document.id !== id && document.product_line === product_line && contradict(one, other);
    });
    if (!against || seen.has(id)) continue;
    seen.add(id);
    found.push({ quoted: against, other });
  }
  return found;
}

const quotationOf = ({ found, start, end, quote, own }: Sentence, score: number): Quotation => {
  const excerpt = excerptOf(found, start, end);
  return { found, excerpt, score: Math.min(1, score), text: quote, own };
};

/** Returns quotations with what changes them, the change first, so that a reader who stops there knows what applies. */
function withAmendments(quotations: readonly Quotation[], amendments: readonly Amendment[]): Quotation[] {
  const first = amendments.flatMap(({ quoted, by }): Quotation[] => {
    const changed = quotations.find(({ found }) => found.chunk.id === quoted.found.chunk.id);
    return changed ? [quotationOf(by, changed.score)] : [];
  });
  const all = [...first, ...quotations];
  const isFirst = (one: Quotation) => (other: Quotation) =>
    other.text === one.text && other.found.chunk.id === one.found.chunk.id;
  return all.filter((one, at) => all.findIndex(isFirst(one)) === at);
}

/** Numbers the sources in the order of their first quotation, each chunk once. Used by both engines. */
export function composed(quoted: readonly Quotation[], amendments: readonly Amendment[]) {
  const quotations = withAmendments(quoted, amendments);
  const ids = [...new Set(quotations.map(({ found }) => found.chunk.id))];
  const numberOf = ({ chunk }: Chunk): number => ids.indexOf(chunk.id) + 1;
  const changed = amendments.filter(({ quoted }) => numberOf(quoted.found) > 0);
  return {
    citations: quotations.map(({ text, own, found }): Citation => ({ text, own, source: numberOf(found) })),
    sources: ids.flatMap((id): Cited | [] => quotations.find(({ found }) => found.chunk.id === id) ?? []),
    amendments: changed,
    amended: inOrder(changed.flatMap(({ quoted, by }) => [numberOf(quoted.found), numberOf(by.found)])),
    numberOf,
  };
}

const inOrder = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

/** Puts a sentence before the one that it contradicts if that is from an older document of the same carrier. */
function newestFirst(picked: readonly Supported[], against: readonly Contradiction[]): Supported[] {
  const all = new Set([...picked, ...against.map(({ other }) => other)]);
  const isNewer = ({ quoted, other }: Contradiction) =>
    isOfOneCarrier({ quoted, other }) && isLater(other.sentence.found.document, quoted.sentence.found.document);
  const newer = against.filter(isNewer).map(({ other }) => other);
  return [...new Set([...newer, ...all])];
}

const carrierOf = ({ sentence }: Supported) => sentence.found.document.carrier;
const isOfOneCarrier = ({ quoted, other }: Contradiction): boolean => carrierOf(quoted) === carrierOf(other);

/** Quotes the picked sentences, what contradicts them, and what `later` documents change in them. */
export function compose(
  picked: readonly Supported[],
  sentences: readonly Supported[],
  later: readonly Chunk[],
): Composition {
  const against = contradictions(picked, sentences);
  const quoted = newestFirst(picked, against);
  const amendments = amendmentsOf(
    quoted.map(({ sentence }) => sentence),
    later,
  );
  const { numberOf, ...composition } = composed(
    quoted.map(({ sentence, score }) => quotationOf(sentence, score)),
    amendments,
  );
  const isAmended = ({ quoted, other }: Contradiction): boolean => {
    const ids = [quoted, other].map(({ sentence }) => sentence.found.chunk.id);
    return amendments.some((one) => [one.quoted, one.by].every(({ found }) => ids.includes(found.chunk.id)));
  };
  const numbersOf = (list: readonly Contradiction[]) =>
    inOrder(list.flatMap(({ quoted, other }) => [quoted, other]).map(({ sentence }) => numberOf(sentence.found)));
  return {
    ...composition,
    disagreeing: numbersOf(against.filter((one) => isOfOneCarrier(one) && !isAmended(one))),
    differing: numbersOf(against.filter((one) => !isOfOneCarrier(one))),
  };
}

const places = (numbers: readonly number[]): string => numbers.map((number) => `[${number}]`).join(", ");

/** Returns what the reader must know about the documents themselves, in the answer's language. */
function remarks(composition: Composition, language: SearchLanguage, isWeak: boolean): string[] {
  const words = phrases[language];
  const documents = composition.sources.map(({ found }) => found.document);
  const foreign = [...new Set(documents.map((d) => d.language))].filter((code) => code !== language);
  const names = foreign.map((code) => {
    const known = searchLanguageOf(code);
    return known ? words.languages[known] : code;
  });
  return [
    ...(composition.amended.length > 0 ? [filled(words.amended, places(composition.amended))] : []),
    ...(composition.disagreeing.length > 0 ? [filled(words.disagree, places(composition.disagreeing))] : []),
    ...(composition.differing.length > 0 ? [filled(words.carriers_differ, places(composition.differing))] : []),
    ...(new Set(documents.map((d) => d.product_line)).size > 1 ? [words.lines] : []),
    ...(isWeak ? [words.weak] : []),
    ...(documents.some(isOlder) ? [words.older] : []),
    ...(names.length > 0 ? [filled(words.other_language, names.join(", "))] : []),
    ...(onlySamples(documents) ? [words.samples] : []),
  ];
}

/** Matches titles of documents on an older version of a law; folded. */
const olderVersion = /altere fassung|starsi zneni|starsie znenie|starsze brzmienie|older version|version anterieure/;

/** Returns whether a document's title says that it is not about the law in force. */
export const isOlder = ({ title }: CorpusDocument): boolean => olderVersion.test(fold(title));

/** Returns whether only samples of a fictitious carrier support an answer. */
export const onlySamples = (documents: readonly CorpusDocument[]): boolean =>
  documents.every(({ provenance }) => provenance === "sample");

/** Returns the answer's text: quotations with their sources' numbers, then the remarks in a paragraph of their own. */
export function textOf(composition: Composition, language: SearchLanguage, isWeak: boolean): string {
  const quoted = composition.citations.map(({ text, source }) => `${text} [${source}]`).join(" ");
  const said = remarks(composition, language, isWeak);
  return said.length === 0 ? quoted : `${quoted}\n\n${said.join(" ")}`;
}
