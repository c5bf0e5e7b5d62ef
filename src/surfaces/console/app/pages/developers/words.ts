import { defineWords } from "../../shared/words.ts";
import cs from "./words.cs.json";
import de from "./words.de.json";
import en from "./words.en.json";

/** Messages of the pages for developers. */
export const useWords = defineWords({ en, cs, de });
