import cs from "./words.cs.json";
import de from "./words.de.json";
import en from "./words.en.json";
import { defineWords } from "./words.ts";

/** Messages used by several pages. */
export const useCommonWords = defineWords({ en, cs, de });
export type CommonWord = Parameters<ReturnType<typeof useCommonWords>>[0];
/** Whether the key has a common message, as some error codes do. */
export const isCommonWord = (key: string): key is CommonWord => Object.hasOwn(en, key);
