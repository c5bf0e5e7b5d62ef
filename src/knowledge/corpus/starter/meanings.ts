import file from "./passages.meaning" with { type: "file" };

/**
 * What the passages of the starter documents mean, as the encoder reads them: so a new installation is asked by meaning at
 * once, and spends no minute of a processor on it. `tools/training/meaning/starter-passages.ts` writes the file.
 */
export const starterMeanings: string = file;
