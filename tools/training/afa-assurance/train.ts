#!/usr/bin/env bun
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { Type as T } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readPacks } from "../../../src/products/capabilities/afa-assurance/packs.ts";
import { createReader } from "../../../src/products/capabilities/afa-assurance/reader.ts";
import { pack } from "../../../src/products/capabilities/afa-assurance/scorer.ts";
import { learn } from "./learn.ts";
import { Case, documentsIn, labelledTexts } from "./training.ts";

/**
 * `bun tools/training/afa-assurance/train.ts` trains the scorer on the labelled cases, the rules' examples and the
 * starter documents, and writes `scorer.json`. `--neutral` names more folders of documents whose sentences give no
 * advice; none of their text is stored. `--without` names rounds of cases to leave out, for an evaluation on unseen
 * cases (round j by default). The same texts produce the same file.
 */
const { values } = parseArgs({
  options: {
    without: { type: "string", multiple: true, default: ["j"] },
    cases: { type: "string", default: "test/bench/assurance-cases.json" },
    neutral: { type: "string", multiple: true, default: ["src/knowledge/corpus/starter"] },
  },
});

const { packs, lexicon } = readPacks();
const rules = packs.flatMap((one) => one.rules);
const all = Value.Decode(T.Array(Case), JSON.parse(readFileSync(values.cases, "utf8")));
const cases = all.filter(({ round }) => !values.without.includes(round));
const texts = labelledTexts(createReader(lexicon), { cases, rules, neutral: values.neutral.flatMap(documentsIn) });
const breaching = texts.filter((text) => text.rules.length > 0).length;
const neutral = values.neutral.map((folder) => basename(folder));
const record = {
  cases: cases.length,
  without: values.without,
  breaching,
  complying: texts.length - breaching,
  neutral,
};
writeFileSync(
  join(import.meta.dir, "../../../src/products/capabilities/afa-assurance/scorer.json"),
  `${JSON.stringify({ record, ...pack(learn(texts)) })}\n`,
);
console.log(`scorer.json: learned from ${record.breaching} breaching and ${record.complying} complying texts`);
