import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { weightIn } from "../../../src/knowledge/faithfulness/document-frequency.ts";
import { evaluateClaims } from "../../../src/knowledge/faithfulness/evaluate-claim.ts";
import { claimToRead, passageFor } from "../../../src/knowledge/faithfulness/passage.ts";
import weights from "../../../src/knowledge/faithfulness/weights.json" with { type: "json" };
import { dataSets, readRows } from "../faithfulness/dataset.ts";
import { foldOf, heldBack } from "../faithfulness/evaluate.ts";

/**
 * `bun tools/training/meaning/evidence.ts --data DIR --out FILE` writes the labelled answers as pairs of a claim and
 * the passage that the product would read with it, for `learn.py`. A hallucinated answer of several claims does not
 * show which one is wrong, so it is left out. Every fifth source document is held out.
 */
const { values } = parseArgs({
  options: { data: { type: "string", default: "../shared/data/faithfulness" }, out: { type: "string", default: "" } },
});
const weightOf = weightIn(weights.document_frequency);
const lines: string[] = [];
for (const set of dataSets)
  for (const row of readRows(values.data, set)) {
    const { index, claims } = evaluateClaims(row, weightOf);
    if (!row.faithful && claims.length !== 1) continue;
    for (const claim of claims) {
      const p = passageFor(claim, index);
      const h = claimToRead(claim.text, row.question, row.answer);
      if (p === null) continue;
      const split = foldOf(row.group) < heldBack ? "held" : "train";
      lines.push(JSON.stringify({ set, lang: set === "ctkfacts" ? "cs" : "en", p, h, y: row.faithful ? 0 : 3, split }));
    }
  }
writeFileSync(values.out, `${lines.join("\n")}\n`);
