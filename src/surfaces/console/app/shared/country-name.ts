import { useCommonWords } from "./common-words.ts";
import { useLanguage } from "./words.ts";

/**
 * Returns a function that names a country, the EU or `GLOBAL` in the reader's language. Other text stays unchanged.
 */
export function useCountryName(): (code: string) => string {
  const say = useCommonWords();
  const { language } = useLanguage();
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  return (code) => {
    if (code === "GLOBAL") return say("worldwide");
    return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code;
  };
}
