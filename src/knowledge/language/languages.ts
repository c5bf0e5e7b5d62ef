/** The languages of the faithfulness check. Any other is treated as English, whose rules interfere least. */
export const checkedLanguages = ["cs", "sk", "en"] as const;
export type Language = (typeof checkedLanguages)[number];

/** Czech and Slovak inflect alike and share a model. */
export type Family = "slavic" | "english";

/** Returns the model family of a language. Used by the scorers and their training. */
export const familyOf = (language: Language): Family => (language === "en" ? "english" : "slavic");

/** The languages that the search analyses by their own rules. Words of other languages are searched as written. */
export const searchLanguages = ["cs", "sk", "de", "pl", "en", "fr"] as const;
export type SearchLanguage = (typeof searchLanguages)[number];

/**
 * Returns the search language of an ISO 639-1 code, or of a tag such as `de-AT`; undefined if it is none of the six.
 */
export function searchLanguageOf(code: string | undefined): SearchLanguage | undefined {
  const primary = code?.trim().toLowerCase().split(/[-_]/)[0];
  return searchLanguages.find((language) => language === primary);
}
