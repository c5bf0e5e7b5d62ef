import { currencies } from "../language/quantities.ts";
import { coins, conditions, eachWords, exceptions, measures, periodAdverbs } from "../language/scope-words.ts";
import type { Token } from "../language/tokens.ts";
import type { Alignment } from "./alignment.ts";
import type { EvaluatedClaim } from "./evaluate-claim.ts";
import type { Reason } from "./reason.ts";
import type { SourceIndex } from "./source-index.ts";

/**
 * Why a claim is not promised, however well its words are found: a measure, a period, a condition or an exception is not
 * the source's. A score may call such a claim supported; the state OK may not.
 */

/** So much of a claim's weight may be words that no source has, before it is more than a wording of its own. */
const unknownAtMost = 0.2;

const closest = ({ best, second }: Alignment, index: SourceIndex): Token[] =>
  [best, second].flatMap((at) => {
    const sentence = at === null ? undefined : index.sentences[at];
    return sentence === undefined ? [] : index.tokens.slice(sentence.from, sentence.to);
  });

const codes = new Set(currencies.values());
const isCurrency = (unit: string | undefined): boolean => unit !== undefined && codes.has(unit);
const moneyOf = ({ key, form }: Token): string | undefined => (key.startsWith("¤") ? key.slice(1) : coins.get(form));

/** What the number at a place is a number of: a currency, `%` or a measure of time; null where nothing says so. */
function measureAt(tokens: readonly Token[], place: number): string | null {
  const [before, token, after] = [tokens[place - 1], tokens[place], tokens[place + 1]];
  if (isCurrency(token?.unit)) return token?.unit ?? null;
  const money = [after, before].map((one) => one && (moneyOf(one) ?? null)).find((one) => one);
  return money ?? measures.get(after?.form ?? "") ?? null;
}

/** Numbers of the claim that the closest sentences have with another measure only. */
function otherMeasures({ alignment }: EvaluatedClaim, near: readonly Token[]): Token[] {
  return alignment.tokens.filter((token, place) => {
    if (token.kind !== "number") return false;
    const said = measureAt(alignment.tokens, place);
    if (said === null) return false;
    const there = near.flatMap((other, at) => (other.key === token.key ? [measureAt(near, at)] : []));
    return there.length > 0 && !there.includes(said) && there.some((measure) => measure !== null);
  });
}

/** The periods that a text gives: `per month`, `měsíčně`. */
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

/** The words of the closest sentence's condition or exception, where the claim keeps hardly one of them. */
function droppedCondition({ alignment }: EvaluatedClaim, index: SourceIndex): Token[] {
  const sentence = alignment.best === null ? undefined : index.sentences[alignment.best];
  if (sentence === undefined) return [];
  const tokens = index.tokens.slice(sentence.from, sentence.to);
  const at = tokens.findIndex(({ form }) => conditions.has(form) || exceptions.has(form));
  if (at < 0) return [];
  const text = index.sources[sentence.source] ?? "";
  // In front, it ends with its comma; behind, with the sentence.
  const ends = tokens.findIndex(
    (token, i) => i > at && text.slice(tokens[i - 1]?.end ?? token.start, token.start).includes(","),
  );
  const clause = tokens.slice(at, at === 0 && ends > 0 ? ends : undefined);
  const told = clause.slice(1).filter((token) => !token.empty);
  const kept = new Set(alignment.words.flatMap(({ token }) => index.match(token).keys.map(([key]) => key)));
  const keeps = told.filter(({ key }) => kept.has(key)).length;
  return told.length > 0 && keeps * 2 < told.length ? clause : [];
}

/** Words of the claim that no source has, where they are more than a wording of its own. */
function unknownWords({ alignment: { words, weight } }: EvaluatedClaim): Token[] {
  const unknown = words.filter(({ anywhere, token }) => anywhere === 0 && token.kind === "word");
  const share = unknown.reduce((sum, word) => sum + word.weight, 0) / Math.max(weight, Number.EPSILON);
  return share > unknownAtMost ? unknown.map(({ token }) => token) : [];
}

/** Why the claim may not be promised; null where a sentence of the sources says it. The scorer asks for each supported claim. */
export function doubtOf(claim: EvaluatedClaim, index: SourceIndex): Reason | null {
  const { conflict, proven, reserved, missing } = claim.judgement;
  if (proven) return reserved;
  // A word that no sentence has says more than the condition that it lost.
  const unsaid: Reason = { rule: missing.length > 0 ? "words_missing" : "weak", said: missing, instead: [] };
  const isDropped = conflict?.rule === "condition_dropped" || conflict?.rule === "qualifier_dropped";
  if (isDropped && missing.length > 0) return unsaid;
  return conflict ?? wordingDoubt(claim, index) ?? unsaid;
}

/** What the words alone speak against, where no sentence was found that says all of the claim. */
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
