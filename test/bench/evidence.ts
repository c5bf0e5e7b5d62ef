import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkFaithfulness } from "../../src/knowledge/faithfulness/scorer.ts";
import weights from "../../src/knowledge/faithfulness/weights.json" with { type: "json" };
import { sigmoid } from "../../src/knowledge/learning/linear.ts";
import { minimalPairs } from "../../tools/training/faithfulness/corruptions.ts";
import { dataSets, type Row, readRows } from "../../tools/training/faithfulness/dataset.ts";
import {
  crossValidated,
  documentFrequencyOf,
  foldOf,
  folds,
  heldBack,
  prepare,
} from "../../tools/training/faithfulness/evaluate.ts";
import { auroc, balancedAccuracy, bestThreshold } from "../../tools/training/learning/metrics.ts";
import { minimalSets, printAdversarial } from "./adversarial.ts";
import { printAssurance, printBlindAssurance } from "./assurance.ts";
import { printCompanies } from "./company.ts";
import { run } from "./process.ts";
import { byReading, byWords, checked } from "./reader.ts";
import { printRetrieval } from "./retrieval.ts";
import { printSearchLatency } from "./search-latency.ts";
import { overlap, printTrust, type TrustFigures, writeFigures } from "./trust.ts";
import { writtenHeldOut, writtenRows, writtenSet } from "./written.ts";

/**
 * `bun run bench:evidence [--data DIR] [--retrieval DIR] [--documents DIR] [--pages DIR] [--write]`: how reliable each
 * engine's evidence is, per set, compared with plain word overlap and BM25, and how fast. Takes about eleven minutes on
 * two shared cores. "Shipped" is measured on the training data; the figure to rely on is the cross-validated one, where
 * no model saw the source document of what it judges. `--write` stores what is called OK and FAIL in the file from
 * which the catalogue's limitations are generated.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data/faithfulness" },
    retrieval: { type: "string", default: "../shared/data/insuranceqa" },
    documents: { type: "string", default: "../shared/data/insurance-documents" },
    pages: { type: "string", default: "../shared/data/company-pages" },
    write: { type: "boolean", default: false },
  },
});

const ask = (by: "words" | "meaning"): Promise<string> =>
  run([process.execPath, join(import.meta.dir, "ask.ts"), "--documents", resolve(values.documents), "--by", by]);
// Runs concurrently on another processor, since it takes as long as the rest together.
const asked = ask("meaning");

const rows = dataSets.flatMap((set) => readRows(values.data, set));
const seed = weights.record.seed;
const pairs = (["cs", "en"] as const).flatMap((language) => minimalPairs(rows, language, seed));
const prepared = await prepare([...rows, ...pairs], documentFrequencyOf(rows));
const validated = crossValidated(prepared).map(sigmoid);

/** Plain word overlap, the baseline. */
const overlapOf = ({ answer, sources }: Row): number => overlap(answer, sources);

/** Overlap's decisions, with the threshold that was best on the other folds: the most favourable fair treatment. */
function overlapDecisions(set: readonly Row[]): number[] {
  const thresholds = new Map<number, number>();
  return set.map((row) => {
    const fold = foldOf(row.group);
    const others = set.filter((other) => foldOf(other.group) !== fold);
    const threshold =
      thresholds.get(fold) ??
      bestThreshold(
        others.map(overlapOf),
        others.map((o) => o.faithful),
      );
    thresholds.set(fold, threshold);
    return overlapOf(row) >= threshold ? 1 : 0;
  });
}

const took: number[] = [];
async function shipped({ question, answer, sources }: Row): Promise<number> {
  const began = performance.now();
  const { score } = checkFaithfulness({ question, answer, sources });
  took.push(performance.now() - began);
  return score;
}

const figures = (scores: readonly number[], faithful: readonly boolean[]) =>
  [balancedAccuracy(scores, faithful), auroc(scores, faithful)].map((figure) => figure.toFixed(3));

const scores = new Map<Row, number>();
for (const row of rows) scores.set(row, await shipped(row));

const table = dataSets.map((set) => {
  const own = rows.filter((row) => row.set === set);
  const faithful = own.map((row) => row.faithful);
  const held = validated.filter((_, at) => prepared[at]?.row.set === set);
  const [baselineAccuracy] = figures(overlapDecisions(own), faithful);
  const [, baselineArea] = figures(own.map(overlapOf), faithful);
  const [accuracy, area] = figures(held, faithful);
  const [sampleAccuracy, sampleArea] = figures(
    own.map((row) => scores.get(row) ?? 0),
    faithful,
  );
  return {
    set,
    answers: own.length,
    "overlap bal. acc.": baselineAccuracy,
    "overlap AUROC": baselineArea,
    "cross-validated bal. acc.": accuracy,
    "cross-validated AUROC": area,
    "shipped, in-sample bal. acc.": sampleAccuracy,
    "shipped, in-sample AUROC": sampleArea,
  };
});
console.table(table);
console.log(`Threshold 0.5 everywhere; ${folds} folds grouped by source document; seed ${seed}.`);

const sorted = took.toSorted((a, b) => a - b);
const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2);
const total = took.reduce((sum, ms) => sum + ms, 0);
console.log(
  `Speed: ${took.length} answers, ${(took.length / (total / 1000)).toFixed(0)}/s; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms.`,
);

const sentence = "The insured person number 7 must report damage above 5000 CZK to the insurer within 15 days. ";
const sources = Array.from({ length: 50 }, (_, i) => sentence.replace("7", String(i)).repeat(30).slice(0, 2000));
const began = performance.now();
const { claims } = checkFaithfulness({
  question: "What?",
  answer: sentence.repeat(220).slice(0, 20_000),
  sources,
});
console.log(
  `Largest input (20,000 characters, 50 x 2,000): ${claims.length} claims in ${(performance.now() - began).toFixed(0)} ms.`,
);

const written = await checked(writtenRows(), byWords);
const trusted: TrustFigures[] = [printTrust(writtenSet, written, true, byWords), writtenHeldOut()];
for (const by of [byWords, byReading]) {
  for (const { name, list, isSeen } of minimalSets) {
    const answers = await checked(list, by);
    printAdversarial(name, answers, by);
    trusted.push(printTrust(name, answers, isSeen, by));
  }
  // The reader was trained on the other documents and has not seen these.
  const kept = rows.filter(({ group }) => !by.isRead || foldOf(group) < heldBack);
  for (const set of dataSets) {
    const own = kept.filter((row) => row.set === set);
    const name = by.isRead ? `${set}, documents held back` : set;
    trusted.push(printTrust(name, await checked(own, by), true, by));
  }
}
if (values.write) writeFigures(trusted);

printAssurance();
printBlindAssurance();
if (existsSync(values.pages)) await printCompanies(values.pages);
await printRetrieval(values.retrieval);
// 200,000 chunks take longer to index than everything else; `bun test/bench/search-latency.ts` measures them.
await printSearchLatency([20_000]);
console.log(await ask("words"));
console.log(await asked);
