import { stem } from "../language/stem.ts";
import type { SearchLanguage } from "./languages.ts";

/**
 * German after CISTEM (Weissweiler and Fraser, 2017), without its rule for `ge-`, which joins nouns such as Gefahr and
 * Fahrt, and without its look at capitals, which questions lack.
 */
function stemGerman(word: string): string {
  let stemmed = word.replaceAll("sch", "$").replaceAll("ei", "%").replaceAll("ie", "&");
  while (stemmed.length > 3)
    if (stemmed.length > 5 && /(?:em|er|nd)$/.test(stemmed)) stemmed = stemmed.slice(0, -2);
    else if (/[esnt]$/.test(stemmed)) stemmed = stemmed.slice(0, -1);
    else break;
  return stemmed.replaceAll("$", "sch").replaceAll("%", "ei").replaceAll("&", "ie");
}

/** French by Savoy's minimal stemmer (1999): plural, feminine and infinitive endings, and a doubled last letter. */
function stemFrench(word: string): string {
  if (word.length < 6) return word.length > 3 ? word.replace(/[sx]$/, "").replace(/e$/, "") : word;
  if (word.endsWith("x")) return word.endsWith("aux") ? `${word.slice(0, -3)}al` : word.slice(0, -1);
  return word
    .replace(/s$/, "")
    .replace(/r$/, "")
    .replace(/e$/, "")
    .replace(/e$/, "")
    .replace(/(\p{L})\1$/u, "$1");
}

/** Polish noun and adjective cases and the commonest verb endings, as Dolamic and Savoy list them for Slavic languages. */
const polishEndings =
  `owaniami owaniach owaniem owania owaniu owanie iejszego iejszych iejszym iejszej owych owymi owego owemu
  iach iami iego iemu iech owie owej owym owa owe owy iom iem ego emu ach ami ych ymi ich imi iej ow om em ie ia iu io ej ym im
  acy aca ace ac ic yc ec al ala alo ali aly il ila ilo ili ily uje a e i o u y`
    .split(/\s+/)
    .sort((a, b) => b.length - a.length);

function stemPolish(word: string): string {
  if (word.length <= 4) return word.length === 4 && /[aeiouy]$/.test(word) ? word.slice(0, 3) : word;
  const ending = polishEndings.find((each) => word.length - each.length >= 3 && word.endsWith(each));
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/** The stem of a folded word in one of the six languages, at most 40 characters. Numbers stay as they are. */
export function searchStem(folded: string, language: SearchLanguage): string {
  const word = folded.slice(0, 40);
  if (language === "de") return stemGerman(word);
  if (language === "fr") return stemFrench(word);
  if (language === "pl") return stemPolish(word);
  return stem(word, language);
}
