import { useCallback, useSyncExternalStore } from "react";
import { keep, kept } from "./browser.ts";
import { isLanguage, type Language } from "./languages.ts";
import { createValue } from "./signal.ts";

type Values = Readonly<Record<string, string | number>>;
/**
 * Returns a message in the reader's language. `{{name}}` is replaced by the value `name`; plurals depend on `count`.
 */
export type Say<Key extends string> = (key: Key, values?: Values) => string;

/** A key without its plural suffix. */
type Base<Key> = Key extends `${infer Stem}_${"zero" | "one" | "two" | "few" | "many" | "other"}` ? Stem : Key;

const preferred = [kept("language"), ...navigator.languages.map((tag) => tag.split("-")[0])].find(isLanguage);

const chosen = createValue<Language>(preferred ?? "en");
document.documentElement.lang = chosen.get();

const formOf = {
  en: new Intl.PluralRules("en"),
  cs: new Intl.PluralRules("cs"),
  de: new Intl.PluralRules("de"),
} satisfies Record<Language, Intl.PluralRules>;

/** Returns a message in the plural form for its `count`, with its values filled in. */
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
 * Defines the messages of a page from its three files. Call it once in the page's folder; it returns the hook for the
 * page's components. A key that is missing in a language is a type error.
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

/** Returns the console's language, and a function to change it. */
export function useLanguage(): { readonly language: Language; choose(language: Language): void } {
  return { language: useSyncExternalStore(chosen.subscribe, chosen.get), choose };
}
