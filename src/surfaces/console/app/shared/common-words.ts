import cs from "./words.cs.json";
import de from "./words.de.json";
import en from "./words.en.json";
import { defineWords } from "./words.ts";

/** Words that any page may say. */
export const useCommonWords = defineWords({ en, cs, de });
export type CommonWord = Parameters<ReturnType<typeof useCommonWords>>[0];
/** Whether it is one of them, such as an error's code. */
export const isCommonWord = (key: string): key is CommonWord => Object.hasOwn(en, key);
