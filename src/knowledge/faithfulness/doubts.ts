import { currencies } from "../language/quantities.ts";
import { coins, conditions, eachWords, exceptions, measures, periodAdverbs } from "../language/scope-words.ts";
import type { Token } from "../language/tokens.ts";
import type { Alignment } from "./alignment.ts";
import type { EvaluatedClaim } from "./evaluate-claim.ts";
import type { Reason } from "./reason.ts";
import type { SourceIndex } from "./source-index.ts";

/**
 * Why a claim keeps the answer from OK even if all its words are found: a measure, a period, a condition or an
 * exception differs from the source's. The score may still call such a claim supported.
 */

/** Maximum share of a claim's weight in words that no source has; beyond it, the claim is more than a paraphrase. */
const unknownAtMost = 0.2;

const closest = ({ best, second }: Alignment, index: SourceIndex): Token[] =>
  [best, second].flatMap((at) => {
    const sentence = at === null ? undefined : index.sentences[at];
    return sentence === undefined ? [] : index.tokens.slice(sentence.from, sentence.to);
  });

const codes = new Set(currencies.values());
const isCurrency = (unit: string | undefined): boolean => unit !== undefined && codes.has(unit);
const moneyOf = ({ key, form }: Token): string | undefined => (key.startsWith("¤") ? key.slice(1) : coins.get(form));

/** Returns the unit of the number at a position: a currency, `%` or a unit of time; null if there is none. */
function measureAt(tokens: readonly Token[], place: number): string | null {
  const [before, token, after] = [tokens[place - 1], tokens[place], tokens[place + 1]];
  if (isCurrency(token?.unit)) return token?.unit ?? null;
  const money = [after, before].map((one) => one && (moneyOf(one) ?? null)).find((one) => one);
  return money ?? measures.get(after?.form ?? "") ?? null;
}

/** Returns the claim's numbers that the closest sentences have only with another unit. */
function otherMeasures({ alignment }: EvaluatedClaim, near: readonly Token[]): Token[] {
  return alignment.tokens.filter((token, place) => {
    if (token.kind !== "number") return false;
    const said = measureAt(alignment.tokens, place);
    if (said === null) return false;
    const there = near.flatMap((other, at) => (other.key === token.key ? [measureAt(near, at)] : []));
    return there.length > 0 && !there.includes(said) && there.some((measure) => measure !== null);
  });
}

/** Returns the periods that a text gives, such as `per month` or `měsíčně`, each with its token. */
function periodsOf(tokens: readonly Token[]): Map<string, Token> {
  const found = new Map<string, Token>();
  for (const [place, token] of tokens.entries()) {
    const adverb = periodAdverbs.get(token.form);
    const measure = measures.get(token.form);
    const isEach = measure !== undefined && eachWords.has(tokens[place - 1]?.form ?? "");
    const period = adverb ?? (isEach ? measure : undefined);
    if (period !== undefined) found.set(period, token);
  }
  return found;
}

function addedPeriods({ alignment }: EvaluatedClaim, near: readonly Token[]): Token[] {
  const there = periodsOf(near);
  return [...periodsOf(alignment.tokens)].flatMap(([period, token]) => (there.has(period) ? [] : [token]));
}

/** Returns the condition or exception of the closest sentence if the claim keeps less than half of its words. */
function droppedCondition({ alignment }: EvaluatedClaim, index: SourceIndex): Token[] {
  const sentence = alignment.best === null ? undefined : index.sentences[alignment.best];
  if (sentence === undefined) return [];
  const tokens = index.tokens.slice(sentence.from, sentence.to);
  const at = tokens.findIndex(({ form }) => conditions.has(form) || exceptions.has(form));
  if (at < 0) return [];
  const text = index.sources[sentence.source] ?? "";
  // A leading condition ends at its comma, a trailing one at the end of the sentence.
  const ends = tokens.findIndex(
    (token, i) => i > at && text.slice(tokens[i - 1]?.end ?? token.start, token.start).includes(","),
  );
  const clause = tokens.slice(at, at === 0 && ends > 0 ? ends : undefined);
  const told = clause.slice(1).filter((token) => !token.empty);
  const kept = new Set(alignment.words.flatMap(({ token }) => index.match(token).keys.map(([key]) => key)));
  const keeps = told.filter(({ key }) => kept.has(key)).length;
  return told.length > 0 && keeps * 2 < told.length ? clause : [];
}

/** Returns the claim's words that no source has, if there are too many for a paraphrase. */
function unknownWords({ alignment: { words, weight } }: EvaluatedClaim): Token[] {
  const unknown = words.filter(({ anywhere, token }) => anywhere === 0 && token.kind === "word");
  const share = unknown.reduce((sum, word) => sum + word.weight, 0) / Math.max(weight, Number.EPSILON);
  return share > unknownAtMost ? unknown.map(({ token }) => token) : [];
}

/** Returns why a supported claim keeps the answer from OK; null if the sources state it. */
export function doubtOf(claim: EvaluatedClaim, index: SourceIndex): Reason | null {
  const { conflict, proven, reserved, missing } = claim.judgement;
  if (proven) return reserved;
  // A word that no sentence has is a stronger reason than a dropped condition.
  const unsaid: Reason = { rule: missing.length > 0 ? "words_missing" : "weak", said: missing, instead: [] };
  const isDropped = conflict?.rule === "condition_dropped" || conflict?.rule === "qualifier_dropped";
  if (isDropped && missing.length > 0) return unsaid;
  return conflict ?? wordingDoubt(claim, index) ?? unsaid;
}

/** Returns the doubt that the words alone raise, when no sentence was found that states all of the claim. */
function wordingDoubt(claim: EvaluatedClaim, index: SourceIndex): Reason | null {
  const near = closest(claim.alignment, index);
  const own = (tokens: readonly Token[]) =>
    tokens.map(({ start, end }) => claim.compared.slice(start - claim.start, end - claim.start));
  const measured = otherMeasures(claim, near);
  if (measured.length > 0) return { rule: "unit_differs", said: own(measured), instead: [] };
  const periods = addedPeriods(claim, near);
  if (periods.length > 0) return { rule: "too_broad", said: own(periods), instead: [] };
  const { conflicts } = claim;
  const differing = [
    ...conflicts.numbersMissing,
    ...conflicts.calendarMissing,
    ...conflicts.namesMissing,
    ...conflicts.flipped,
    ...conflicts.opposed,
  ];
  if (differing.length > 0) return { rule: "words_missing", said: own(differing), instead: [] };
  if (conflicts.negationNovel.length + conflicts.negationDropped > 0)
    return { rule: "negation_differs", said: own(conflicts.negationNovel), instead: [] };
  const broad = [...conflicts.universalAdded, ...conflicts.extremeAdded];
  if (broad.length > 0) return { rule: "too_broad", said: own(broad), instead: [] };
  const unknown = unknownWords(claim);
  if (unknown.length > 0) return { rule: "words_missing", said: own(unknown), instead: [] };
  const condition = droppedCondition(claim, index);
  if (condition.length > 0) {
    const [first] = condition;
    const source = index.sources[index.sentences[claim.alignment.best ?? 0]?.source ?? 0] ?? "";
    const text = first ? source.slice(first.start, condition.at(-1)?.end) : "";
    return { rule: "condition_dropped", said: [], instead: [text] };
  }
  return null;
}
