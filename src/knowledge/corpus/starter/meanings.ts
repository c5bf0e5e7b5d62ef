import passages from "./passages.meaning" with { type: "file" };
import questions from "./questions.meaning" with { type: "file" };

/**
 * Precomputed embeddings for the starter documents: those of their passages, so that a new installation can search by
 * meaning at once without a minute of computation, and those of questions written for them.
 * `tools/training/meaning/starter-passages.ts` and `starter-questions.ts` write the files.
 */
export const starterMeanings = { passages, questions } as const;
