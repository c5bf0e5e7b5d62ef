/** The console's languages, each in its own name. */
export const languages = { en: "English", cs: "Čeština", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

/** A short text in every language, such as a page's title in the registry. */
export type Named = Readonly<Record<Language, string>>;

/** Whether the console supports the language. */
export const isLanguage = (tag: string | null | undefined): tag is Language =>
  tag !== null && tag !== undefined && Object.hasOwn(languages, tag);
