import type { Engine } from "../../../contracts/engine.ts";
import type { Chunk, Corpus } from "../../../knowledge/corpus/corpus.ts";
import { checkedAgainstCorpus, withoutInsurer } from "../../../knowledge/faithfulness/verdict.ts";
import { verdictLanguage } from "../../../knowledge/language/verdict-language.ts";
import type { ExaFilterInput, ExaFilterOutput } from "./schema.ts";

/** Chunks that an answer is checked against when its caller names none. */
const chunksRead = 12;
/** Of a long answer its beginning is searched for; all of it is checked. */
const searchedFor = 2_000;

/** A chunk as the result names it: where it is from, then its words. */
const named = ({ document: { title }, chunk: { page, text } }: Chunk): string =>
  `${title}${page === null ? "" : `, p. ${page}`}: ${text}`;

async function chunksFor(corpus: Corpus, input: ExaFilterInput, at: Date): Promise<Chunk[]> {
  const { question, answer, country, insurer, insurance_type } = input;
  return corpus.search({
    question: `${question} ${answer}`.slice(0, searchedFor),
    country,
    carrier: insurer,
    product_line: insurance_type,
    at,
    limit: chunksRead,
  });
}

/** Whether sources came with the answer: those that say nothing, as an empty file does, are meant to support it all the same. */
const namesSources = ({ sources = [] }: ExaFilterInput): boolean => sources.length > 0;

/**
 * A check that looks into the imported insurance documents when the caller sends no sources. Its verdict says so, and
 * its sources name the documents. The documents are those valid now, narrowed by country, insurer and insurance type.
 */
export const withCorpus = (
  engine: Engine<ExaFilterInput, ExaFilterOutput>,
  corpus: Corpus,
): Engine<ExaFilterInput, ExaFilterOutput> => ({
  ...engine,
  async run(input, context) {
    if (namesSources(input)) return engine.run(input, context);
    const chunks = await chunksFor(corpus, input, context.now());
    if (chunks.length === 0) return engine.run(input, context);
    const { result, ...outcome } = await engine.run(
      { ...input, sources: chunks.map(({ chunk }) => chunk.text) },
      context,
    );
    const sources = result.sources?.map((text) => {
      const from = chunks.find(({ chunk }) => chunk.text === text);
      return from ? named(from) : text;
    });
    const language = verdictLanguage(input.answer, verdictLanguage(input.question));
    // The law vouches for no insurer's cover: what is said of one of whom there is no document is not promised.
    const isUnknown = input.insurer !== undefined && !chunks.some(({ document }) => document.carrier !== null);
    const told = isUnknown && input.insurer !== undefined ? [withoutInsurer(language, input.insurer)] : [];
    const verdict_text = [checkedAgainstCorpus(language), ...told, result.verdict_text ?? ""].join(" ").trim();
    const trust_state = isUnknown && result.trust_state === "OK" ? "WARN" : result.trust_state;
    return { ...outcome, result: { ...result, trust_state, verdict_text, ...(sources && { sources }) } };
  },
});
