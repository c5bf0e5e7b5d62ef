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

/**
 * `bun tools/training/meaning/starter-questions.ts`: reads the questions of `starter/questions` with the encoder as it is,
 * and writes `src/knowledge/corpus/starter/questions.meaning`. To be run whenever they, the starter documents, how these are
 * cut into passages, or the encoder change; a test says so. It takes some minutes.
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
  /** For each of these the words of the passage that answer it. */
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

/** The chunks of the starter documents, each with its document's title. */
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

/** Each question with the words that answer it; none of those that are only nearly answered. */
const questionsOf = ({ answered, where, unanswered, abroad = [] }: Written) => [
  ...answered.map((question, at) => ({ question, words: where[at]?.[0] ?? null })),
  ...abroad.map(({ answered, where }) => ({ question: answered, words: where[0] ?? null })),
  ...[...unanswered, ...abroad.map((one) => one.unanswered)].map((question) => ({ question, words: null })),
];

function placeOf(words: string, text: string) {
  const from = text.indexOf(words);
  if (from < 0) throw new Error(`“${words}” does not stand in “${text.slice(0, 80)}”`);
  return { from, to: from + words.length };
}

const chunks = await starterChunks();
const passages = new Map(linesOf<Passage>(join(folder, "passages.jsonl")).map((one) => [one.id, one]));
if (weightFiles === null) throw new Error("the models of meaning are needed");
const model = await Model.load(weightFiles);
const known: KnownQuestion[] = [];
for (const file of readdirSync(join(folder, "questions")).sort())
  for (const written of linesOf<Written>(join(folder, "questions", file))) {
    const passage = passages.get(written.id);
    const standing = chunks.filter(
      ({ title, text }) => text === passage?.section && title.replace(/ \([^)]+\)$/, "") === passage.title,
    );
    if (standing.length === 0) console.warn(`${written.id}: no chunk`);
    for (const { question, words } of questionsOf(written)) {
      const vector = await model.vectorOf(`query: ${question}`);
      for (const chunk of standing)
        known.push({ passage: passageText(chunk), vector, answer: words === null ? null : placeOf(words, chunk.text) });
    }
  }
await writeDurably(starterMeanings.questions, encodeKnownQuestions(known), { mode: 0o644 });
console.log(`${known.length} questions`);
process.exit(0);
