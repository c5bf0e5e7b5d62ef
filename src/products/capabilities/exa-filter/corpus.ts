import type { Engine } from "../../../contracts/engine.ts";
import type { Chunk, Corpus } from "../../../knowledge/corpus/corpus.ts";
import { checkedAgainstCorpus, withoutCountry, withoutInsurer } from "../../../knowledge/faithfulness/verdict.ts";
import { verdictLanguage } from "../../../knowledge/language/verdict-language.ts";
import { type ExaFilterInput, type ExaFilterOutput, servedCountries } from "./schema.ts";

/** Number of chunks that an answer is checked against if its caller sends no sources. */
const chunksRead = 12;
/** Number of characters used for the search. All of a long answer is checked. */
const searchedFor = 2_000;

/** Returns a chunk as the result names it: its source, then its text. */
const named = ({ document: { title }, chunk: { page, text } }: Chunk): string =>
  `${title}${page === null ? "" : `, p. ${page}`}: ${text}`;

/** Returns the country's chunks; those of each country that the check is offered for, if the caller names none. */
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
  // Documents of the EU are found for each country.
  return [...new Map(found.flat().map((one) => [one.chunk.id, one])).values()];
}

/** Returns the markets of the documents that support the answer, except the EU, whose documents hold in each. */
function marketsOf(supporting: readonly string[], chunks: readonly Chunk[]): string[] {
  const found = chunks.filter(({ chunk }) => supporting.includes(chunk.text));
  return [...new Set(found.map(({ document }) => document.market))].filter((market) => market !== "EU").sort();
}

/** Returns whether sources came with the answer. Even empty ones, such as an empty file, are meant to support it. */
const namesSources = ({ sources = [] }: ExaFilterInput): boolean => sources.length > 0;

/**
 * A check that searches the imported insurance documents when the caller sends no sources. Its verdict says so, and its
 * sources name the documents. These are the documents valid now, narrowed by country, insurer and insurance type. An
 * answer that rests on a country which the caller did not name is never OK.
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
    // The law vouches for no insurer's cover, so an answer about one without any document is not promised.
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
