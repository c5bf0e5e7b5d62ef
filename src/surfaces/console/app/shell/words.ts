import { defineWords } from "../shared/words.ts";
import cs from "./words.cs.json";
import de from "./words.de.json";
import en from "./words.en.json";

/** The words around the pages. */
export const useShellWords = defineWords({ en, cs, de });
