import { defineWords } from "../../shared/words.ts";
import cs from "./words.cs.json";
import de from "./words.de.json";
import en from "./words.en.json";

/** Messages of the runs pages: the list, a run, its results. */
export const useWords = defineWords({ en, cs, de });
