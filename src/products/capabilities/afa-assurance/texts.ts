import type { Language } from "../../../knowledge/language/languages.ts";
import type { Rule } from "./packs.ts";

/** Languages that findings are written in. Slovak answers get Czech, because the packs have no Slovak texts. */
export type Shown = "cs" | "en";

/** Returns the language for the findings of an answer. */
export const shownIn = (language: Language): Shown => (language === "en" ? "en" : "cs");

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const doubt: Record<Shown, Record<Rule["verification"], string>> = {
  cs: {
    verified: "",
    partly: " Pravidlo je ověřeno jen zčásti: citaci si zkontrolujte.",
    unverified: " Pravidlo není ověřeno u zdroje: citaci si zkontrolujte.",
  },
  en: {
    verified: "",
    partly: " The rule is verified only in part: check its citation.",
    unverified: " The rule is not verified at its source: check its citation.",
  },
};

const likenessOnly: Record<Shown, string> = {
  cs: " Místo jen připomíná známá porušení, žádný vzor pravidla mu neodpovídá: posuďte ho.",
  en: " The place only resembles known breaches and fits no pattern of the rule: judge it yourself.",
};

/** Returns the obligation, and what in the answer is a sign of its breach. */
export function explanationOf({ obligation, sign, verification }: Rule, shown: Shown, isLikeness: boolean): string {
  const why = shown === "cs" ? "Na porušení ukazuje" : "Sign of a breach";
  const likeness = isLikeness ? likenessOnly[shown] : "";
  return `${capital(obligation[shown])} ${why}: ${sign[shown]}${likeness}${doubt[shown][verification]}`;
}

/** Returns a wording that complies, from the rule's own example. */
export const suggestionOf = ({ compliant }: Rule, shown: Shown): string =>
  shown === "cs" ? `Vyhovovalo by například: „${compliant.cs}“` : `This would comply, for example: “${compliant.en}”`;

/** Texts for an answer in a language that the packs don't know, which must not pass unchecked. */
export const foreignLanguage: Record<Shown, string> = {
  cs: "Odpověď není česky, slovensky ani anglicky. Pravidla ji neuměla přečíst, takže zkontrolována není.",
  en: "The answer is not in Czech, Slovak or English. The rules could not read it, so it has not been checked.",
};
export const foreignAdvice: Record<Shown, string> = {
  cs: "Pošlete českou, slovenskou nebo anglickou verzi, nebo odpověď nechte posoudit člověkem.",
  en: "Send a Czech, Slovak or English version, or have a person review the answer.",
};
