import type { EvaluatedClaim, Evaluation } from "./evaluate-claim.ts";
import type { SourceIndex } from "./source-index.ts";
import type { Conflict } from "./statement/conflict.ts";

/**
 * Sources with fewer characters are a sentence or two. A true paraphrase shares few words with them, so a low score
 * alone is weak evidence (of 24 answers about such sources that failed by it, 14 were paraphrases).
 */
const sparseCharacters = 200;
/** Below this share of its words in the closest sentence, a claim is about something else. */
const unrelatedBelow = 0.1;

/** Contradictions that fail a claim if the closest sentence has at least the share `closeFrom` of its words. */
const decisive: ReadonlySet<Conflict["rule"]> = new Set<Conflict["rule"]>([
  "number_differs",
  "unit_differs",
  "date_differs",
  "negation_differs",
  "actor_differs",
  "name_missing",
]);
const closeFrom = 0.8;
/** Those that can be read off the sentence itself, so that a smaller share, `nearFrom`, is enough. */
const measured: ReadonlySet<Conflict["rule"]> = new Set<Conflict["rule"]>([
  "number_differs",
  "unit_differs",
  "date_differs",
]);
const nearFrom = 0.6;

/** Checks whether a source contradicts the claim. */
export const isDecisive = ({ judgement: { conflict } }: EvaluatedClaim): boolean =>
  conflict !== null && decisive.has(conflict.rule);

/** Checks whether the closest sentence is about the same thing as the claim. */
export const isClose = ({ judgement: { covered } }: EvaluatedClaim): boolean => covered >= closeFrom;

/** Returns the total number of characters of the sources. */
export const lengthOf = ({ sources }: SourceIndex): number => sources.reduce((sum, { length }) => sum + length, 0);

const opinions = new Set(["i", "me", "my", "mine", "myself", "im", "ive"]);
const named = new Set(["en", "cs", "sk"]);

/** Checks for a name that no source has, inside a sentence: the first word, and German nouns, always have capitals. */
const hasUnknownName = ({ conflicts, compared, start }: EvaluatedClaim, spoken: string): boolean =>
  named.has(spoken) &&
  conflicts.namesMissing.some((token) => /[\p{L}\p{N},)]\s+$/u.test(compared.slice(0, token.start - start)));

/** Checks whether something in a claim speaks against it, beyond its being worded differently. */
function speaksAgainst(claim: EvaluatedClaim, spoken: string): boolean {
  const { conflict, covered } = claim.judgement;
  if (conflict !== null && decisive.has(conflict.rule) && covered >= closeFrom) return true;
  if (conflict !== null && measured.has(conflict.rule) && covered >= nearFrom) return true;
  if (claim.alignment.covered.best < unrelatedBelow || hasUnknownName(claim, spoken)) return true;
  // An insurer answers as `we`; the singular expresses an opinion, which no source confirms.
  const isOpinion = claim.alignment.tokens.some(({ form }) => opinions.has(form));
  return spoken === "en" && (isOpinion || /\?\s*$/.test(claim.text));
}

const plain = (text: string): string => text.split(/\s+/).join(" ").trim().toLowerCase();

/** Checks whether a source contains a text word for word, ignoring case and white space, even within a sentence. */
function isVerbatim(text: string, { sources }: SourceIndex): boolean {
  const wanted = plain(text);
  return sources.some((source) => plain(source).includes(wanted));
}

/**
 * Checks whether a low score may be reported as FAIL. Claims that a source contains word for word never fail. With
 * sparse sources, or if a sentence nearly states every claim, something must speak against one of them.
 */
export function mayFail({ claims, index, spoken }: Evaluation): boolean {
  if (claims.every(({ compared }) => isVerbatim(compared, index))) return false;
  if (claims.some((claim) => speaksAgainst(claim, spoken))) return true;
  return lengthOf(index) >= sparseCharacters && claims.some((claim) => !isClose(claim));
}
