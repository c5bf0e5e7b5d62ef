import { personal } from "../language/lexicon.ts";
import type { Token } from "../language/tokens.ts";
import type { EvaluatedClaim } from "./evaluate-claim.ts";
import type { SourceIndex } from "./source-index.ts";

/**
 * Why a claim is not supported: the rule, the claim's words at issue, and what the closest source sentence has instead.
 */
export interface Reason {
  readonly rule:
    | "number_differs"
    | "number_missing"
    | "date_differs"
    | "negation_differs"
    | "opposite"
    | "name_missing"
    | "too_broad"
    | "unit_differs"
    | "condition_dropped"
    | "qualifier_dropped"
    | "exception_denied"
    | "actor_differs"
    | "bound_differs"
    | "case_differs"
    | "number_elsewhere"
    | "not_a_statement"
    | "words_missing"
    | "weak"
    | "unsure";
  readonly said: readonly string[];
  readonly instead: readonly string[];
}

const mostWords = 4;

// Words as spelled in the text, without duplicates.
const spelled = (tokens: readonly Token[], text: string): string[] =>
  [...new Set(tokens.map(({ start, end }) => text.slice(start, end)))].slice(0, mostWords);

// The tokens of the closest sentence that are of the kind in which the claim differs.
function insteadOf(claim: EvaluatedClaim, index: SourceIndex, matches: (token: Token) => boolean): string[] {
  const sentence = claim.alignment.best === null ? undefined : index.sentences[claim.alignment.best];
  if (sentence === undefined) return [];
  const said = new Set(claim.alignment.tokens.map(({ key }) => key));
  const tokens = index.tokens
    .slice(sentence.from, sentence.to)
    .filter((token) => matches(token) && !said.has(token.key));
  return spelled(tokens, index.sources[sentence.source] ?? "");
}

/** For a claim that the rules have proven but of which the reader is not certain. */
export const unsure: Reason = { rule: "unsure", said: [], instead: [] };

const ownRules = new Set<Reason["rule"]>([
  "actor_differs",
  "bound_differs",
  "case_differs",
  "exception_denied",
  "number_elsewhere",
  "unit_differs",
]);

/** Returns the reason for an unsupported claim: the most decisive conflict first, missing words last. */
export function reasonFor(claim: EvaluatedClaim, index: SourceIndex): Reason {
  const { conflicts, alignment, judgement } = claim;
  // A sentence states all of it, so nothing differs; only the reader is not certain.
  if (judgement.proven) return unsure;
  // Only the parsed statement shows who is meant, in which unit, or at most how much.
  if (judgement.conflict !== null && ownRules.has(judgement.conflict.rule)) return judgement.conflict;
  const words = (tokens: readonly Token[]) =>
    spelled(
      tokens.map((token) => ({ ...token, start: token.start - claim.start, end: token.end - claim.start })),
      claim.compared,
    );
  const differing = conflicts.numbersDiffer;
  if (differing.length > 0) {
    const units = new Set(differing.map(({ unit }) => unit));
    const same = (token: Token) => token.kind === "number" && units.has(token.unit);
    return { rule: "number_differs", said: words(differing), instead: insteadOf(claim, index, same) };
  }
  if (conflicts.calendarDiffer.length > 0) {
    const instead = insteadOf(claim, index, ({ kind }) => kind === "calendar");
    return { rule: "date_differs", said: words(conflicts.calendarDiffer), instead };
  }
  const measured = judgement.conflict?.rule === "number_differs" || judgement.conflict?.rule === "date_differs";
  if (judgement.conflict !== null && measured) return judgement.conflict;
  const missing = [...conflicts.numbersMissing, ...conflicts.calendarMissing];
  if (missing.length > 0) return { rule: "number_missing", said: words(missing), instead: [] };
  if (conflicts.namesMissing.length > 0)
    return { rule: "name_missing", said: words(conflicts.namesMissing), instead: [] };
  const negated = [...conflicts.flipped, ...conflicts.negationNovel];
  if (alignment.covered.best >= 0.5 && (negated.length > 0 || conflicts.negationDropped > 0))
    return { rule: "negation_differs", said: words(negated), instead: [] };
  if (conflicts.opposed.length > 0) return { rule: "opposite", said: words(conflicts.opposed), instead: [] };
  const lacking = alignment.words.filter(({ anywhere }) => anywhere === 0).map(({ token }) => token);
  if (/\?\s*$/.test(claim.text) || alignment.tokens.some(({ form }) => personal.has(form)))
    return { rule: "not_a_statement", said: [], instead: [] };
  if (conflicts.universalAdded.length > 0 && lacking.length <= conflicts.universalAdded.length)
    return { rule: "too_broad", said: words(conflicts.universalAdded), instead: [] };
  if (lacking.length === 0 && judgement.conflict !== null) return judgement.conflict;
  return lacking.length > 0
    ? { rule: "words_missing", said: words(lacking), instead: [] }
    : { rule: "weak", said: [], instead: [] };
}
