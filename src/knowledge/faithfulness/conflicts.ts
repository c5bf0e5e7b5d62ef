import {
  approximators,
  extremes,
  falseNegations,
  hedges,
  negators,
  rejections,
  universals,
} from "../language/lexicon.ts";
import { isOpposite, oppositesOf } from "../language/opposites.ts";
import { synonymGroupsOf } from "../language/synonyms.ts";
import type { Token } from "../language/tokens.ts";
import type { AlignedWord, Alignment } from "./alignment.ts";
import type { SourceIndex } from "./source-index.ts";

/** The evidence against a claim: counts of words, or the words themselves for the verdict. */
export interface Conflicts {
  /** Numbers that the sources lack or give only for something else. */
  readonly numbersMissing: readonly Token[];
  /** Those for which the closest sentences have another number of the same unit. */
  readonly numbersDiffer: readonly Token[];
  /** Numbers that the sources have, but not in the closest sentences. */
  readonly numbersElsewhere: readonly Token[];
  readonly calendarMissing: readonly Token[];
  readonly calendarDiffer: readonly Token[];
  readonly namesMissing: readonly Token[];
  readonly namesElsewhere: readonly Token[];
  readonly names: number;
  /** Words whose negated form is in the closest sentences instead. */
  readonly flipped: readonly Token[];
  /** Negations in the claim without one in the closest sentences; `negationDropped` is the reverse. */
  readonly negationAdded: readonly Token[];
  /** Negated words of the claim that the closest sentences lack, whether or not these negate something else. */
  readonly negationNovel: readonly Token[];
  readonly negationDropped: number;
  /** Words such as `refused` or `cancelled` that the sources lack. */
  readonly rejectionAdded: readonly Token[];
  /** Missing words next to whose neighbour the sources have another word of the same kind. */
  readonly replaced: readonly Token[];
  readonly opposed: readonly Token[];
  readonly universalAdded: readonly Token[];
  readonly extremeAdded: readonly Token[];
  readonly hedgeDropped: number;
  readonly hedgeAdded: number;
}

interface Near {
  readonly tokens: readonly Token[];
  readonly forms: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
}

function near(sentences: readonly (number | null)[], index: SourceIndex): Near {
  const tokens = sentences.flatMap((at) => {
    const sentence = at === null ? undefined : index.sentences[at];
    return sentence === undefined ? [] : index.tokens.slice(sentence.from, sentence.to);
  });
  return { tokens, forms: new Set(tokens.map((t) => t.form)), keys: new Set(tokens.map((t) => t.key)) };
}

const isCovered = ({ bySentence }: AlignedWord, { best, second }: Alignment): boolean =>
  (best !== null && bySentence.has(best)) || (second !== null && bySentence.has(second));

// A number that is close enough counts as equal if the claim calls it approximate.
function isRounded(word: AlignedWord, alignment: Alignment, index: SourceIndex): boolean {
  const value = word.token.value ?? 0;
  const hedged = [1, 2].some((back) => approximators.has(alignment.tokens[word.place - back]?.form ?? ""));
  return hedged && index.tokens.some((t) => t.value !== null && Math.abs(t.value - value) <= 0.1 * Math.abs(t.value));
}

function numberConflicts(alignment: Alignment, index: SourceIndex, close: Near) {
  const numbers = alignment.words.filter(({ token }) => token.kind === "number");
  const missing = numbers.filter((word) => word.anywhere === 0 && !isRounded(word, alignment, index));
  const said = new Set(numbers.map(({ token }) => token.key));
  const differs = ({ token }: AlignedWord) =>
    close.tokens.some((other) => other.kind === "number" && other.unit === token.unit && !said.has(other.key));
  const outOfScope = numbersOutOfScope(alignment, index);
  return {
    numbersMissing: [...missing.map(({ token }) => token), ...outOfScope],
    numbersDiffer: [...missing.filter(differs).map(({ token }) => token), ...outOfScope],
    numbersElsewhere: numbers.filter((w) => w.anywhere > 0 && !isCovered(w, alignment)).map(({ token }) => token),
  };
}

const parts = /[,;]/;
const currency = /^(?:czk|eur|usd|gbp|pln|chf)$/;
const joins = new Set(["and", "or", "but", "a", "i", "nebo", "alebo", "ale", "und", "oder", "oraz", "lub"]);

/**
 * Returns the numbers that the closest sentence gives for something else: "within 15 days, abroad within 30" does not
 * say 15 abroad. A later part of that sentence has another number of the same unit, and a word of the claim that no
 * part up to the claim's own number has.
 */
function numbersOutOfScope({ tokens: said, words, best }: Alignment, index: SourceIndex): Token[] {
  const sentence = best === null ? undefined : index.sentences[best];
  if (sentence === undefined) return [];
  const tokens = index.tokens.slice(sentence.from, sentence.to);
  const text = index.sources[sentence.source] ?? "";
  const keys = new Set(said.map(({ key }) => key));
  const opensPart = (at: number): boolean => {
    const [token, before] = [tokens[at], tokens[at - 1]];
    return (
      token !== undefined && (joins.has(token.form) || parts.test(text.slice(before?.end ?? token.start, token.start)))
    );
  };
  const opening = tokens.map((_, at) => at).filter(opensPart);
  const partOf = tokens.map((_, at) => opening.filter((one) => one <= at).length);
  const inPart = (part: number) => tokens.filter((_, at) => partOf[at] === part);
  return words.flatMap(({ token, place }) => {
    // A bare number may be a year or a score, for which the neighbouring words are weaker evidence.
    const isMeasure = token.unit !== "" || currency.test(said[place - 1]?.form ?? "");
    if (token.kind !== "number" || !isMeasure) return [];
    const own = tokens.flatMap(({ key }, at) => (key === token.key ? [partOf[at] ?? 0] : []));
    const [part] = own;
    if (part === undefined || own.length > 1) return [];
    const other = tokens.findIndex(
      (one, at) => one.kind === "number" && one.unit === token.unit && !keys.has(one.key) && (partOf[at] ?? 0) > part,
    );
    if (other < 0) return [];
    const earlier = new Set(tokens.filter((_, at) => (partOf[at] ?? 0) <= part).map(({ key }) => key));
    const there = inPart(partOf[other] ?? 0);
    const strays = there.some((one) => one.kind === "word" && !one.empty && keys.has(one.key) && !earlier.has(one.key));
    return strays ? [token] : [];
  });
}

function calendarConflicts(alignment: Alignment, close: Near) {
  const missing = alignment.words.filter(({ token, anywhere }) => token.kind === "calendar" && anywhere === 0);
  const differs = ({ token }: AlignedWord) =>
    close.tokens.some((other) => other.kind === "calendar" && other.key.charAt(1) === token.key.charAt(1));
  return {
    calendarMissing: missing.map(({ token }) => token),
    calendarDiffer: missing.filter(differs).map(({ token }) => token),
  };
}

function nameConflicts(alignment: Alignment) {
  const names = alignment.words.filter(({ token }) => token.kind === "word" && token.capital && !token.initial);
  return {
    names: names.length,
    namesMissing: names.filter(({ anywhere }) => anywhere === 0).map(({ token }) => token),
    namesElsewhere: names.filter((w) => w.anywhere > 0 && !isCovered(w, alignment)).map(({ token }) => token),
  };
}

/**
 * Words that only look negated: Czech superlatives (`nejpozději`, `nejvýše`) and nouns in all their cases; `nejsou` and
 * `nejde` do negate.
 */
const seemsNegated =
  /^(?:nej(?!sou|sem|si$|sme|ste|de|dou|dete|edn|asn|ist|inak)|neprodlen|nemocensk|nemocnic|nemovit|nehod(?!n|l|i)|nehnutel|nebezpec|nezletil|nedostatk|nedostatec)/;

const isNegated = (token: Token): boolean =>
  negators.has(token.form) ||
  (/^ne\p{L}{3,}/u.test(token.form) && !falseNegations.has(token.form) && !seemsNegated.test(token.form));

const bounding = new Set(["later", "more", "less", "longer", "fewer", "higher"]);

/**
 * Checks for a negator that negates nothing: `no later than` is a bound, and `No,` before a negated sentence repeats
 * it.
 */
function deniesNothing(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token === undefined || next === undefined || !negators.has(token.form)) return false;
  const isParticle = at === 0 && next.start - token.end > 1 && tokens.some((other, i) => i > 0 && isNegated(other));
  return bounding.has(next.form) || isParticle;
}

// Whether a source's negated word negates what the claim says: the claim has its bare form or a neighbour.
function negatesClaim(token: Token, at: number, close: Near, said: ReadonlySet<string | number>): boolean {
  if (said.has(token.key.slice(2)) || said.has(token.form.slice(2))) return true;
  if (!negators.has(token.form)) return synonymGroupsOf(token.form.slice(2)).some((group) => said.has(group));
  return [1, 2, 3].some((step) => said.has(close.tokens[at + step]?.key ?? ""));
}

function negationConflicts(alignment: Alignment, index: SourceIndex, close: Near) {
  const said = new Set(alignment.tokens.flatMap((t) => [t.key, t.form, ...synonymGroupsOf(t.form)]));
  const here = alignment.tokens.filter((token, at) => isNegated(token) && !deniesNothing(alignment.tokens, at));
  const thereNegated = close.tokens.filter((token, at) => isNegated(token) && negatesClaim(token, at, close, said));
  const sourceNegates = close.tokens.some(isNegated);
  const flipped = alignment.words.filter(({ token }) => {
    const { negated } = index.match(token);
    return !close.keys.has(token.key) && negated.some((key) => close.keys.has(key));
  });
  const added = here.filter((token) => !close.forms.has(token.form) && !close.keys.has(token.key));
  return {
    flipped: flipped.map(({ token }) => token),
    negationAdded: sourceNegates ? [] : added,
    negationNovel: added,
    negationDropped: here.length > 0 ? 0 : thereNegated.length,
  };
}

function opposedWords(alignment: Alignment, close: Near): Token[] {
  return alignment.tokens.filter((token) => {
    if (token.kind !== "word" || close.keys.has(token.key)) return false;
    const candidates = oppositesOf(token.form);
    return candidates.length > 0 && close.tokens.some((other) => isOpposite(other.form, candidates));
  });
}

// A word's kind judged by its form: a name, a number, or the last letters of an inflected word.
const kindOf = (token: Token): string =>
  token.kind !== "word" ? token.kind : token.capital && !token.initial ? "name" : token.form.slice(-2);

// `ruský mluvčí` against `ukrajinský mluvčí`: the claim's word is missing and its neighbour has another of the same
// kind.
function replacedWords({ words, tokens }: Alignment, index: SourceIndex): Token[] {
  const said = new Set(tokens.map((token) => token.key));
  return words.flatMap(({ token, anywhere, place }) => {
    if (anywhere > 0) return [];
    const replaced = [-1, 1].some((side) => {
      const neighbour = tokens[place + side];
      if (neighbour === undefined || neighbour.empty) return false;
      return index.match(neighbour).keys.some(([key]) =>
        index
          .positionsOf(key)
          .slice(0, 100)
          .some((position) => {
            const other = index.tokens[position - side];
            return (
              other !== undefined &&
              index.sentenceOf[position] === index.sentenceOf[position - side] &&
              !other.empty &&
              !said.has(other.key) &&
              kindOf(other) === kindOf(token)
            );
          }),
      );
    });
    return replaced ? [token] : [];
  });
}

/** Returns what speaks against one claim in the sentences it was aligned with. Used by the features and the verdict. */
export function conflictsOf(alignment: Alignment, index: SourceIndex): Conflicts {
  const close = near([alignment.best, alignment.second], index);
  // Polarity concerns one sentence only; the second one may negate something else.
  const closest = near([alignment.best], index);
  const novel = (words: ReadonlySet<string>) =>
    alignment.tokens.filter(
      (token) => words.has(token.form) && !close.forms.has(token.form) && !close.keys.has(token.key),
    );
  const hedgedThere = close.tokens.filter((token) => hedges.has(token.form)).length;
  const hedgedHere = alignment.tokens.filter((token) => hedges.has(token.form)).length;
  return {
    ...numberConflicts(alignment, index, close),
    ...calendarConflicts(alignment, close),
    ...nameConflicts(alignment),
    ...negationConflicts(alignment, index, closest),
    rejectionAdded: alignment.words
      .filter((w) => w.anywhere < 0.6 && rejections.some((entry) => w.token.form.startsWith(entry)))
      .map(({ token }) => token),
    replaced: replacedWords(alignment, index),
    opposed: opposedWords(alignment, closest),
    universalAdded: novel(universals),
    extremeAdded: novel(extremes),
    hedgeDropped: hedgedHere === 0 && hedgedThere > 0 ? 1 : 0,
    hedgeAdded: hedgedHere > 0 && hedgedThere === 0 ? 1 : 0,
  };
}
