import { detectLanguage } from "../language/detect.ts";
import type { Language } from "../language/languages.ts";
import { tokenize } from "../language/tokens.ts";
import type { Interruptible } from "../retrieval/cooperative-yield.ts";
import { type Alignment, align, type WeightOf } from "./alignment.ts";
import { splitClaims } from "./claims.ts";
import { type Conflicts, conflictsOf } from "./conflicts.ts";
import { featureNames, featuresOf, type Grams, gramsOf } from "./features.ts";
import { SourceIndex } from "./source-index.ts";

/** A claim with what was found out about it, before any weight is applied. */
export interface EvaluatedClaim {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly alignment: Alignment;
  readonly conflicts: Conflicts;
  /** In the order of `featureNames`. */
  readonly features: readonly number[];
}

export interface Evaluation {
  readonly language: Language;
  readonly index: SourceIndex;
  readonly claims: readonly EvaluatedClaim[];
}

export interface Material {
  readonly question: string;
  readonly answer: string;
  readonly sources: readonly string[];
}

/** What every claim of an answer is evaluated against. */
interface Evidence {
  readonly language: Language;
  readonly index: SourceIndex;
  readonly grams: Grams;
  /** Keys of the question's words; none when the answer is its own question. */
  readonly questionKeys: ReadonlySet<string>;
  readonly weightOf: WeightOf;
}

/** Evaluates the claim at a place of the answer; null when it claims nothing. */
function evaluateClaim(
  answer: string,
  { start, end }: { readonly start: number; readonly end: number },
  { language, index, grams, questionKeys, weightOf }: Evidence,
): EvaluatedClaim | null {
  const text = answer.slice(start, end);
  const alignment = align(tokenize(text, language, start), index, weightOf);
  // Function words alone ("Yes.") claim nothing that a source could have.
  if (alignment.words.length === 0) return null;
  const conflicts = conflictsOf(alignment, index);
  const named = featuresOf({ text, alignment, conflicts, index, grams, questionKeys });
  return { start, end, text, alignment, conflicts, features: featureNames.map((name) => named[name] ?? 0) };
}

/**
 * Splits an answer into claims and evaluates each against the sources. The scorer and training both call it, so that
 * what is trained on is what is scored. The largest input takes a large part of a second: it yields in between.
 */
export function* evaluateClaims(material: Material, weightOf: WeightOf): Interruptible<Evaluation> {
  const { question, answer, sources } = material;
  // A short answer (a name, an amount) says little of its language: then the question's counts, then the sources'.
  const language = detectLanguage(answer, detectLanguage(question, detectLanguage(sources.join(" ").slice(0, 4000))));
  const index = yield* SourceIndex.of(sources);
  const grams = new Set<string>();
  for (const source of sources) for (const gram of gramsOf(source)) grams.add(gram);
  // A claim given as its own question must not vouch for itself.
  const asked = question.trim() === answer.trim() ? [] : tokenize(question, language).filter((token) => !token.empty);
  const questionKeys = new Set(asked.map((token) => token.key));
  const claims: EvaluatedClaim[] = [];
  for (const place of splitClaims(answer)) {
    yield;
    const claim = evaluateClaim(answer, place, { language, index, grams, questionKeys, weightOf });
    if (claim !== null) claims.push(claim);
  }
  return { language, index, claims };
}
