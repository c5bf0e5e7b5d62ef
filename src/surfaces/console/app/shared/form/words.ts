import { defineWords } from "../words.ts";
import cs from "./words.cs.json";
import de from "./words.de.json";
import en from "./words.en.json";

/** What is wrong with a field, by the keyword of JSON Schema that it breaks. */
export const useFormWords = defineWords({ en, cs, de });
export type Keyword = keyof typeof en;
/** Whether there are words of its own for it. */
export const isKeyword = (name: string): name is Keyword => Object.hasOwn(en, name);
