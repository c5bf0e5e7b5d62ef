#!/usr/bin/env bun
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packWeights } from "../../../src/knowledge/learning/hashed.ts";
import { givenOf } from "../../../src/products/capabilities/company-intelligence/products.ts";
import { crossValidate } from "../learning/cross-validate.ts";
import { judge, type LabelledPage, labelledPages, learn, phrases } from "./learn.ts";
import { sameOffer, siteNameOf, truthsIn } from "./truth.ts";

/**
 * `bun tools/training/company-intelligence/train.ts --data DIR [--data DIR…] [--without DIR…]` trains the scorer of
 * offers on folders of labelled home pages and writes `offers.json`. Sites in the `--without` folders are left out, for
 * an evaluation on unseen sites. Prints recall and precision of models that have not seen the page. The pages are not
 * part of this repository, and none of their text is stored. The same pages produce the same file.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string", multiple: true, default: [] },
    without: { type: "string", multiple: true, default: [] },
    "dry-run": { type: "boolean", default: false },
  },
});

const folds = 8;
const thresholds = [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7];

const held = new Set(values.without.flatMap(truthsIn).map(siteNameOf));
const pages = labelledPages(values.data, held);

interface Judged {
  readonly page: LabelledPage;
  readonly probabilities: readonly number[];
}

/** Returns recall of the firm's offer, precision by the page's offers and by the firm's alone, and entries per page. */
function figures(judged: readonly Judged[], threshold: number): number[] {
  const sum = { found: 0, wanted: 0, right: 0, strict: 0, given: 0 };
  for (const { page, probabilities } of judged) {
    const { given } = givenOf(
      page.candidates.map((candidate, at) => ({ ...candidate, probability: probabilities[at] ?? 0 })),
      threshold,
    );
    const { products_services } = page.truth;
    sum.given += given.length;
    sum.right += given.filter(({ right }) => right > 0).length;
    sum.strict += given.filter(({ right }) => right === 1).length;
    sum.wanted += products_services.length;
    sum.found += products_services.filter((one) => given.some(({ text }) => sameOffer(one, text))).length;
  }
  const { found, wanted, right, strict, given } = sum;
  return [found / wanted, right / given, strict / given, given / judged.length];
}

const foldOf = ({ truth }: LabelledPage): number =>
  createHash("sha256").update(truth.url).digest().readUInt32LE(0) % folds;
const judged = crossValidate(pages, { foldOf, fit: learn, apply: judge }).map((probabilities, at): Judged[] => {
  const page = pages[at];
  return page ? [{ page, probabilities }] : [];
});
const candidates = pages.reduce((sum, page) => sum + page.candidates.length, 0);
console.log(`${pages.length} pages, ${candidates} candidates; by models that have not seen the page:`);
console.log("threshold  recall  precision  of the firm's offer  entries a page");
for (const threshold of thresholds) {
  const [recall = 0, precision = 0, strict = 0, entries = 0] = figures(judged.flat(), threshold);
  console.log(
    `${threshold.toFixed(2).padStart(9)}  ${recall.toFixed(3).padStart(6)}  ${precision.toFixed(3).padStart(9)}  ${strict.toFixed(3).padStart(19)}  ${entries.toFixed(1).padStart(14)}`,
  );
}

if (!values["dry-run"]) {
  const { alone, beside } = learn(pages);
  const rounded = (value: number) => Number(value.toPrecision(6));
  const packed = {
    record: { pages: pages.length, candidates, phrases: phrases.length, left_out: held.size },
    alone: { bias: rounded(alone.bias), ...packWeights(Array.from(alone.weights)) },
    beside: { bias: rounded(beside.bias), weights: Array.from(beside.weights, rounded) },
  };
  const file = join(import.meta.dir, "../../../src/products/capabilities/company-intelligence/offers.json");
  writeFileSync(file, `${JSON.stringify(packed)}\n`);
}
