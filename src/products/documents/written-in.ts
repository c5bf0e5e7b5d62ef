import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import { searchLanguageOf } from "../../knowledge/language/languages.ts";
import type { Voice } from "./voice.ts";

/** Returns a note on the language of an engine's text, if there is any text. Used by findings and the pack's report. */
export const writtenIn = (text: string, { foreign, language }: Pick<Voice, "foreign" | "language">): string =>
  text.trim() === "" ? "" : foreign(detectSearchLanguage(text, searchLanguageOf(language) ?? "en"));
