import { useLanguage } from "./words.ts";

/** A country by its name in the reader's language; what is no code of two letters stays as it is. */
export function useCountryName(): (code: string) => string {
  const { language } = useLanguage();
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code);
}
