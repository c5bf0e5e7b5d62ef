/** The languages that the faithfulness check reads. Anything else is treated as English, whose rules invade least. */
export const checkedLanguages = ["cs", "sk", "en"] as const;
export type Language = (typeof checkedLanguages)[number];

/** Czech and Slovak inflect alike and share a model. */
export type Family = "slavic" | "english";

/** The model family of a language. The scorers and their training call it. */
export const familyOf = (language: Language): Family => (language === "en" ? "english" : "slavic");

/** The languages that the search analyses by their own rules. Others are searched by their words as written. */
export const searchLanguages = ["cs", "sk", "de", "pl", "en", "fr"] as const;
export type SearchLanguage = (typeof searchLanguages)[number];

/** The search language of an ISO 639-1 code, or of a tag such as `de-AT`; undefined when it is none of the six. */
export function searchLanguageOf(code: string | undefined): SearchLanguage | undefined {
  const primary = code?.trim().toLowerCase().split(/[-_]/)[0];
  return searchLanguages.find((language) => language === primary);
}
