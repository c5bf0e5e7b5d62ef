import { Type as T } from "@sinclair/typebox";
import type { Engine } from "../../../contracts/engine.ts";
import { askModel } from "../../../integrations/models/ask.ts";
import type { LanguageModel } from "../../../integrations/models/language.ts";
import { answerLogit } from "../../../knowledge/faithfulness/answer-score.ts";
import { faithfulness } from "../../../knowledge/faithfulness/computation.ts";
import {
  type ClaimVerdict,
  type Faithfulness,
  isFailed,
  isPromised,
  supportedFrom,
  verdictsOn,
} from "../../../knowledge/faithfulness/scorer.ts";
import { sigmoid } from "../../../knowledge/learning/linear.ts";
import { closed, enumeration, nullable } from "../../../platform/schema.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { hasSources, resultOf, withoutSources } from "./engine.ts";
import type { ExaFilterInput, ExaFilterOutput } from "./schema.ts";

/** The model's output: a verdict on each claim, and the passage that it rests on. */
const Verdicts = closed({
  verdicts: T.Array(
    closed({
      claim: T.Integer({ minimum: 0 }),
      verdict: enumeration("supported", "contradicted", "not_found"),
      source: nullable(T.Integer({ minimum: 0 })),
      quote: nullable(T.String({ maxLength: 2_000 })),
    }),
    { maxItems: 2_000 },
  ),
});
type Verdict = (typeof Verdicts.static)["verdicts"][number];

const instructions =
  "You check whether claims are supported by sources. The material has numbered claims and numbered sources. For every claim give exactly one verdict: supported when one source states it or it follows from it directly, with the same numbers, dates, names and negations; contradicted when a source says otherwise; not_found in all other cases. For a supported claim give the number of the source and, in quote, the passage that supports it, copied letter by letter from that source; otherwise null. Judge by the sources alone, never by what you know.";

const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();
/** Minimum length of a quoted passage. Shorter ones are in any text. */
const shortestQuote = 3;

/** Returns what is wrong with the verdicts, or null: a claim missing or judged twice, or an invented passage. */
function flawIn(verdicts: readonly Verdict[], claims: number, sources: readonly string[]): string | null {
  const judged = verdicts.map(({ claim }) => claim).sort((a, b) => a - b);
  if (judged.length !== claims || judged.some((claim, at) => claim !== at))
    return `Give one verdict for each claim from 0 to ${claims - 1}.`;
  for (const { claim, verdict, source, quote } of verdicts) {
    if (verdict !== "supported") continue;
    const held = source === null ? undefined : sources[source];
    const passage = spaced(quote ?? "");
    if (held === undefined || passage.length < shortestQuote || !spaced(held).includes(passage))
      return `The passage quoted for claim ${claim} is not in the source named.`;
  }
  return null;
}

/** Conflicts that the embedded checker decides whatever the model says: no reading of a passage removes them. */
const decisive = new Set([
  "number_differs",
  "number_missing",
  "date_differs",
  "negation_differs",
  "unit_differs",
  "actor_differs",
  "exception_denied",
  "bound_differs",
]);
/** Probability below which no model rescues a claim: it is three times likelier to be unsupported. */
const hopelessBelow = 0.25;

const logitOf = (probability: number): number => {
  const bounded = Math.min(0.999, Math.max(0.001, probability));
  return Math.log(bounded / (1 - bounded));
};
const rounded = (probability: number): number => Math.round(probability * 1000) / 1000;

/** Doubts about words alone, which a model that reads the meaning may set aside. */
const wordings = new Set(["words_missing", "weak", "unsure"]);

/** Combines the model's verdict on a claim, after the embedded checks, with the embedded probability, equally. */
function joined(claim: ClaimVerdict, { verdict }: Verdict): ClaimVerdict {
  const conflict = claim.reason !== null && decisive.has(claim.reason.rule);
  const supported = verdict === "supported" && !conflict && claim.probability >= hopelessBelow;
  const vote = supported ? 1 : 0;
  const mean = (claim.probability + vote) / 2;
  const probability = rounded(supported ? Math.max(supportedFrom, mean) : Math.min(mean, supportedFrom - 0.01));
  const reason = supported ? null : (claim.reason ?? { rule: "weak" as const, said: [], instead: [] });
  // A model that reads the meaning knows other words for the same, but can't explain away another measure.
  const doubt = supported && !wordings.has(claim.doubt?.rule ?? "") ? claim.doubt : null;
  return { ...claim, supported, probability, reason, doubt };
}

function merged(embedded: Faithfulness, verdicts: readonly Verdict[]): Faithfulness {
  const byClaim = new Map(verdicts.map((verdict) => [verdict.claim, verdict]));
  const supporting = new Set<number>();
  const claims = embedded.claims.map((claim, at) => {
    const verdict = byClaim.get(at) ?? { claim: at, verdict: "not_found", source: null, quote: null };
    const judged = joined(claim, verdict);
    if (judged.supported && verdict.source !== null) supporting.add(verdict.source);
    return judged;
  });
  const score = rounded(sigmoid(answerLogit(claims.map(({ probability }) => logitOf(probability)))));
  const confidence = Math.max(score, rounded(1 - score));
  const [promised, failed] = [isPromised(claims), isFailed(score, embedded.kind)];
  return {
    ...embedded,
    score,
    promised,
    failed,
    confidence,
    claims,
    supporting: [...supporting].sort((a, b) => a - b),
  };
}

/**
 * The faithfulness check with a language model. The model judges the claims of the embedded splitter and must quote the
 * passage for each that it calls supported. It cannot rescue a claim that the embedded check fails, nor a number, date
 * or negation that differs. The manifest chooses it when the operator lists `exa-filter` in `model_capabilities`.
 */
export function exaFilterModelEngine(
  { computing }: Pick<EngineServices, "computing">,
  model: LanguageModel,
): Engine<ExaFilterInput, ExaFilterOutput> {
  return {
    identity: { name: "exa-filter", version: "1.0.0", model: model.name },
    ready: () => model.ready(),
    async run(input, context) {
      if (!hasSources(input)) return { result: withoutSources(input) };
      const { question, answer, sources = [] } = input;
      const embedded = verdictsOn(await computing.run(faithfulness, { question, answer, sources }, context));
      if (embedded.claims.length === 0) return { result: resultOf(embedded, sources) };
      const { verdicts } = await askModel({
        model,
        instructions,
        data: {
          question,
          claims: embedded.claims.map(({ text }, claim) => ({ claim, text })),
          sources: sources.map((text, source) => ({ source, text })),
        },
        schema: Verdicts,
        verify: (given) => flawIn(given.verdicts, embedded.claims.length, sources),
        signal: context.signal,
      });
      return { result: resultOf(merged(embedded, verdicts), sources) };
    },
  };
}
