import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { liveChunks } from "../../db/queries/chunks.ts";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Meaning } from "../../src/contracts/meaning.ts";
import { unhostedContext } from "../../src/execution/attempt.ts";
import type { Chunk, Corpus } from "../../src/knowledge/corpus/corpus.ts";
import type { Source } from "../../src/knowledge/corpus/sources.ts";
import { starterSources } from "../../src/knowledge/corpus/starter/index.ts";
import { starterMeanings } from "../../src/knowledge/corpus/starter/meanings.ts";
import { createMeaning } from "../../src/knowledge/meaning/service.ts";
import { weightFiles } from "../../src/knowledge/meaning/weights.ts";
import { PassageMeanings } from "../../src/knowledge/retrieval/passages.ts";
import { createCorpus } from "../../src/knowledge/retrieval/service.ts";
import { createLog } from "../../src/platform/log.ts";
import { seededRandom } from "../../src/platform/random.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { insuranceAssistantEngine } from "../../src/products/capabilities/insurance-assistant/engine.ts";
import { evidenceFor } from "../../src/products/capabilities/insurance-assistant/evidence.ts";
import type { Signals, Way } from "../../src/products/capabilities/insurance-assistant/gate.ts";
import type { InsuranceAssistantOutput } from "../../src/products/capabilities/insurance-assistant/schema.ts";
import { heldBodies } from "../../tools/training/insurance-assistant/bodies.ts";
import { computing } from "../support/services.ts";
import { importQuietly } from "../support/starter.ts";
import {
  type Asked,
  type AskedSet,
  gateSets,
  knownSets,
  seenSets,
  starterSets,
  unseenBodies,
  wordingQuestions,
  wordingSources,
} from "./ask-sets.ts";

/** The date of the questions, so that validity does not depend on when the bench runs. */
const day = new Date("2026-11-21T12:00:00Z");

/** Returns an answer's quotations, with their source numbers. Remarks are in separate paragraphs. */
const quotations = ({ answer }: InsuranceAssistantOutput) =>
  [...(answer.split("\n\n")[0] ?? "").matchAll(/(.+?)\s\[(\d+)\](?:\s|$)/gsu)].map(([, said = "", number]) => ({
    said: said.trim(),
    source: Number(number) - 1,
  }));

const signs = (text: string): string => text.replace(/[^\p{L}\p{N}%€£§]+/gu, " ").trim();

/**
 * Checks that every word of a quotation occurs in the cited passage, in this order. A list item is quoted after the
 * list's introduction or heading, so its words need not be adjacent.
 */
function isVerbatim(said: string, { chunk }: Chunk): boolean {
  const held = signs(`${chunk.heading}\n${chunk.text}`).split(" ");
  let at = 0;
  return signs(said)
    .split(" ")
    .every((word) => {
      const next = held.indexOf(word, at);
      at = next + 1;
      return next >= 0;
    });
}

interface Result {
  readonly asked: Asked;
  readonly ms: number;
  readonly signals: Signals;
  /** Whether it is refused regardless of the gate. */
  readonly isRefused: boolean;
  /** Whether the citations would be right if it were answered. */
  readonly fits: boolean;
  readonly found: boolean;
  readonly quoted: boolean;
  readonly first: boolean;
  /** Number of places named when nothing answers; `namedRight` counts the right ones. */
  readonly named: number;
  readonly namedRight: number;
  readonly state: string;
  readonly citations: number;
  readonly verbatim: number;
}

async function resultOf(corpus: Corpus, meaning: Meaning, asked: Asked): Promise<Result & { answer: string }> {
  const { question, country, product_line, isRight } = asked;
  const input = { question, country, ...(product_line === undefined ? {} : { product_line }) };
  const sources = { corpus, computing, meaning, runtime: systemRuntime };
  const context = unhostedContext({
    signal: new AbortController().signal,
    stepKey: "bench",
    firm: "bench",
    now: () => day,
    random: seededRandom("bench"),
    progress: () => {},
    earlier: {},
  });
  const began = performance.now();
  const { result } = await insuranceAssistantEngine(sources).run(input, context);
  const ms = performance.now() - began;
  // Afterwards, because the models cache what they have read, and the engine must be timed without the cache.
  const { chunks, signals, composition, nearest, isAdvice, isElsewhere } = await evidenceFor(sources, input, context);
  const isNaming = result.sources.length === 0 && !isAdvice;
  const named = isNaming ? chunks.filter(({ chunk }) => nearest.includes(chunk.id)) : [];
  const cited = result.sources.map(({ id }) => chunks.find(({ chunk }) => String(chunk.id) === id));
  const said = quotations(result);
  const right = isRight ?? (() => false);
  return {
    asked,
    ms,
    signals,
    isRefused: isAdvice || isElsewhere,
    fits: isRight !== null && composition.sources.some(({ found }) => isRight(found)),
    found: chunks.slice(0, 5).some(right),
    quoted: cited.some((chunk) => chunk !== undefined && right(chunk)),
    first: cited[0] !== undefined && right(cited[0]),
    named: named.length,
    namedRight: named.filter(right).length,
    state: result.trust_state,
    citations: said.length,
    verbatim: said.filter(({ said, source }) => {
      const passage = cited[source];
      return passage !== undefined && isVerbatim(said, passage);
    }).length,
    answer: result.answer,
  };
}

const share = (part: number, whole: number): string => (whole === 0 ? "-" : `${part} of ${whole}`);

function figuresOf(results: readonly Result[]) {
  const answerable = results.filter(({ asked }) => asked.isRight !== null);
  const without = results.filter(({ asked }) => asked.isRight === null);
  const count = (list: readonly Result[], is: (result: Result) => boolean) => list.filter(is).length;
  const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    questions: answerable.length,
    "right passage in first five": (count(answerable, ({ found }) => found) / Math.max(1, answerable.length)).toFixed(
      2,
    ),
    "right passage cited": (count(answerable, ({ quoted }) => quoted) / Math.max(1, answerable.length)).toFixed(2),
    "cited first": (count(answerable, ({ first }) => first) / Math.max(1, answerable.length)).toFixed(2),
    "answered FAIL": count(answerable, ({ state }) => state === "FAIL"),
    "right place named with it": count(answerable, ({ namedRight }) => namedRight > 0),
    "verbatim citations": share(
      sum(({ verbatim }) => verbatim),
      sum(({ citations }) => citations),
    ),
    "no evidence, FAIL": share(
      count(without, ({ state }) => state === "FAIL"),
      without.length,
    ),
    "no evidence, OK": count(without, ({ state }) => state === "OK"),
    "no evidence, places named": count(without, ({ named }) => named > 0),
  };
}

/** Returns a model that caches its results, since each question is examined twice. */
function remembering(meaning: Meaning): Meaning {
  const read = new Map<string, ReturnType<Meaning["read"]>>();
  const vectors = new Map<string, ReturnType<Meaning["vectorOf"]>>();
  return {
    isBuiltIn: meaning.isBuiltIn,
    vectorOf(text, kind) {
      const key = `${kind}\n${text}`;
      const known = vectors.get(key) ?? meaning.vectorOf(text, kind);
      vectors.set(key, known);
      return known;
    },
    read(text, passage, asked) {
      const key = `${text}\n${passage}`;
      const known = read.get(key) ?? meaning.read(text, passage, asked);
      read.set(key, known);
      return known;
    },
    stop: () => meaning.stop(),
  };
}

/**
 * Asks every question about one body of documents, by words alone or with the meaning models once they have read all
 * passages, and with or without known questions. The gate's training uses it too.
 */
async function answersOn(sources: Source[], asked: readonly Asked[], way: Way) {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-ask-"));
  const store = openStore(join(folder, "bench.db"));
  try {
    await migrate(store);
    const outcomes = await importQuietly({ store, runtime: systemRuntime, computing, actor: "bench" }, sources);
    for (const { file, reason } of outcomes) if (reason) throw new Error(`${file}: ${reason.message}`);
    const log = createLog(systemRuntime, "error");
    const available = () => process.availableMemory();
    const files = way === "words" ? null : weightFiles;
    const meaning = remembering(createMeaning({ runtime: systemRuntime, log, files, available }));
    const file = join(folder, "bench.index");
    const shipped = way === "known" ? starterMeanings : { passages: starterMeanings.passages };
    const ahead = { file: `${file}.meaning`, shipped: shipped.passages };
    const passages = new PassageMeanings({ runtime: systemRuntime, meaning, log, ...ahead });
    passages.readAhead([], () => liveChunks(store.read), new AbortController().signal);
    await passages.idle();
    const corpus = createCorpus({ runtime: systemRuntime, db: store.read, file, log, meaning, shipped });
    const results: Awaited<ReturnType<typeof resultOf>>[] = [];
    for (const one of asked) results.push(await resultOf(corpus, meaning, one));
    meaning.stop();
    return results;
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Told {
  readonly tell: boolean;
  readonly way: Way;
}

/** Asks the questions of several sets together, so that passages are read only once, and prints each set. */
async function measure(sources: Source[], sets: readonly AskedSet[], { tell, way }: Told): Promise<void> {
  const results = await answersOn(
    sources,
    sets.flatMap(([, asked]) => asked),
    way,
  );
  for (const [name, asked] of sets) {
    const own = results.splice(0, asked.length);
    if (tell) for (const result of own) print(result);
    const languages = [...new Set(asked.map(({ language }) => language))];
    const took = own.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (share: number): string => (took[Math.floor(share * (took.length - 1))] ?? 0).toFixed(0);
    const how = way === "words" ? "by words alone" : "with the meaning models";
    console.log(`${name}, ${how}: ${asked.length} questions; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
    console.table({
      ...Object.fromEntries(
        languages.map((language) => [language, figuresOf(own.filter(({ asked }) => asked.language === language))]),
      ),
      all: figuresOf(own),
    });
  }
}

interface GateExample {
  readonly set: string;
  readonly isRefused: boolean;
  readonly question: string;
  readonly signals: Signals;
  readonly fits: boolean;
  readonly answerable: boolean;
}

const exampleOf = (set: string, { asked, signals, fits, isRefused }: Result): GateExample => ({
  set,
  isRefused,
  question: asked.question,
  signals,
  fits,
  answerable: asked.isRight !== null,
});

/** Returns the examples from the starter documents. */
async function starterExamples(sets: Readonly<Record<string, readonly Asked[]>>, way: Way): Promise<GateExample[]> {
  const asked = Object.entries(sets).flatMap(([set, list]) => list.map((one) => ({ set, one })));
  const results = await answersOn(
    starterSources(),
    asked.map(({ one }) => one),
    way,
  );
  return results.map((result, at) => exampleOf(asked[at]?.set ?? "ours", result));
}

/** Returns the examples from documents whose questions are held back from the reader, body by body. */
async function heldExamples(): Promise<GateExample[]> {
  const examples: GateExample[] = [];
  for (const { name, sources, asked } of heldBodies())
    for (const result of await answersOn(sources, asked, "read")) examples.push(exampleOf(name, result));
  return examples;
}

/**
 * Returns a gate's training data: each question's signals, whether it has an answer, and whether that would be shown.
 * Known questions exist only for the starter documents; documents with held-back questions represent a firm's own.
 */
export async function gateExamples(folder: string, way: Way): Promise<GateExample[]> {
  if (way === "known") return starterExamples({ ...gateSets, ...knownSets }, way);
  const examples = way === "read" ? await heldExamples() : await starterExamples(gateSets, way);
  if (existsSync(folder))
    for (const result of await answersOn(wordingSources(folder), wordingQuestions(), way))
      examples.push(exampleOf("wordings", result));
  return examples;
}

function print({ asked, answer, found, quoted, state }: Result & { answer: string }): void {
  const mark =
    asked.isRight === null ? (state === "FAIL" ? "ok" : "INVENTED") : quoted ? "ok" : found ? "found" : "MISSED";
  console.log(
    `${mark}\t${asked.language} ${asked.country}\t${state}\t${asked.question}\n\t${answer.replaceAll("\n", " ")}`,
  );
}

/**
 * Measures the insurance assistant, with the meaning models and by words alone, on the documents shipped with the
 * product and, if `folder` has them, on real wordings and laws. `evidence.ts` starts it concurrently; on its own: `bun
 * test/bench/ask.ts [--documents DIR] [--by words|meaning] [--seen] [--tell]`. `--seen` adds twenty-eight older sets.
 */
async function printAnswers(folder: string, sets: readonly AskedSet[], tell: boolean, ways: readonly Way[]) {
  for (const way of ways) {
    await measure(starterSources(), sets, { tell, way });
    for (const [sources, set] of unseenBodies()) await measure(sources, [set], { tell, way });
    if (existsSync(folder))
      await measure(wordingSources(folder), [["wordings and laws", wordingQuestions()]], { tell, way });
  }
}

if (import.meta.main) {
  const options = {
    documents: { type: "string", default: "../shared/data/insurance-documents" },
    by: { type: "string", default: "both" },
    seen: { type: "boolean", default: false },
    tell: { type: "boolean", default: false },
  } as const;
  const { documents, by, seen, tell } = parseArgs({ options }).values;
  const sets = seen ? [...starterSets, ...seenSets] : starterSets;
  const ways = { words: ["words"], meaning: ["known"], both: ["words", "known"] } as const;
  if (by !== "words" && by !== "meaning" && by !== "both") throw new Error("--by words, meaning or both");
  await printAnswers(documents, sets, tell, ways[by]);
}
