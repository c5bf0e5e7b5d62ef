import { fold } from "../../platform/text.ts";
import { personal } from "../language/lexicon.ts";
import type { AlignedWord, Alignment } from "./alignment.ts";
import type { Conflicts } from "./conflicts.ts";
import { compactness, fragmentsOf, keptOrder } from "./fragments.ts";
import type { SourceIndex } from "./source-index.ts";

/**
 * Every feature and the only sign that its weight may have: +1 for evidence of support, -1 for evidence against it, 0
 * if neither is known beforehand. Training keeps these signs, so that no accident of the training data makes a copied
 * word count against a claim or a differing number count for it.
 */
export const directions: Readonly<Record<string, -1 | 0 | 1>> = {
  ...Object.fromEntries(
    `covered_anywhere covered_best covered_pair plain asked first_half second_half first_word last_word forms grams
    grams_best copied longest pairs order compact`
      .split(/\s+/)
      .map((name) => [name, 1 as const]),
  ),
  ...Object.fromEntries(
    `missing_most missing_sum missing_share_lower reversed apart personal personal_added question numbers_missing
    numbers_differ numbers_elsewhere calendar_missing calendar_differ names_missing names_missing_share names_elsewhere
    flipped negation_added negation_novel negation_dropped rejection_added replaced opposed universal_added
    extreme_added hedge_dropped contradicted renamed`
      .split(/\s+/)
      .map((name) => [name, -1 as const]),
  ),
  weak: 0,
  hedge_added: 0,
};

/** The order of the features in the scorer's weights. */
export const featureNames: readonly string[] = Object.keys(directions);

/** The character four-grams of the sources, built once per check. */
export type Grams = ReadonlySet<string>;

const gramLength = 4;

/** Returns the character n-grams of a text, with words separated by single spaces. */
export function gramsOf(text: string): Set<string> {
  const plain = fold(text).replace(/[^\p{L}\p{N}]+/gu, " ");
  const grams = new Set<string>();
  for (let i = 0; i + gramLength <= plain.length; i += 1) grams.add(plain.slice(i, i + gramLength));
  return grams;
}

const containment = (part: Grams, whole: Grams): number => {
  let held = 0;
  for (const gram of part) if (whole.has(gram)) held += 1;
  return part.size > 0 ? held / part.size : 0;
};

/** What a claim is judged on. `questionKeys` holds the question's words; empty if the question is the claim itself. */
export interface Subject {
  readonly text: string;
  readonly alignment: Alignment;
  readonly conflicts: Conflicts;
  readonly index: SourceIndex;
  readonly grams: Grams;
  readonly questionKeys: ReadonlySet<string>;
}

const share = (part: number, whole: number, otherwise = 0): number => (whole > 0 ? part / whole : otherwise);

function missingWords(words: readonly AlignedWord[], questionKeys: ReadonlySet<string>) {
  let most = 0;
  let sum = 0;
  let count = 0;
  let asked = 0;
  let weak = 0;
  let plain = 0;
  for (const { token, weight, anywhere } of words) {
    const missed = weight * (1 - anywhere);
    most = Math.max(most, missed);
    sum += missed;
    if (anywhere >= 0.999) plain += 1;
    if (anywhere > 0 && anywhere < 0.999) weak += 1;
    if (anywhere > 0) continue;
    count += 1;
    if (questionKeys.has(token.key)) asked += 1;
  }
  return { most, sum, count, asked, weak: share(weak, words.length), plain: share(plain, words.length) };
}

function conflictFeatures(conflicts: Conflicts) {
  return {
    numbers_missing: conflicts.numbersMissing.length,
    numbers_differ: conflicts.numbersDiffer.length,
    numbers_elsewhere: conflicts.numbersElsewhere.length,
    calendar_missing: conflicts.calendarMissing.length,
    calendar_differ: conflicts.calendarDiffer.length,
    names_missing: conflicts.namesMissing.length,
    names_missing_share: share(conflicts.namesMissing.length, conflicts.names),
    names_elsewhere: share(conflicts.namesElsewhere.length, conflicts.names),
    flipped: conflicts.flipped.length,
    negation_added: conflicts.negationAdded.length,
    negation_novel: conflicts.negationNovel.length,
    rejection_added: conflicts.rejectionAdded.length,
    replaced: conflicts.replaced.length,
    negation_dropped: conflicts.negationDropped,
    opposed: conflicts.opposed.length,
    universal_added: conflicts.universalAdded.length,
    extreme_added: conflicts.extremeAdded.length,
    hedge_dropped: conflicts.hedgeDropped,
    hedge_added: conflicts.hedgeAdded,
  };
}

// Conflicts that contradict a claim rather than merely lack support. They weigh more, the better the rest of it is
// aligned.
const contradictions = (conflicts: Conflicts): number =>
  conflicts.numbersDiffer.length +
  conflicts.calendarDiffer.length +
  conflicts.flipped.length +
  conflicts.opposed.length +
  conflicts.negationNovel.length +
  conflicts.negationDropped;

function surroundings({ best }: Alignment, index: SourceIndex): string {
  if (best === null) return "";
  return [best - 1, best, best + 1]
    .map((at) => index.sentences[at])
    .filter((sentence) => sentence !== undefined && sentence.source === index.sentences[best]?.source)
    .map((sentence) => (sentence && index.sources[sentence.source]?.slice(sentence.start, sentence.end)) ?? "")
    .join(" ");
}

/**
 * Returns the features of one claim by name, every one finite. The scorer takes them in the order of `featureNames`.
 */
export function featuresOf({
  text,
  alignment,
  conflicts,
  index,
  grams,
  questionKeys,
}: Subject): Record<string, number> {
  const { words, covered, tokens } = alignment;
  const missing = missingWords(words, questionKeys);
  const own = gramsOf(text);
  const half = Math.ceil(words.length / 2);
  const part = (from: number, to?: number) => {
    const taken = words.slice(from, to);
    return share(
      taken.reduce((s, w) => s + w.weight * w.anywhere, 0),
      taken.reduce((s, w) => s + w.weight, 0),
      1,
    );
  };
  const fragments = fragmentsOf(alignment, index);
  const wordly = words.filter(({ token }) => token.kind === "word" && !token.capital);
  return {
    covered_anywhere: covered.anywhere,
    covered_best: covered.best,
    covered_pair: covered.pair,
    plain: missing.plain,
    weak: missing.weak,
    missing_most: missing.most,
    missing_sum: Math.log1p(missing.sum),
    missing_share_lower: share(wordly.filter((w) => w.anywhere === 0).length, wordly.length),
    asked: share(missing.asked, missing.count),
    first_half: part(0, half),
    second_half: part(half),
    first_word: words[0]?.anywhere ?? 0,
    last_word: words.at(-1)?.anywhere ?? 0,
    forms: share(tokens.filter((t) => index.positionsOfForm(t.form).length > 0).length, tokens.length),
    grams: containment(own, grams),
    grams_best: containment(own, gramsOf(surroundings(alignment, index))),
    copied: fragments.copied,
    longest: fragments.longest,
    pairs: fragments.pairs,
    reversed: fragments.reversed,
    apart: fragments.apart,
    order: keptOrder(alignment, alignment.best, index),
    compact: compactness(alignment, alignment.best, index),
    personal: share(tokens.filter((t) => personal.has(t.form)).length, tokens.length),
    personal_added: tokens.some((t) => personal.has(t.form) && index.positionsOfForm(t.form).length === 0) ? 1 : 0,
    question: /\?\s*$/.test(text) ? 1 : 0,
    ...conflictFeatures(conflicts),
    contradicted: contradictions(conflicts) > 0 ? covered.best ** 2 : 0,
    renamed: conflicts.namesMissing.length > 0 ? covered.best ** 2 : 0,
  };
}
