import { defineWords } from "../../shared/words.ts";
import cs from "./words.cs.json";
import de from "./words.de.json";
import en from "./words.en.json";

/** The words of runs: their list, a run's page and what it delivered. */
export const useWords = defineWords({ en, cs, de });
