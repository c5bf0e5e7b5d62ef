import type { CorpusDocument } from "../../src/knowledge/corpus/corpus.ts";
import { buildIndex } from "../../src/knowledge/retrieval/builder.ts";
import { readQuestion } from "../../src/knowledge/retrieval/question.ts";
import { seeded } from "../../src/knowledge/retrieval/random.ts";
import { rank } from "../../src/knowledge/retrieval/rank.ts";
import { encodeSearchIndex, type SearchIndex } from "../../src/knowledge/retrieval/search-index.ts";
import { searchWords } from "../../src/knowledge/retrieval/words.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";

/** Text of invented words by Zipf's law, with English function words between them, as in running text. */
const functionWords = "the of and to a in that is for it on with as be at by this or from an are not have will".split(
  " ",
);
const vocabularySize = 120_000;
const wordsPerChunk = 90;
const subjects = 400;
const questions = 300;

const syllables = "ba ce di fo gu la me ni po ru sa te vi zo ka he li mo nu pa re si to va".split(" ");
const wordOf = (rank: number): string => {
  let rest = rank + 24;
  let word = "";
  for (; rest > 0; rest = Math.floor(rest / 24)) word += syllables[rest % 24] ?? "";
  return `${word}x`;
};

interface Synthetic {
  readonly document: CorpusDocument;
  readonly text: (chunk: number) => string;
  readonly question: (nth: number) => string;
}

/** Generates chunks with a subject, whose words they and their questions share. Deterministic. */
function synthetic(chunks: number): Synthetic {
  const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => wordOf(rank));
  const draw = (random: () => number): number => Math.floor(Math.exp(random() * Math.log(vocabularySize)));
  const word = (random: () => number, subject: number): string => {
    const chance = random();
    if (chance < 0.4) return functionWords[Math.floor(random() * functionWords.length)] ?? "the";
    const rank = chance < 0.6 ? (subject * 977 + draw(random) * 13) % vocabularySize : draw(random);
    return vocabulary[rank] ?? "";
  };
  const text = (chunk: number): string => {
    const random = seeded(chunk + 1);
    return Array.from({ length: wordsPerChunk }, () => word(random, chunk % subjects)).join(" ");
  };
  const question = (nth: number): string => {
    const random = seeded(nth + 1_000_003);
    const about = text(Math.floor(random() * chunks)).split(" ");
    const taken = Array.from({ length: 7 }, () => about[Math.floor(random() * about.length)] ?? "");
    return `what is the ${taken.join(" ")} ${vocabulary[draw(random) % 200] ?? ""} for it`;
  };
  const document: CorpusDocument = {
    id: "synthetic",
    family: "synthetic",
    title: "Synthetic",
    carrier: null,
    market: "EU",
    product_line: null,
    document_type: "terms",
    provenance: "sample",
    language: "en",
    version: "1",
    valid_from: null,
    valid_to: null,
    url: null,
  };
  return { document, text, question };
}

function* batchesOf({ document, text }: Synthetic, chunks: number) {
  for (let from = 0; from < chunks; from += 500)
    yield Array.from({ length: Math.min(500, chunks - from) }, (_, i) => ({
      id: from + i + 1,
      document_id: document.id,
      ordinal: from + i,
      page: null,
      heading: "",
      text: text(from + i),
      start: 0,
    }));
}

/** Returns the best of three per question, to exclude other activity on the machine. */
function milliseconds(run: (question: string) => void, asked: readonly string[]): { p50: string; p99: string } {
  const once = (question: string): number => {
    const began = performance.now();
    run(question);
    return performance.now() - began;
  };
  for (const question of asked.slice(0, 30)) once(question);
  const took = asked.map((question) => Math.min(once(question), once(question), once(question))).sort((a, b) => a - b);
  const at = (share: number): string => (took[Math.floor(share * (took.length - 1))] ?? 0).toFixed(2);
  return { p50: at(0.5), p99: at(0.99) };
}

/**
 * Builds an index of `chunks` synthetic chunks and measures the search; `words` is BM25 alone, `hybrid` the full
 * search.
 */
export async function searchLatency(chunks: number) {
  const made = synthetic(chunks);
  const began = performance.now();
  const index: SearchIndex = await buildIndex({
    runtime: systemRuntime,
    documents: [made.document],
    chunks: () => batchesOf(made, chunks),
    version: 1,
  });
  const build = (performance.now() - began) / 1_000;
  const bytes = encodeSearchIndex(index).reduce((sum, part) => sum + part.length, 0);
  const asked = Array.from({ length: questions }, (_, nth) => made.question(nth));
  const words = milliseconds(
    (text) => searchWords(index, readQuestion(index, text, "en", new Map()).terms, null, 10),
    asked,
  );
  const hybrid = milliseconds((question) => rank(index, { question, language: "en", allowed: null, limit: 10 }), asked);
  return {
    chunks,
    "words p50 ms": words.p50,
    "words p99 ms": words.p99,
    "hybrid p50 ms": hybrid.p50,
    "hybrid p99 ms": hybrid.p99,
    "index MB": (bytes / 1e6).toFixed(1),
    "build s": build.toFixed(1),
  };
}

/**
 * Prints the table for these numbers of chunks; `bun test/bench/search-latency.ts` prints it for 20,000 and 200,000.
 */
export async function printSearchLatency(sizes: readonly number[]): Promise<void> {
  const rows = [];
  for (const chunks of sizes) rows.push(await searchLatency(chunks));
  console.table(rows);
}

if (import.meta.main) await printSearchLatency([20_000, 200_000]);
