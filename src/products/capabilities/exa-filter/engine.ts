import type { Engine } from "../../../contracts/engine.ts";
import { type Assessment, assess } from "../../../knowledge/faithfulness/assess.ts";
import { faithfulness } from "../../../knowledge/faithfulness/computation.ts";
import { isOpen, readClaims } from "../../../knowledge/faithfulness/readings.ts";
import { type Faithfulness, verdictsOn } from "../../../knowledge/faithfulness/scorer.ts";
import { noSourcesText, reasonText, verdictText } from "../../../knowledge/faithfulness/verdict.ts";
import { verdictLanguage } from "../../../knowledge/language/verdict-language.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { isShort } from "../short.ts";
import type { ExaFilterInput, ExaFilterOutput } from "./schema.ts";

const stateOf = ({ promised, failed }: Faithfulness): ExaFilterOutput["trust_state"] =>
  promised ? "OK" : failed ? "FAIL" : "WARN";

/** Returns whether there is anything to check against. */
export const hasSources = ({ sources = [] }: ExaFilterInput): boolean =>
  sources.some((source) => /[\p{L}\p{N}]/u.test(source));

/** Returns the result for a check with nothing to check against. */
export const withoutSources = ({ question, answer }: ExaFilterInput): ExaFilterOutput => ({
  trust_state: "FAIL",
  verdict_text: noSourcesText(verdictLanguage(answer, verdictLanguage(question))),
  sources: [],
});

/** Returns verdicts in the form of the contract. Also used by the model engine. */
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

/** Assesses short texts by their words, if there are sources. Without any, the corpus is searched first. */
function assessAtOnce(input: ExaFilterInput): Assessment | undefined {
  const { question, answer, sources = [] } = input;
  if (!hasSources(input) || !isShort([question, answer, ...sources])) return undefined;
  return assess({ question, answer, sources });
}

/**
 * The embedded faithfulness check. It throws `input_too_costly`. Without sources there is nothing to check against, and
 * the result says so instead of giving a score. Claims that the words leave open are read by the built-in reader, if it
 * is available; each claim says whether it was read.
 */
export const exaFilterEngine = ({
  computing,
  meaning,
}: Pick<EngineServices, "computing" | "meaning">): Engine<ExaFilterInput, ExaFilterOutput> => ({
  identity: { name: "exa-filter", version: "1.0.0", model: null },
  ready: () => null,
  async run(input, context) {
    if (!hasSources(input)) return { result: withoutSources(input) };
    const { question, answer, sources = [] } = input;
    const assessment = await computing.run(faithfulness, { question, answer, sources }, context);
    const readings = await readClaims(assessment, meaning, context, (completed, total) =>
      context.progress?.("reading claims", completed, total),
    );
    return { result: resultOf(verdictsOn(assessment, readings), sources) };
  },
  runInline(input) {
    const assessment = computing.atOnce(() => assessAtOnce(input));
    if (!assessment || (meaning.isBuiltIn && assessment.claims.some(isOpen))) return undefined;
    return { result: resultOf(verdictsOn(assessment), input.sources ?? []) };
  },
});
