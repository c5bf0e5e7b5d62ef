import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import { searchLanguageOf } from "../../knowledge/language/languages.ts";
import type { Voice } from "./voice.ts";

/** Says which other language the words of an engine are in, where they are any. Findings and the pack's report say it. */
export const writtenIn = (text: string, { foreign, language }: Pick<Voice, "foreign" | "language">): string =>
  text.trim() === "" ? "" : foreign(detectSearchLanguage(text, searchLanguageOf(language) ?? "en"));
