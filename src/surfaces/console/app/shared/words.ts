import { useCallback, useSyncExternalStore } from "react";
import { keep, kept } from "./browser.ts";
import { isLanguage, type Language } from "./languages.ts";
import { createValue } from "./signal.ts";

type Values = Readonly<Record<string, string | number>>;
/** Says a word of one page in the reader's language. `{{name}}` takes the value `name`, plurals go by `count`. */
export type Say<Key extends string> = (key: Key, values?: Values) => string;

/** A key without the ending by which a language tells its plurals. */
type Base<Key> = Key extends `${infer Stem}_${"zero" | "one" | "two" | "few" | "many" | "other"}` ? Stem : Key;

const preferred = [kept("language"), ...navigator.languages.map((tag) => tag.split("-")[0])].find(isLanguage);

const chosen = createValue<Language>(preferred ?? "en");
document.documentElement.lang = chosen.get();

const formOf = {
  en: new Intl.PluralRules("en"),
  cs: new Intl.PluralRules("cs"),
  de: new Intl.PluralRules("de"),
} satisfies Record<Language, Intl.PluralRules>;

/** A word's text in the form that its `count` wants, with its values in their places. */
function textOf(
  texts: Readonly<Record<string, string>>,
  language: Language,
  key: string,
  values: Values,
): string | undefined {
  const { count } = values;
  const form = typeof count === "number" ? texts[`${key}_${formOf[language].select(count)}`] : undefined;
  const text = form ?? texts[key] ?? texts[`${key}_other`];
  return text?.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place));
}

/**
 * A page's own words, out of its three files: called once in a page's folder, it returns the hook by which the page's
 * components say them. A key that a language lacks is a type error.
 */
export function defineWords<En extends Readonly<Record<string, string>>>(words: {
  readonly en: En;
  readonly cs: Readonly<Record<keyof En & string, string>>;
  readonly de: Readonly<Record<keyof En & string, string>>;
}): () => Say<Base<keyof En & string>> {
  return () => {
    const { language } = useLanguage();
    return useCallback((key, values = {}) => textOf(words[language], language, key, values) ?? key, [language]);
  };
}

function choose(language: Language): void {
  keep("language", language);
  document.documentElement.lang = language;
  chosen.set(language);
}

/** The language that the console speaks now, and how to choose another. */
export function useLanguage(): { readonly language: Language; choose(language: Language): void } {
  return { language: useSyncExternalStore(chosen.subscribe, chosen.get), choose };
}
