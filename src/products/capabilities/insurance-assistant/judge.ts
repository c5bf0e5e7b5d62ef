import type { EngineContext } from "../../../contracts/engine.ts";
import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import { faithfulness } from "../../../knowledge/faithfulness/computation.ts";
import { supportedFrom, verdictsOn } from "../../../knowledge/faithfulness/scorer.ts";
import { isoCountry } from "../../../platform/countries.ts";
import { type Composition, isOlder, onlySamples, textOf } from "./compose.ts";
import type { Evidence, Sources } from "./evidence.ts";
import { filled, type Phrases, phrases } from "./phrases.ts";
import type { InsuranceAssistantInput, InsuranceAssistantOutput } from "./schema.ts";

/** Share of the question's weighted words from which the evidence counts as complete. */
const fullCoverage = 0.7;
/** Minimum share that the first quoted sentence has with its headings. Below it, only its surroundings match. */
const leastSaid = 0.45;

const nothing = (answer: string): InsuranceAssistantOutput => ({
  answer,
  sources: [],
  trust_state: "FAIL",
  confidence: 0,
});

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** Returns whether a heading repeats the document's title, in about the same words. */
function isTitle(heading: string, title: string): boolean {
  const own = wordsOf(heading);
  const given = wordsOf(title);
  return own.intersection(given).size > Math.min(own.size, given.size) / 2;
}

/** Returns the headings above a passage, without the document's title. */
const headingsOf = ({ document: { title }, chunk: { heading } }: Chunk): string[] =>
  heading.split(" > ").filter((one, level) => one !== "" && (level > 0 || !isTitle(one, title)));

/** Returns a place that a reader can look up: document, headings, page. */
function placeOf(found: Chunk, words: Phrases): string {
  const { page } = found.chunk;
  const onPage = page === null ? [] : [filled(words.page, String(page))];
  return `- ${[found.document.title, ...headingsOf(found).slice(-2), ...onPage].join(", ")}`;
}

/**
 * Returns the answer if the documents have none. It names the nearest places and quotes nothing, because a passage that
 * may not answer must not read like an answer.
 */
export function withoutEvidence(
  { country }: InsuranceAssistantInput,
  { language, chunks, nearest, unread }: Pick<Evidence, "language" | "chunks" | "nearest" | "unread">,
): InsuranceAssistantOutput {
  const words = phrases[language];
  const later = unread === 0 ? [] : [filled(words.unread, String(unread))];
  const said = [filled(words.no_evidence, isoCountry(country)), ...later].join(" ");
  const places = nearest.flatMap((id) =>
    chunks.filter(({ chunk }) => chunk.id === id).map((one) => placeOf(one, words)),
  );
  // Chunks of one section look alike to a reader.
  const named = [...new Set(places)];
  return nothing(named.length === 0 ? said : [`${said} ${words.nearest}`, ...named].join("\n"));
}

/** Returns the answer to a request for a recommendation. */
export const withoutAdvice = ({ language }: Evidence): InsuranceAssistantOutput => nothing(phrases[language].no_advice);

function sourcesOf({ sources }: Composition): InsuranceAssistantOutput["sources"] {
  return sources.map(({ found, found: { document, chunk }, excerpt, score }) => ({
    id: String(chunk.id),
    title: document.title,
    carrier: document.carrier,
    document_type: document.document_type,
    provenance: document.provenance,
    language: document.language,
    page: chunk.page,
    heading: headingsOf(found).join(" > ") || null,
    version: document.version,
    valid_from: document.valid_from,
    excerpt,
    url: document.url,
    score: Math.round(score * 1000) / 1000,
  }));
}

/** An answer to be judged. */
interface Answering {
  readonly question: string;
  readonly evidence: Evidence;
  readonly composition: Composition;
}

/**
 * Assembles an answer and decides how far it can be trusted: by exa-filter's check of the answer's own sentences
 * against the cited chunks, by how much of the question these cover, and by the kind of their documents.
 */
export async function judged(
  { computing }: Pick<Sources, "computing">,
  context: EngineContext,
  { question, evidence, composition }: Answering,
): Promise<InsuranceAssistantOutput> {
  const { language, coverage, stated, isCertain: isAnswered } = evidence;
  const isWeak = !isAnswered || coverage < fullCoverage || stated < leastSaid;
  const material = {
    question,
    answer: composition.citations.map(({ own }) => own).join("\n"),
    sources: composition.sources.map(({ found }) => found.chunk.text),
  };
  const { score } = verdictsOn(await computing.run(faithfulness, material, context));
  const documents = composition.sources.map(({ found }) => found.document);
  const isInForce = !onlySamples(documents) && !documents.some(isOlder);
  const isCertain = !isWeak && isInForce && composition.disagreeing.length + composition.amended.length === 0;
  const trust_state = score < supportedFrom ? "FAIL" : isCertain ? "OK" : "WARN";
  return {
    answer: textOf(composition, language, isWeak),
    sources: sourcesOf(composition),
    trust_state,
    confidence: Math.round(Math.min(1, coverage) * score * 1000) / 1000,
  };
}
