import type { Chunk, Corpus } from "../../../knowledge/corpus/corpus.ts";
import { detectInMarket } from "../../../knowledge/language/detect.ts";
import { namesIn } from "../../../knowledge/language/insurance-glossary.ts";
import { type SearchLanguage, searchLanguageOf } from "../../../knowledge/language/languages.ts";
import { askedFor, type Intent, intentOf } from "./question.ts";
import type { InsuranceAssistantInput } from "./schema.ts";
import { type Support, supportFor } from "./support.ts";

/** What the corpus holds for a question, before anything is said. */
export interface Evidence {
  /** That the assistant's own words are in. */
  readonly language: SearchLanguage;
  readonly intent: Intent;
  /** The best first. */
  readonly chunks: readonly Chunk[];
  readonly support: Support;
}

/** Chunks that are read for an answer. */
const chunksRead = 30;
/** Below this share of the question's weighted words in the best chunk there is no evidence. */
const leastCoverage = 0.45;

/** Whether the corpus has anything that answers. */
export const isEvidence = ({ support: { sentences, coverage, isOnMatter } }: Evidence): boolean =>
  sentences.length > 0 && isOnMatter && coverage >= leastCoverage;

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

/** The question's words as insurance calls them in another language; what has no name there stays as it is. */
const inOtherWords = (question: string, asked: SearchLanguage, language: SearchLanguage): string =>
  askedFor(question, asked)
    .map(({ form }) => namesIn(language, form) || form)
    .join(" ");

/** Looks for evidence in the question's language, then, where there is none, in that of the country's documents. */
export async function evidenceFor(corpus: Corpus, input: InsuranceAssistantInput, at: Date): Promise<Evidence> {
  const { question, country, product_line } = input;
  const asked = detectInMarket(question, country);
  const intent = intentOf(question);
  const about = { country, product_line, at, limit: chunksRead };
  const evidence = (chunks: readonly Chunk[]): Evidence => ({
    language: searchLanguageOf(input.language) ?? asked,
    intent,
    chunks,
    support: supportFor(question, asked, intent, chunks),
  });
  const found = evidence(await corpus.search({ ...about, question, language: asked }));
  if (isEvidence(found)) return found;
  const other = await otherLanguage(corpus, country, asked);
  if (other === undefined) return found;
  const words = inOtherWords(question, asked, other);
  const elsewhere = evidence(await corpus.search({ ...about, question: words, language: other }));
  return isEvidence(elsewhere) ? elsewhere : found;
}
