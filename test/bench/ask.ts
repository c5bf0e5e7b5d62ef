import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import { unhostedContext } from "../../src/execution/attempt.ts";
import type { Chunk, Corpus } from "../../src/knowledge/corpus/corpus.ts";
import type { Source } from "../../src/knowledge/corpus/sources.ts";
import { starterSources } from "../../src/knowledge/corpus/starter/index.ts";
import { createCorpus } from "../../src/knowledge/retrieval/service.ts";
import { createLog } from "../../src/platform/log.ts";
import { seededRandom } from "../../src/platform/random.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { insuranceAssistantEngine } from "../../src/products/capabilities/insurance-assistant/engine.ts";
import { evidenceFor } from "../../src/products/capabilities/insurance-assistant/evidence.ts";
import type { InsuranceAssistantOutput } from "../../src/products/capabilities/insurance-assistant/schema.ts";
import { computing } from "../support/services.ts";
import { importQuietly } from "../support/starter.ts";
import questions from "./ask-questions.json" with { type: "json" };

/** A question with what marks the passages that answer it; null: the documents hold no answer. */
interface Asked {
  readonly language: string;
  readonly country: string;
  readonly question: string;
  readonly product_line?: string | undefined;
  readonly isRight: ((passage: Pick<Chunk, "chunk" | "document">) => boolean) | null;
}

/** The day of the questions: what is valid then does not change with the day of the measurement. */
const day = new Date("2026-11-21T12:00:00Z");

/** Real wordings and laws that the data folder may hold, with the facts that its manifest does not tell. */
const wordings: Readonly<
  Record<string, Readonly<{ market: string; carrier?: string; product_line?: string; document_type: string }>>
> = {
  "axa-cz-vpp-0518": { market: "CZ", carrier: "AXA", product_line: "life", document_type: "terms" },
  "axa-uk-car": { market: "GB", carrier: "AXA", product_line: "car", document_type: "terms" },
  "cz-oz-pojisteni": { market: "CZ", document_type: "legal_note" },
  "de-pflvg": { market: "DE", document_type: "legal_note" },
  "gdv-avb-phv": { market: "DE", carrier: "GDV", product_line: "liability", document_type: "terms" },
  "sk-381-2001": { market: "SK", document_type: "legal_note" },
};

const wordingSources = (folder: string): Source[] =>
  Object.entries(wordings).map(([name, facts]) => ({
    file: `${name}.md`,
    manifest: null,
    facts: { ...facts, ...(facts.carrier ? { provenance: "carrier" } : {}), key: name, title: name },
    read: async () => readFileSync(join(folder, `${name}.md`)),
  }));

/** Questions on the starter documents; `further` were written in other words, after the rules had been tuned on the first. */
const starterQuestions = (which: "starter" | "further"): Asked[] =>
  questions[which].map(({ expected, ...asked }) => ({
    ...asked,
    isRight:
      expected &&
      (({ chunk, document }) =>
        expected.some(
          ({ title, words }) =>
            document.title.toLowerCase().includes(title.toLowerCase()) && spaced(chunk.text).includes(words),
        )),
  }));

const wordingQuestions = (): Asked[] =>
  questions.wordings.map(({ document: name, headings = [], words = "", ...asked }) => ({
    ...asked,
    isRight:
      name === null
        ? null
        : ({ chunk, document }) =>
            document.title === name &&
            headings.some((heading) => hasHeading(chunk.heading, heading)) &&
            spaced(chunk.text).includes(words),
  }));

const spaced = (text: string): string => text.replace(/\s+/g, " ");

/** Whether a heading is among those of a passage: `§ 1` is not `§ 12`. */
function hasHeading(headings: string, heading: string): boolean {
  const at = headings.indexOf(heading);
  return at >= 0 && !(/\d$/.test(heading) && /^[\p{L}\d]/u.test(headings.slice(at + heading.length)));
}

/** What an answer quotes, with the numbers of the sources. Remarks stand on a line of their own. */
const quotations = ({ answer }: InsuranceAssistantOutput) =>
  [...(answer.split("\n\n")[0] ?? "").matchAll(/(.+?)\s\[(\d+)\](?:\s|$)/gsu)].map(([, said = "", number]) => ({
    said: said.trim(),
    source: Number(number) - 1,
  }));

const signs = (text: string): string => text.replace(/[^\p{L}\p{N}%€£§]+/gu, " ").trim();

/**
 * Whether each word of a quotation stands in the passage cited, in this order. An item of a list is quoted behind the
 * words that lead in to the list, or behind its heading: there the pieces are looked for one by one.
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
  readonly found: boolean;
  readonly quoted: boolean;
  readonly first: boolean;
  readonly state: string;
  readonly citations: number;
  readonly verbatim: number;
}

async function resultOf(corpus: Corpus, asked: Asked): Promise<Result & { answer: string }> {
  const { question, country, product_line, isRight } = asked;
  const input = { question, country, ...(product_line === undefined ? {} : { product_line }) };
  const sources = { corpus, computing, runtime: systemRuntime };
  const context = unhostedContext({
    signal: new AbortController().signal,
    stepKey: "bench",
    firm: "bench",
    now: () => day,
    random: seededRandom("bench"),
    progress: () => {},
    earlier: {},
  });
  const { chunks } = await evidenceFor(sources, input, context);
  const { result } = await insuranceAssistantEngine(sources).run(input, context);
  const cited = result.sources.map(({ id }) => chunks.find(({ chunk }) => String(chunk.id) === id));
  const said = quotations(result);
  const right = isRight ?? (() => false);
  return {
    asked,
    found: chunks.slice(0, 5).some(right),
    quoted: cited.some((chunk) => chunk !== undefined && right(chunk)),
    first: cited[0] !== undefined && right(cited[0]),
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
    "verbatim citations": share(
      sum(({ verbatim }) => verbatim),
      sum(({ citations }) => citations),
    ),
    "no evidence, FAIL": share(
      count(without, ({ state }) => state === "FAIL"),
      without.length,
    ),
    "no evidence, OK": count(without, ({ state }) => state === "OK"),
  };
}

async function measure(name: string, sources: Source[], asked: readonly Asked[], tell: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-ask-"));
  const store = openStore(join(folder, "bench.db"));
  try {
    await migrate(store);
    const outcomes = await importQuietly({ store, runtime: systemRuntime, computing, actor: "bench" }, sources);
    for (const { file, reason } of outcomes) if (reason) throw new Error(`${file}: ${reason.message}`);
    const log = createLog(systemRuntime, "error");
    const corpus = createCorpus({ runtime: systemRuntime, db: store.read, file: join(folder, "bench.index"), log });
    const results: Awaited<ReturnType<typeof resultOf>>[] = [];
    for (const one of asked) results.push(await resultOf(corpus, one));
    if (tell) for (const result of results) print(result);
    const languages = [...new Set(asked.map(({ language }) => language))];
    console.log(`${name}: ${asked.length} questions`);
    console.table({
      ...Object.fromEntries(
        languages.map((language) => [language, figuresOf(results.filter(({ asked }) => asked.language === language))]),
      ),
      all: figuresOf(results),
    });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function print({ asked, answer, found, quoted, state }: Result & { answer: string }): void {
  const mark =
    asked.isRight === null ? (state === "FAIL" ? "ok" : "INVENTED") : quoted ? "ok" : found ? "found" : "MISSED";
  console.log(
    `${mark}\t${asked.language} ${asked.country}\t${state}\t${asked.question}\n\t${answer.replaceAll("\n", " ")}`,
  );
}

/**
 * How well the insurance assistant answers: questions on the documents that come with the program and, where `folder`
 * has them, on real wordings and laws. Called by `evidence.ts`; alone with `bun test/bench/ask.ts [--tell]`.
 */
export async function printAnswers(folder: string, tell = false): Promise<void> {
  await measure("starter documents", starterSources(), starterQuestions("starter"), tell);
  await measure("starter documents, further questions", starterSources(), starterQuestions("further"), tell);
  if (existsSync(folder)) await measure("wordings and laws", wordingSources(folder), wordingQuestions(), tell);
}

if (import.meta.main) await printAnswers("../shared/data/insurance-documents", process.argv.includes("--tell"));
