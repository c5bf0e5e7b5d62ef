import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { liveChunks } from "../../../db/queries/chunks.ts";
import { liveDocuments } from "../../../db/queries/documents.ts";
import { openStore } from "../../../db/sqlite/connection.ts";
import { migrate } from "../../../db/sqlite/migrate.ts";
import { starterSources } from "../../../src/knowledge/corpus/starter/index.ts";
import { starterMeanings } from "../../../src/knowledge/corpus/starter/meanings.ts";
import { Model } from "../../../src/knowledge/meaning/model.ts";
import { weightFiles } from "../../../src/knowledge/meaning/weights.ts";
import { encodeKnownQuestions, type KnownQuestion } from "../../../src/knowledge/retrieval/known-questions.ts";
import { passageText } from "../../../src/knowledge/retrieval/passage-text.ts";
import { writeDurably } from "../../../src/platform/files.ts";
import { systemRuntime } from "../../../src/platform/runtime.ts";
import { computing } from "../../../test/support/services.ts";
import { importQuietly } from "../../../test/support/starter.ts";
import { learnAlike, type WrittenQuestion } from "./alike.ts";

/**
 * `bun tools/training/meaning/starter-questions.ts` computes the encoder's vectors of the questions in
 * `starter/questions`, learns when two of them ask the same, and writes
 * `src/knowledge/corpus/starter/questions.meaning`. Run it whenever the questions, the starter documents, their
 * chunking or the encoder change; a test fails until then. Takes ten minutes.
 */
const folder = join(import.meta.dir, "starter");

interface Passage {
  readonly id: string;
  readonly title: string;
  readonly section: string;
}

/** One author's questions on one passage. */
interface Written {
  readonly id: string;
  readonly answered: readonly string[];
  /** For each answered question, the words of the passage that answer it. */
  readonly where: readonly (readonly string[])[];
  readonly unanswered: readonly string[];
  readonly abroad?: readonly {
    readonly answered: string;
    readonly where: readonly string[];
    readonly unanswered: string;
  }[];
}

const linesOf = <T>(file: string): T[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): T => JSON.parse(line));

/** Returns the starter documents' chunks, each with its document's title. */
async function starterChunks() {
  const data = mkdtempSync(join(tmpdir(), "assay-starter-questions-"));
  const store = openStore(join(data, "starter.db"));
  try {
    await migrate(store);
    const outcomes = await importQuietly({ store, runtime: systemRuntime, computing, actor: "tool" }, starterSources());
    for (const { file, reason } of outcomes) if (reason) throw new Error(`${file}: ${reason.message}`);
    const titles = new Map((await liveDocuments(store.read)).map(({ id, title }) => [id, title]));
    const chunks = (await Array.fromAsync(liveChunks(store.read))).flat();
    return chunks.map((chunk) => ({ ...chunk, title: titles.get(chunk.document_id) ?? "" }));
  } finally {
    await store.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Returns each question with the words that answer it, or null if it is only nearly answered. */
const questionsOf = ({ answered, where, unanswered, abroad = [] }: Written) => [
  ...answered.map((question, at) => ({ question, words: where[at]?.[0] ?? null })),
  ...abroad.map(({ answered, where }) => ({ question: answered, words: where[0] ?? null })),
  ...[...unanswered, ...abroad.map((one) => one.unanswered)].map((question) => ({ question, words: null })),
];

function placeOf(words: string, text: string) {
  const from = text.indexOf(words);
  if (from < 0) throw new Error(`“${words}” is not in “${text.slice(0, 80)}”`);
  return { from, to: from + words.length };
}

/** Minimum cosine of two passages that may be versions of one clause. */
const mayAnswerTheSameFrom = 0.93;

const chunks = await starterChunks();
const passages = new Map(linesOf<Passage>(join(folder, "passages.jsonl")).map((one) => [one.id, one]));
if (weightFiles === null) throw new Error("the weights of the meaning models are missing");
const model = await Model.load(weightFiles);
const meanings = new Map<number, Float32Array>();
for (const chunk of chunks) meanings.set(chunk.id, await model.vectorOf(`passage: ${passageText(chunk)}`));
const written: (WrittenQuestion & KnownQuestion)[] = [];
for (const author of readdirSync(join(folder, "questions")).sort())
  for (const one of linesOf<Written>(join(folder, "questions", author))) {
    const passage = passages.get(one.id);
    const standing = chunks.filter(
      ({ title, text }) => text === passage?.section && title.replace(/ \([^)]+\)$/, "") === passage.title,
    );
    if (standing.length === 0) console.warn(`${one.id}: no chunk`);
    for (const { question, words } of questionsOf(one)) {
      const vector = await model.vectorOf(`query: ${question}`);
      for (const chunk of standing) {
        const answer = words === null ? null : placeOf(words, chunk.text);
        written.push({ author, chunk: chunk.id, passage: passageText(chunk), vector, answer });
      }
    }
  }
const likeness = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
const twins = new Map(
  [...meanings].map(([id, own]) => [
    id,
    new Set([...meanings].filter(([, other]) => likeness(own, other) > mayAnswerTheSameFrom).map(([other]) => other)),
  ]),
);
const map = learnAlike({
  questions: written,
  mayAnswerTheSame: (one, other) => twins.get(one)?.has(other) === true,
});
await writeDurably(starterMeanings.questions, encodeKnownQuestions(written, map), { mode: 0o644 });
console.log(`${written.length} questions`);
process.exit(0);
