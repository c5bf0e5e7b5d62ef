import { detectLanguage } from "../language/detect.ts";
import type { Language } from "../language/languages.ts";
import { tokenize } from "../language/tokens.ts";
import type { Interruptible } from "../retrieval/pace.ts";
import { type Alignment, align, type WeightOf } from "./alignment.ts";
import { splitClaims } from "./claims.ts";
import { type Conflicts, conflictsOf } from "./conflicts.ts";
import { featureNames, featuresOf, gramsOf } from "./features.ts";
import { SourceIndex } from "./source-index.ts";

/** A claim with what was found out about it, before any weight is applied. */
export interface ExaminedClaim {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly alignment: Alignment;
  readonly conflicts: Conflicts;
  /** In the order of `featureNames`. */
  readonly features: readonly number[];
}

export interface Examination {
  readonly language: Language;
  readonly index: SourceIndex;
  readonly claims: readonly ExaminedClaim[];
}

export interface Material {
  readonly question: string;
  readonly answer: string;
  readonly sources: readonly string[];
}

/**
 * Splits an answer into claims and examines each against the sources. The scorer and training both call it, so that
 * what is trained on is what is scored. The largest input takes a large part of a second: others have turns in between.
 */
export function* examine(material: Material, weightOf: WeightOf): Interruptible<Examination> {
  const { question, answer, sources } = material;
  // A short answer (a name, an amount) says little of its language: the question, then the sources, stand in.
  const language = detectLanguage(answer, detectLanguage(question, detectLanguage(sources.join(" ").slice(0, 4000))));
  const index = yield* SourceIndex.of(sources);
  const grams = new Set<string>();
  for (const source of sources) for (const gram of gramsOf(source)) grams.add(gram);
  // A claim given as its own question must not vouch for itself.
  const asked = question.trim() === answer.trim() ? [] : tokenize(question, language).filter((token) => !token.empty);
  const questionKeys = new Set(asked.map((token) => token.key));
  const claims: ExaminedClaim[] = [];
  for (const { start, end } of splitClaims(answer)) {
    yield;
    const text = answer.slice(start, end);
    const alignment = align(tokenize(text, language, start), index, weightOf);
    // Function words alone ("Yes.") claim nothing that a source could have.
    if (alignment.words.length === 0) continue;
    const conflicts = conflictsOf(alignment, index);
    const named = featuresOf({ text, alignment, conflicts, index, grams, questionKeys });
    const features = featureNames.map((name) => named[name] ?? 0);
    claims.push({ start, end, text, alignment, conflicts, features });
  }
  return { language, index, claims };
}
