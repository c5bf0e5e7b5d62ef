import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Type as T } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Assurance, createAssurance } from "../../src/products/capabilities/afa-assurance/check.ts";
import { readPacks } from "../../src/products/capabilities/afa-assurance/packs.ts";
import { createReader } from "../../src/products/capabilities/afa-assurance/reader.ts";
import { learn } from "../../tools/training/afa-assurance/learn.ts";
import { Case, documentsIn, labelledTexts } from "../../tools/training/afa-assurance/training.ts";
import { crossValidate } from "../../tools/training/learning/cross-validate.ts";
import blind from "./assurance-blind.json" with { type: "json" };
import blindAgain from "./assurance-blind-2.json" with { type: "json" };

const cases = Value.Decode(
  T.Array(Case),
  JSON.parse(readFileSync(join(import.meta.dir, "assurance-cases.json"), "utf8")),
);
/**
 * Prints the results on answers by authors who had seen neither rules nor engine. Each set was measured once, when the
 * method of the time was finished.
 */
export function printBlindAssurance(): void {
  printAnswersOf("60 answers of another author", blind);
  printAnswersOf("60 later answers of another author", blindAgain);
}

function printAnswersOf(name: string, answers: typeof blind): void {
  const shipped = createAssurance();
  const judged = answers.map(({ question, answer, breach, language }) => ({
    language,
    breach,
    reported: shipped.breaches(question, answer, "full").length > 0,
  }));
  console.log(`\nAdvice, ${name}:`);
  console.table(
    ["cs", "en", "all"].map((language) => {
      const own = judged.filter((one) => language === "all" || one.language === language);
      const reported = own.filter((one) => one.reported);
      const right = reported.filter(({ breach }) => breach).length;
      return {
        language,
        answers: own.length,
        precision: ratio(right, reported.length),
        recall: ratio(right, own.filter(({ breach }) => breach).length),
      };
    }),
  );
}

const rounds = [...new Set(cases.map(({ round }) => round))];
const ratio = (part: number, whole: number): string => (part / Math.max(1, whole)).toFixed(3);

/** The rules for which an answer is reported, compared with those that it breaks. */
interface Judged {
  readonly language: Case["language"];
  readonly round: string;
  readonly breaks: boolean;
  readonly reported: boolean;
  readonly named: number;
  readonly fitting: number;
  readonly hit: boolean;
}

function judge(assurance: Assurance, { language, round, question, answer, rules, also }: Case): Judged {
  const ids = new Set(assurance.breaches(question, answer, "full").map(({ rule }) => rule.id));
  const fitting = [...ids].filter((id) => rules?.includes(id) || also?.includes(id)).length;
  return {
    language,
    round,
    breaks: rules !== undefined,
    reported: ids.size > 0,
    named: ids.size,
    fitting,
    hit: rules?.some((id) => ids.has(id)) ?? false,
  };
}

/**
 * Returns precision and recall: for answers, whether exactly the breaching ones are reported; for rules, whether the
 * broken rule is reported.
 */
function figures(judged: readonly Judged[]) {
  const breaking = judged.filter(({ breaks }) => breaks);
  const reported = judged.filter((one) => one.reported);
  const sum = (of: (one: Judged) => number) => judged.reduce((total, one) => total + of(one), 0);
  return {
    "answers: precision": ratio(reported.filter(({ breaks }) => breaks).length, reported.length),
    "answers: recall": ratio(breaking.filter((one) => one.reported).length, breaking.length),
    "rules: precision": ratio(
      sum(({ fitting }) => fitting),
      sum(({ named }) => named),
    ),
    "rules: recall": ratio(breaking.filter(({ hit }) => hit).length, breaking.length),
  };
}

/**
 * Judges every case with a scorer trained without its round. The patterns have been fitted to all rounds but the last.
 */
function heldOut(): Judged[] {
  const { packs, lexicon } = readPacks();
  const rules = packs.flatMap((pack) => pack.rules);
  const neutral = documentsIn(join(import.meta.dir, "../../src/knowledge/corpus/starter"));
  return crossValidate(cases, {
    foldOf: ({ round }) => round,
    fit: (others) => createAssurance(learn(labelledTexts(createReader(lexicon), { cases: others, rules, neutral }))),
    apply: judge,
  });
}

/** Prints the section of `bun run bench:evidence` on the rule check of advice. */
export function printAssurance(): void {
  const shipped = createAssurance();
  const languages = ["cs", "en"] as const;
  console.log("\nAdvice against the rule packs: labelled answers, scorer trained without the judged round");
  const unseen = heldOut();
  console.table(
    languages.flatMap((language) =>
      rounds.map((round) => {
        const own = unseen.filter((one) => one.language === language && one.round === round);
        return { language, round, answers: own.length, ...figures(own) };
      }),
    ),
  );
  const last = rounds.at(-1);
  console.log("The same with the shipped weights, trained on all rounds but the last:");
  const each: number[] = [];
  const seen = cases.map((one) => {
    const began = performance.now();
    const result = judge(shipped, one);
    each.push(performance.now() - began);
    return result;
  });
  const sorted = each.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2);
  console.log(`Each answer: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms.`);
  console.table(
    languages.flatMap((language) =>
      [true, false].map((isSeen) => ({
        language,
        rounds: isSeen ? "seen" : last,
        ...figures(seen.filter((one) => one.language === language && (one.round !== last) === isSeen)),
      })),
    ),
  );
  const answer = cases
    .map((one) => one.answer)
    .join(" ")
    .slice(0, 20_000);
  const took = Array.from({ length: 5 }, () => {
    const began = performance.now();
    shipped.breaches("?", answer, "full");
    return performance.now() - began;
  });
  console.log(`Largest input (20,000 characters): ${Math.min(...took).toFixed(0)} ms.`);
}
