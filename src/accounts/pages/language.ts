import type { Language } from "../../integrations/mail/texts.ts";
import { cs } from "./words/cs.ts";
import { de } from "./words/de.ts";
import { en, type Words } from "./words/en.ts";
import { sk } from "./words/sk.ts";

/** The texts of each supported language. */
export const wordsIn: Readonly<Record<Language, Words>> = { cs, sk, de, en };
const isLanguage = (tag: string): tag is Language => Object.hasOwn(wordsIn, tag);

/**
 * Returns the page's language from `Accept-Language` (RFC 9110, 12.5.4): the most preferred supported one, or English.
 */
export function languageOf(header: string | null): Language {
  const wanted = (header ?? "").split(",").map((range) => {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return { language: tag.split("-")[0] ?? "", weight: quality === undefined ? 1 : Number(quality) };
  });
  const best = wanted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return best.map(({ language }) => language).find(isLanguage) ?? "en";
}
