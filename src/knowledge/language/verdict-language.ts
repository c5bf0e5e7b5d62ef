import { count, fewWords, type Profile, searched, winner } from "./detect.ts";
import { isStopWord } from "./function-words.ts";
import { checkedLanguages, type Language, type SearchLanguage, searchLanguages } from "./languages.ts";
import { isLight } from "./statement-words.ts";

/** The languages of verdicts and remarks, and Hungarian, which must be distinguished from them. */
type VerdictLanguage = SearchLanguage | "hu";
export const verdictProfile: Profile<VerdictLanguage> = {
  languages: [...searchLanguages, "hu"],
  isFunctionWord: (folded, language) => (language === "hu" ? isLight(folded, "hu") : isStopWord(folded, language)),
  clues: [
    ...searched.clues,
    // Slovak has `ä` only after labials (`päť`, `mäso`), and `ú` after consonants, where Czech has `ů` or `ou`.
    { pattern: /[ľĺŕô]|(?<=[bmpv])ä/giu, weights: { sk: 1 } },
    { pattern: /(?<![bmpv])ä|sch/giu, weights: { de: 0.5 } },
    {
      pattern:
        /(?<=[bcčfghklmnprsštťvž])ú|(?<=\p{L})(?:ia|iu|iach|iami|iou|[aeiouyáéíóúý]ť|sť)(?!\p{L})|(?<=\p{L}n)ie(?!\p{L})/giu,
      weights: { sk: 1 },
    },
    { pattern: /(?<!\p{L})(?:treba|pokial|tyzd|mesiac|peniaz)/gu, weights: { sk: 1 }, folded: true },
    { pattern: /[őű]/giu, weights: { hu: 2 } },
    { pattern: /[öü]/giu, weights: { hu: 1 } },
    { pattern: /[áéíóú]/giu, weights: { hu: 0.4 } },
    {
      pattern:
        /^A(?= \p{Ll})|(?<!\p{L})(?:az|egy|és)(?!\p{L})|(?<=\p{L}{3})(?:ság|ség|ként|[áé]st?|[aeoö]tt)(?!\p{L})/gu,
      weights: { hu: 1 },
    },
    {
      pattern: /(?<!\p{L})(?:biztos|szerzod|karesemeny|onresz|fedez|megterit|terit|fizet|mind(?:en|ig)?(?!\p{L}))/gu,
      weights: { hu: 1 },
      folded: true,
    },
    { pattern: /gy|sz|cs|zs/giu, weights: { hu: 0.4 } },
    // English words that are Czech function words without their accents; `ve` also ends "they've".
    { pattern: /(?<!\p{L})(?:take|ten|ve)(?!\p{L})/gu, weights: { en: 1 } },
    {
      pattern: /(?<!\p{L})(?:jest|nie(?: ma)?|się|są|przez|oraz|dla|lub|wynosi|dotyczy)(?!\p{L})/giu,
      weights: { pl: 1.5 },
    },
    { pattern: /rz|sz|cz|[łąęśźż]/giu, weights: { pl: 0.5 } },
    // Czech and Slovak have it in foreign words only.
    { pattern: /w/giu, weights: { pl: 0.4, de: 0.4, en: 0.4 } },
  ],
};

/** Returns the language of a verdict on a text; English for a text in none of Czech, Slovak and English. */
export function verdictLanguage(text: string, otherwise: Language = "en"): Language {
  const counted = count(text, verdictProfile);
  const found = winner(counted, [otherwise, ...checkedLanguages, ...verdictProfile.languages]);
  if (found === null) return counted.words <= fewWords ? otherwise : "en";
  return checkedLanguages.find((language) => language === found) ?? "en";
}
