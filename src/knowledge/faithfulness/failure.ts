import type { EvaluatedClaim, Evaluation } from "./evaluate-claim.ts";
import type { SourceIndex } from "./source-index.ts";
import type { Conflict } from "./statement/conflict.ts";

/**
 * Sources of fewer characters are a sentence or two: a true answer in words of its own shares few with them, so that a low
 * score alone says little (of 24 answers about such sources that failed by it, 14 were paraphrases).
 */
const sparseCharacters = 200;
/** Below this share of its words in the closest sentence, a claim speaks of something else. */
const strangeBelow = 0.1;

/** Contradictions that fail a claim, where the closest sentence has this share of its words and the words say no more. */
const decisive: ReadonlySet<Conflict["rule"]> = new Set<Conflict["rule"]>([
  "number_differs",
  "unit_differs",
  "date_differs",
  "negation_differs",
  "actor_differs",
  "name_missing",
]);
const closeFrom = 0.8;
/** Of these, what can be read off the sentence itself: less of it has to be the same. */
const measured: ReadonlySet<Conflict["rule"]> = new Set<Conflict["rule"]>([
  "number_differs",
  "unit_differs",
  "date_differs",
]);
const nearFrom = 0.6;

/** Whether a source says otherwise. */
export const isDecisive = ({ judgement: { conflict } }: EvaluatedClaim): boolean =>
  conflict !== null && decisive.has(conflict.rule);

/** Whether the sentence that says otherwise is about the same as the claim. */
export const isClose = ({ judgement: { covered } }: EvaluatedClaim): boolean => covered >= closeFrom;

/** Characters of all sources. */
export const lengthOf = ({ sources }: SourceIndex): number => sources.reduce((sum, { length }) => sum + length, 0);

const opinions = new Set(["i", "me", "my", "mine", "myself", "im", "ive"]);
const named = new Set(["en", "cs", "sk"]);

/** A name that no source has, inside a sentence: German nouns have capitals, and so has the first word. */
const hasStrangeName = ({ conflicts, compared, start }: EvaluatedClaim, spoken: string): boolean =>
  named.has(spoken) &&
  conflicts.namesMissing.some((token) => /[\p{L}\p{N},)]\s+$/u.test(compared.slice(0, token.start - start)));

/** Whether something in a claim speaks against it, not only that its words are others. */
function speaksAgainst(claim: EvaluatedClaim, spoken: string): boolean {
  const { conflict, covered } = claim.judgement;
  if (conflict !== null && decisive.has(conflict.rule) && covered >= closeFrom) return true;
  if (conflict !== null && measured.has(conflict.rule) && covered >= nearFrom) return true;
  if (claim.alignment.covered.best < strangeBelow || hasStrangeName(claim, spoken)) return true;
  // An insurer answers as `we`: in the singular it is an opinion, which no source confirms.
  const isOpinion = claim.alignment.tokens.some(({ form }) => opinions.has(form));
  return spoken === "en" && (isOpinion || /\?\s*$/.test(claim.text));
}

const plain = (text: string): string => text.split(/\s+/).join(" ").trim().toLowerCase();

/** Whether a source has a text word for word, whatever its case and spaces: be it part of a sentence. */
function isHeld(text: string, { sources }: SourceIndex): boolean {
  const wanted = plain(text);
  return sources.some((source) => plain(source).includes(wanted));
}

/**
 * Whether a low score may be called FAIL: never of what a source has word for word; of few words, or of what a sentence
 * nearly says, only where something speaks against them.
 */
export function mayFail({ claims, index, spoken }: Evaluation): boolean {
  if (claims.every(({ compared }) => isHeld(compared, index))) return false;
  if (claims.some((claim) => speaksAgainst(claim, spoken))) return true;
  return lengthOf(index) >= sparseCharacters && claims.some((claim) => !isClose(claim));
}
