import { detectLanguage } from "../../evidence/language.ts";
import { checkFaithfulness, supportedFrom } from "../../evidence/scorer.ts";
import { noSourcesText, reasonText, verdictText } from "../../evidence/verdict.ts";
import type { Engine } from "../../workflow/engine.ts";
import type { ExaFilterInput, ExaFilterOutput } from "./schema.ts";

// Under half a claim is not supported; under a quarter, support is three times less likely than its absence.
const failsBelow = 0.25;

const stateOf = (score: number): ExaFilterOutput["trust_state"] =>
  score >= supportedFrom ? "OK" : score >= failsBelow ? "WARN" : "FAIL";

function check({ question, answer, sources = [] }: ExaFilterInput): ExaFilterOutput {
  if (!sources.some((source) => /[\p{L}\p{N}]/u.test(source)))
    return {
      trust_state: "FAIL",
      verdict_text: noSourcesText(detectLanguage(answer, detectLanguage(question))),
      sources: [],
    };
  const { language, score, confidence, claims, supporting } = checkFaithfulness({ question, answer, sources });
  if (claims.length === 0)
    return { trust_state: "WARN", verdict_text: verdictText([], false, language), sources: [], claims: [] };
  const state = stateOf(score);
  return {
    trust_state: state,
    faithfulness_score: score,
    confidence_score: confidence,
    verdict_text: verdictText(claims, state === "OK", language),
    sources: supporting.flatMap((at) => sources[at] ?? []),
    claims: claims.map(({ reason, ...claim }) => ({ ...claim, reason: reason && reasonText(reason, language) })),
  };
}

/**
 * The embedded faithfulness check. The worker runs it; it throws nothing of its own. Without sources there is nothing to
 * check against, and the result says so instead of giving a score.
 */
export const exaFilterEngine: Engine<ExaFilterInput, ExaFilterOutput> = {
  identity: { name: "exa-filter", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input) => ({ result: check(input) }),
};
