import type { EngineContext } from "../../../contracts/engine.ts";
import type { Chunk, Corpus } from "../../../knowledge/corpus/corpus.ts";
import { detectInMarket } from "../../../knowledge/language/detect.ts";
import { type SearchLanguage, searchLanguageOf } from "../../../knowledge/language/languages.ts";
import { isoCountry } from "../../../platform/countries.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { tellsChange } from "./clauses.ts";
import { evidence, type Found, otherWords, type Readings, type ToRead, type Weighed } from "./computation.ts";
import { phrasesLanguage } from "./phrases.ts";
import { isAnswer, settles } from "./reading.ts";
import type { InsuranceAssistantInput } from "./schema.ts";

/** The services that the engines need. */
export type Sources = Pick<EngineServices, "corpus" | "runtime" | "computing" | "meaning">;

/** What the corpus has for a question, before an answer is worded. */
export interface Evidence extends Weighed {
  /** The language of the assistant's own words. */
  readonly language: SearchLanguage;
  /** Best first. */
  readonly chunks: readonly Chunk[];
  /** Number of passages of the corpus not read yet, which may have what was not found. */
  readonly unread: number;
}

/** Number of chunks read for an answer. */
const chunksRead = 30;

/** Returns the language of most of the country's documents that are not in the question's language. */
async function otherLanguage(corpus: Corpus, market: string, asked: SearchLanguage) {
  const counts = new Map<SearchLanguage, number>();
  for (const document of await corpus.documents()) {
    const language = searchLanguageOf(document.language);
    if (document.market === market && language !== undefined && language !== asked)
      counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Returns how surely each passage answers the question, or null if the reader can't serve. */
async function answersIn({ meaning }: Sources, question: string, passages: readonly ToRead[], context: EngineContext) {
  const answers: Record<string, number> = {};
  for (const { name, passage } of passages) {
    const reading = await meaning.read(question, passage, context);
    // All or none: the gate would take an unread sentence for one that answers nothing.
    if (reading === null) return null;
    answers[name] = reading.answers;
  }
  return answers;
}

/**
 * Reads the best sentences with their neighbours, one after the other until the matter is settled, then the sentences
 * of a stretch that answers on their own, since one of them does. Null if the reader can't serve.
 */
async function readingsOf(
  sources: Sources,
  question: string,
  toRead: Weighed["toRead"],
  context: EngineContext,
): Promise<Readings | null> {
  const near: Record<string, number> = {};
  for (const one of toRead) {
    const own = await answersIn(sources, question, [one], context);
    if (own === null) return null;
    Object.assign(near, own);
    const answers = own[one.name] ?? 0;
    if (isAnswer(answers)) {
      // A sentence without neighbours has already been read on its own.
      const alone = one.alone.length === 1 ? own : await answersIn(sources, question, one.alone, context);
      return alone && { near, alone };
    }
    if (settles(answers)) break;
  }
  return { near, alone: {} };
}

/** Weighs what was found, and once more with the readings of the best sentences, if the reader can serve. */
async function weighedBy(sources: Sources, found: Found, context: EngineContext): Promise<Weighed> {
  const { computing, meaning } = sources;
  const first = await computing.run(evidence, found, context);
  const isToRead = meaning.isBuiltIn && !first.isAdvice && !first.isElsewhere && first.toRead.length > 0;
  const readings = isToRead ? await readingsOf(sources, found.question, first.toRead, context) : null;
  if (readings === null) return amendedIn(sources, found, first, context);
  const read = { ...found, readings };
  return amendedIn(sources, read, await computing.run(evidence, read, context), context);
}

/** Weighs once more if there are documents later than the quoted ones, since they may have changed them. */
async function amendedIn(
  { corpus, computing }: Sources,
  found: Found,
  weighed: Weighed,
  context: EngineContext,
): Promise<Weighed> {
  if (!weighed.isEvidence) return weighed;
  const quoted = weighed.composition.sources.map(({ found: { document } }) => document);
  const later = await corpus.later({ than: quoted, at: context.now(), wanted: tellsChange, signal: context.signal });
  return later.length === 0 ? weighed : computing.run(evidence, { ...found, later }, context);
}

/**
 * Searches for evidence in the question's language and, if there is none, in that of the country's documents. If the
 * meaning models served, the first search has already covered every language.
 */
export async function evidenceFor(
  sources: Sources,
  input: InsuranceAssistantInput,
  context: EngineContext,
): Promise<Evidence> {
  const { corpus, computing } = sources;
  const { question, product_line } = input;
  const country = isoCountry(input.country);
  const asked = detectInMarket(question, country);
  const language = phrasesLanguage(input);
  const about = { country, product_line, at: context.now(), limit: chunksRead, signal: context.signal };
  const find = async (words: string, searched: SearchLanguage): Promise<Evidence> => {
    const chunks = await corpus.search({ ...about, question: words, language: searched });
    const found = await weighedBy(sources, { question, language: asked, chunks }, context);
    return { ...found, language, chunks, unread: (await corpus.state()).unread };
  };
  const found = await find(question, asked);
  if (found.isEvidence || found.isRead) return found;
  const other = await otherLanguage(corpus, country, asked);
  if (other === undefined) return found;
  const elsewhere = await find(await computing.run(otherWords, { question, asked, language: other }, context), other);
  return elsewhere.isEvidence ? elsewhere : found;
}
