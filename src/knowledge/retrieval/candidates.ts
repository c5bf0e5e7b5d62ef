import { searchVectors } from "./nearest.ts";
import type { Question } from "./question.ts";
import type { SearchIndex } from "./search-index.ts";
import { corpusVectors, projectTerms } from "./vectors.ts";
import { searchWords } from "./words.ts";

/** Number of candidates per question, by words and by vectors. */
const byWords = 300;
const byVectors = 50;

/** Returns a question's candidates: the best by words and the nearest by vectors. Used by ranking and training. */
export function candidatesOf(
  index: SearchIndex,
  question: Question,
  vector: Float32Array,
  allowed: Uint8Array | null,
): number[] {
  const words = searchWords(index, question.terms, allowed, byWords);
  const near = searchVectors(index, vector, allowed, byVectors);
  return [...new Set([...words.chunks, ...near.chunks])];
}

/** Returns a question's vector in the corpus's own space; empty if the index has an endpoint's vectors. */
export const ownVector = (index: SearchIndex, question: Question): Float32Array =>
  index.meta.vectors === corpusVectors ? projectTerms(index, question.terms) : new Float32Array(0);
