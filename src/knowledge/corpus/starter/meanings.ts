import passages from "./passages.meaning" with { type: "file" };
import questions from "./questions.meaning" with { type: "file" };

/**
 * What comes with the starter documents, as the encoder reads it: what their passages mean, so that a new installation is
 * asked by meaning at once and spends no minute of a processor on it; and the questions that were written beside them.
 * `tools/training/meaning/starter-passages.ts` and `starter-questions.ts` write the files.
 */
export const starterMeanings = { passages, questions } as const;
