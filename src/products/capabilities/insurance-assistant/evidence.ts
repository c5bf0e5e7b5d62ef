import type { EngineContext } from "../../../contracts/engine.ts";
import type { Chunk, Corpus } from "../../../knowledge/corpus/corpus.ts";
import { detectInMarket } from "../../../knowledge/language/detect.ts";
import { type SearchLanguage, searchLanguageOf } from "../../../knowledge/language/languages.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { evidence, type Found, otherWords, type Weighed } from "./computation.ts";
import { phrasesLanguage } from "./phrases.ts";
import { settles } from "./reading.ts";
import type { InsuranceAssistantInput } from "./schema.ts";

/** What the engines are made from. */
export type Sources = Pick<EngineServices, "corpus" | "runtime" | "computing" | "meaning">;

/** What the corpus holds for a question, before anything is said. */
export interface Evidence extends Weighed {
  /** That the assistant's own words are in. */
  readonly language: SearchLanguage;
  /** The best first. */
  readonly chunks: readonly Chunk[];
}

/** Chunks that are read for an answer. */
const chunksRead = 30;

/** The language of most of the country's documents that are not in the question's. */
async function otherLanguage(corpus: Corpus, country: string, asked: SearchLanguage) {
  const market = country.toUpperCase();
  const counts = new Map<SearchLanguage, number>();
  for (const document of await corpus.documents()) {
    const language = searchLanguageOf(document.language);
    if (document.market === market && language !== undefined && language !== asked)
      counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** How surely sentences answer, by their names: one after the other, until the matter is settled. Null: nobody reads. */
async function readingsOf({ meaning }: Sources, question: string, toRead: Weighed["toRead"], context: EngineContext) {
  const readings: Record<string, number> = {};
  for (const { name, passage } of toRead) {
    const reading = await meaning.read(question, passage, context);
    // All or none: the gate would take a sentence that nobody read for one that answers nothing.
    if (reading === null) return null;
    readings[name] = reading.answers;
    if (settles(reading.answers)) break;
  }
  return readings;
}

/** Weighs what was found; once more with what the best sentences mean, where there is somebody to read them. */
async function weighedBy(sources: Sources, found: Found, context: EngineContext): Promise<Weighed> {
  const { computing, meaning } = sources;
  const first = await computing.run(evidence, found, context);
  if (!meaning.isBuiltIn || first.isAdvice || first.isElsewhere || first.toRead.length === 0) return first;
  const readings = await readingsOf(sources, found.question, first.toRead, context);
  return readings === null ? first : computing.run(evidence, { ...found, readings }, context);
}

/**
 * Looks for evidence in the question's language, then, where there is none, in that of the country's documents. Where the
 * models of meaning served, the first search has found those of every language.
 */
export async function evidenceFor(
  sources: Sources,
  input: InsuranceAssistantInput,
  context: EngineContext,
): Promise<Evidence> {
  const { corpus, computing } = sources;
  const { question, country, product_line } = input;
  const asked = detectInMarket(question, country);
  const language = phrasesLanguage(input);
  const about = { country, product_line, at: context.now(), limit: chunksRead };
  const find = async (words: string, searched: SearchLanguage): Promise<Evidence> => {
    const chunks = await corpus.search({ ...about, question: words, language: searched });
    const found = await weighedBy(sources, { question, language: asked, chunks }, context);
    return { ...found, language, chunks };
  };
  const found = await find(question, asked);
  if (found.isEvidence || found.isRead) return found;
  const other = await otherLanguage(corpus, country, asked);
  if (other === undefined) return found;
  const elsewhere = await find(await computing.run(otherWords, { question, asked, language: other }, context), other);
  return elsewhere.isEvidence ? elsewhere : found;
}
