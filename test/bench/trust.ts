import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold } from "../../src/platform/text.ts";
import type { Row } from "../../tools/training/faithfulness/dataset.ts";
import { auroc, balancedAccuracy } from "../../tools/training/learning/metrics.ts";
import type { Adversarial } from "./adversarial.ts";
import type { Check, Checked } from "./reader.ts";

/** An answer with the state and the scores of each method. */
interface Scored {
  readonly faithful: boolean;
  readonly state: string;
  readonly score: number;
  readonly engine: number;
  readonly overlap: number;
  readonly bm25: number;
}

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the share of the answer's distinct words that occur in the sources. */
export function overlap(answer: string, sources: readonly string[]): number {
  const held = new Set(wordsOf(sources.join(" ")));
  const said = [...new Set(wordsOf(answer))];
  return said.filter((word) => held.has(word)).length / Math.max(1, said.length);
}

const [k1, b] = [1.2, 0.75];

/**
 * Returns the best BM25 score of the answer's words over the sources' sentences, as a share of the answer's own score.
 */
function bm25(answer: string, sources: readonly string[], idf: (word: string) => number): number {
  const sentences = sources.flatMap((source) => source.split(/(?<=[.!?])\s+/)).map(wordsOf);
  const mean = sentences.reduce((sum, { length }) => sum + length, 0) / Math.max(1, sentences.length);
  const said = [...new Set(wordsOf(answer))];
  const scoreIn = (sentence: readonly string[]): number =>
    said.reduce((sum, word) => {
      const count = sentence.filter((one) => one === word).length;
      return sum + (idf(word) * count * (k1 + 1)) / (count + k1 * (1 - b + (b * sentence.length) / Math.max(1, mean)));
    }, 0);
  const best = sentences.reduce((most, sentence) => Math.max(most, scoreIn(sentence)), 0);
  const whole = said.reduce((sum, word) => sum + idf(word), 0);
  return whole > 0 ? best / whole : 0;
}

function idfOver(rows: readonly (Row | Adversarial)[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { sources } of rows)
    for (const word of new Set(wordsOf(sources.join(" ")))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => Math.log(1 + (rows.length - (counts.get(word) ?? 0) + 0.5) / ((counts.get(word) ?? 0) + 0.5));
}

/** The figures of a set: how much is called OK and FAIL, how much of each is wrong, and the time per answer. */
export interface TrustFigures {
  readonly set: string;
  /** Whether the reader read the claims. */
  readonly read: boolean;
  readonly looked_at: boolean;
  readonly answers: number;
  readonly ok: number;
  readonly ok_wrong: number;
  readonly fail: number;
  readonly fail_wrong: number;
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

/** Returns how many of the answers that a method trusts most are wrong, as a percentage. */
function riskAt(list: readonly Scored[], by: (one: Scored) => number, coverage: number): string {
  const taken = list.toSorted((a, b) => by(b) - by(a)).slice(0, Math.max(1, Math.round(coverage * list.length)));
  return ((100 * taken.filter(({ faithful }) => !faithful).length) / taken.length).toFixed(1);
}

const coverages = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1];
const rank = (state: string): number => (state === "OK" ? 2 : state === "FAIL" ? 0 : 1);

/** Prints the risk-coverage table of a set with plain overlap and BM25 for comparison, and returns its figures. */
export function printTrust(
  set: string,
  answers: readonly Checked<Row | Adversarial>[],
  looked_at: boolean,
  by: Check,
): TrustFigures {
  const idf = idfOver(answers.map(({ row }) => row));
  const scored = answers.map(
    ({ row: { answer, sources, faithful }, result }): Scored => ({
      faithful,
      state: result.trust_state,
      score: result.faithfulness_score ?? 0,
      engine: rank(result.trust_state) + (result.faithfulness_score ?? 0),
      overlap: overlap(answer, sources),
      bm25: bm25(answer, sources, idf),
    }),
  );
  const count = (state: string, faithful?: boolean) =>
    scored.filter((one) => one.state === state && (faithful === undefined || one.faithful === faithful)).length;
  const figures = {
    set,
    read: by.isRead,
    looked_at,
    answers: answers.length,
    ok: count("OK"),
    ok_wrong: count("OK", false),
    fail: count("FAIL"),
    fail_wrong: count("FAIL", true),
  };
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  console.log(
    `\n${set}, ${by.name}: of ${answers.length} answers OK ${figures.ok}, of these wrong ${figures.ok_wrong}; FAIL ${figures.fail}, of these wrong ${figures.fail_wrong}; p50 ${at(sorted, 0.5).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms`,
  );
  const [scores, truth] = [scored.map(({ score }) => score), scored.map(({ faithful }) => faithful)];
  console.log(
    `Balanced accuracy at one half ${balancedAccuracy(scores, truth).toFixed(3)}, AUROC ${auroc(scores, truth).toFixed(3)}`,
  );
  console.log("Errors in %, by share of most trusted answers:");
  const curve = (by: (one: Scored) => number) =>
    Object.fromEntries(coverages.map((coverage) => [`${100 * coverage} %`, riskAt(scored, by, coverage)]));
  console.table({
    engine: curve(({ engine }) => engine),
    "plain overlap": curve((one) => one.overlap),
    BM25: curve((one) => one.bm25),
  });
  return figures;
}

const file = join(import.meta.dir, "../../src/products/capabilities/exa-filter/figures.json");

/** Writes the figures shown in the catalogue and the documentation, for `bun run bench:evidence --write`. */
export function writeFigures(sets: readonly TrustFigures[]): void {
  writeFileSync(file, `${JSON.stringify({ sets }, null, 2)}\n`);
}
