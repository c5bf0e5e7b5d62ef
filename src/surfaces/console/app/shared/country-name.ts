import { useLanguage } from "./words.ts";

/** Returns a function that names a country in the reader's language. Anything but a two-letter code stays unchanged. */
export function useCountryName(): (code: string) => string {
  const { language } = useLanguage();
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code);
}
