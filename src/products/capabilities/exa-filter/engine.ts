import type { Engine } from "../../../contracts/engine.ts";
import {
  checkFaithfulness,
  checkFaithfulnessAtOnce,
  type Faithfulness,
} from "../../../knowledge/faithfulness/scorer.ts";
import { noSourcesText, reasonText, verdictText } from "../../../knowledge/faithfulness/verdict.ts";
import { detectLanguage } from "../../../knowledge/language/detect.ts";
import type { Turns } from "../../../knowledge/retrieval/cooperative-yield.ts";
import { isShort } from "../short.ts";
import type { ExaFilterInput, ExaFilterOutput } from "./schema.ts";

// Under half a claim is not supported; under a quarter, support is three times less likely than its absence.
export const failsBelow = 0.25;

const stateOf = ({ score, promised }: Faithfulness): ExaFilterOutput["trust_state"] =>
  promised ? "OK" : score >= failsBelow ? "WARN" : "FAIL";

/** Whether there is anything to check against. */
export const hasSources = ({ sources = [] }: ExaFilterInput): boolean =>
  sources.some((source) => /[\p{L}\p{N}]/u.test(source));

/** The result when there is nothing to check against. */
export const withoutSources = ({ question, answer }: ExaFilterInput): ExaFilterOutput => ({
  trust_state: "FAIL",
  verdict_text: noSourcesText(detectLanguage(answer, detectLanguage(question))),
  sources: [],
});

/** Verdicts as the contract shows them; the model engine's too. */
export function resultOf(verdicts: Faithfulness, sources: readonly string[]): ExaFilterOutput {
  const { language, score, confidence, claims, supporting } = verdicts;
  if (claims.length === 0)
    return { trust_state: "WARN", verdict_text: verdictText([], false, language), sources: [], claims: [] };
  const state = stateOf(verdicts);
  return {
    trust_state: state,
    faithfulness_score: score,
    confidence_score: confidence,
    verdict_text: verdictText(claims, state === "OK", language),
    sources: supporting.flatMap((at) => sources[at] ?? []),
    claims: claims.map(({ reason, doubt, ...claim }) => {
      const why = reason ?? doubt;
      return { ...claim, reason: why && reasonText(why, language) };
    }),
  };
}

async function check(runtime: Turns, input: ExaFilterInput): Promise<ExaFilterOutput> {
  if (!hasSources(input)) return withoutSources(input);
  const { question, answer, sources = [] } = input;
  return resultOf(await checkFaithfulness(runtime, { question, answer, sources }), sources);
}

/** Short texts, with sources: without any, the imported documents are asked first. */
function checkAtOnce(input: ExaFilterInput): ExaFilterOutput | undefined {
  const { question, answer, sources = [] } = input;
  if (!hasSources(input) || !isShort([question, answer, ...sources])) return undefined;
  return resultOf(checkFaithfulnessAtOnce({ question, answer, sources }), sources);
}

/**
 * The embedded faithfulness check. The worker runs it; it throws nothing of its own. Without sources there is nothing to
 * check against, and the result says so instead of giving a score.
 */
export const exaFilterEngine = (runtime: Turns): Engine<ExaFilterInput, ExaFilterOutput> => ({
  identity: { name: "exa-filter", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input) => ({ result: await check(runtime, input) }),
  runInline(input) {
    const result = checkAtOnce(input);
    return result && { result };
  },
});
