import { defineWords } from "../words.ts";
import cs from "./words.cs.json";
import de from "./words.de.json";
import en from "./words.en.json";

/** Validation messages by the JSON Schema keyword that is violated. */
export const useFormWords = defineWords({ en, cs, de });
export type Keyword = keyof typeof en;
/** Whether the keyword has its own message. */
export const isKeyword = (name: string): name is Keyword => Object.hasOwn(en, name);
