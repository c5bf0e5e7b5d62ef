import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { keep, kept } from "./browser.ts";
import { isLanguage, type Language } from "./languages.ts";

type Values = Readonly<Record<string, string | number>>;
/** Says a word of one page in the reader's language. `{{name}}` takes the value `name`, plurals go by `count`. */
export type Say<Key extends string> = (key: Key, values?: Values) => string;

/** A key without the ending by which a language tells its plurals. */
type Base<Key> = Key extends `${infer Stem}_${"zero" | "one" | "two" | "few" | "many" | "other"}` ? Stem : Key;

const preferred = [kept("language"), ...navigator.languages.map((tag) => tag.split("-")[0])].find(isLanguage);

void i18next.use(initReactI18next).init({
  lng: preferred ?? "en",
  fallbackLng: "en",
  resources: {},
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  initAsync: false,
});
document.documentElement.lang = i18next.language;

/**
 * A page's own words, out of its three files: called once in a page's folder, it returns the hook by which the page's
 * components say them. A key that a language lacks is a type error.
 */
export function defineWords<En extends object>(
  page: string,
  words: { readonly en: En; readonly cs: Record<keyof En, string>; readonly de: Record<keyof En, string> },
): () => Say<Base<keyof En & string>> {
  for (const [language, texts] of Object.entries(words)) i18next.addResourceBundle(language, page, texts);
  return () => {
    const { t } = useTranslation(page);
    return (key, values) => {
      const name: string = key;
      return t(name, { ...values });
    };
  };
}

/** The language that the console speaks now, and how to choose another. */
export function useLanguage(): { readonly language: Language; choose(language: Language): void } {
  const { i18n } = useTranslation();
  return {
    language: isLanguage(i18n.language) ? i18n.language : "en",
    choose(language) {
      keep("language", language);
      document.documentElement.lang = language;
      void i18n.changeLanguage(language);
    },
  };
}
