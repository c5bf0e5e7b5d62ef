import type { Engine } from "../../../contracts/engine.ts";
import type { Chunk, Corpus } from "../../../knowledge/corpus/corpus.ts";
import { checkedAgainstCorpus, withoutCountry, withoutInsurer } from "../../../knowledge/faithfulness/verdict.ts";
import { verdictLanguage } from "../../../knowledge/language/verdict-language.ts";
import { type ExaFilterInput, type ExaFilterOutput, servedCountries } from "./schema.ts";

/** Chunks that an answer is checked against when its caller names none. */
const chunksRead = 12;
/** Of a long answer its beginning is searched for; all of it is checked. */
const searchedFor = 2_000;

/** A chunk as the result names it: where it is from, then its words. */
const named = ({ document: { title }, chunk: { page, text } }: Chunk): string =>
  `${title}${page === null ? "" : `, p. ${page}`}: ${text}`;

/** The documents of the country; of each that the check is offered for, where the caller names none. */
async function chunksFor(corpus: Corpus, input: ExaFilterInput, at: Date): Promise<Chunk[]> {
  const { question, answer, insurer, insurance_type } = input;
  const about = {
    question: `${question} ${answer}`.slice(0, searchedFor),
    carrier: insurer,
    product_line: insurance_type,
    at,
    limit: chunksRead,
  };
  const countries = input.country === undefined ? servedCountries : [input.country];
  const found = await Promise.all(countries.map((country) => corpus.search({ ...about, country })));
  // Those of the EU are found for each country.
  return [...new Map(found.flat().map((one) => [one.chunk.id, one])).values()];
}

/** The markets of the documents that support the answer, but the EU, whose documents hold in each. */
function marketsOf(supporting: readonly string[], chunks: readonly Chunk[]): string[] {
  const found = chunks.filter(({ chunk }) => supporting.includes(chunk.text));
  return [...new Set(found.map(({ document }) => document.market))].filter((market) => market !== "EU").sort();
}

/** Whether sources came with the answer: those that say nothing, as an empty file does, are meant to support it all the same. */
const namesSources = ({ sources = [] }: ExaFilterInput): boolean => sources.length > 0;

/**
 * A check that looks into the imported insurance documents when the caller sends no sources. Its verdict says so, and
 * its sources name the documents. The documents are those valid now, narrowed by country, insurer and insurance type.
 * Nothing is promised on the documents of a country that the caller did not name.
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
    const markets = input.country === undefined ? marketsOf(result.sources ?? [], chunks) : [];
    const told = [
      ...(isUnknown && input.insurer !== undefined ? [withoutInsurer(language, input.insurer)] : []),
      ...(markets.length > 0 ? [withoutCountry(language, markets)] : []),
    ];
    const verdict_text = [checkedAgainstCorpus(language), ...told, result.verdict_text ?? ""].join(" ").trim();
    const isPromised = !isUnknown && markets.length === 0;
    const trust_state = result.trust_state === "OK" && !isPromised ? "WARN" : result.trust_state;
    return { ...outcome, result: { ...result, trust_state, verdict_text, ...(sources && { sources }) } };
  },
});
