import type { SearchLanguage } from "./languages.ts";

/**
 * Light stemming of folded words: it removes inflection and keeps derivation. One stemmer per language, shared by the
 * faithfulness check, the search and the rule check.
 */

const longest = 40;
const shortest = 3;

const byLength = (endings: string): string[] => endings.split(/\s+/).sort((a, b) => b.length - a.length);

/**
 * Czech and Slovak case and possessive suffixes of Dolamic and Savoy's light stemmer (2009), merged and without
 * diacritics.
 */
const slavicEndings = byLength(
  `atech atum ovych ovymi ejsich ejsimi ejsiho ejsimu
  etem atum ovi ove ova ovo ami emi imi ymi ach ech ich ych ete eti ata aty ata ovy ich iho imu eho emu ych ymi ejsi osti
  ovat oval uje uji ujou ala alo ali aly ila ilo ili ily ela elo eli ely
  ou um em es em im ym om at am us os mi ho mu ej uv in ov al il el ul ax it et ut yt an en ti ne
  a e i o u y`,
);

/**
 * Polish noun and adjective case suffixes and the commonest verb suffixes, as Dolamic and Savoy list them for Slavic
 * languages.
 */
const polishEndings = byLength(
  `owaniami owaniach owaniem owania owaniu owanie iejszego iejszych iejszym iejszej owych owymi owego owemu
  iach iami iego iemu iech owie owej owym owa owe owy iom iem ego emu ach ami ych ymi ich imi iej ow om em ie ia iu io ej ym im
  acy aca ace ac ic yc ec al ala alo ali aly il ila ilo ili ily uje a e i o u y`,
);

/** Removes the longest suffix that leaves three letters; from a word of four letters, at most a vowel. */
function stemByEndings(word: string, endings: readonly string[]): string {
  if (word.length <= 4) return word.length === 4 && /[aeiouy]$/.test(word) ? word.slice(0, 3) : word;
  const ending = endings.find((each) => word.length - each.length >= shortest && word.endsWith(each));
  return ending === undefined ? word : word.slice(0, -ending.length);
}

/** Removes the plural, past, progressive and adverb suffixes of Porter's steps 1a to 1c. */
function stemEnglish(word: string): string {
  let stem = word.replace(/['’]s?$/, "");
  if (stem.length <= 3) return stem;
  if (stem.endsWith("ies") && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^su]s$/.test(stem)) stem = stem.slice(0, -1);
  const cut = /(?:ied|ing|ed|ly)$/.exec(stem)?.[0];
  if (cut === "ied") stem = `${stem.slice(0, -3)}y`;
  else if (cut !== undefined && stem.length - cut.length >= shortest && /[aeiouy]/.test(stem.slice(0, -cut.length)))
    stem = stem.slice(0, -cut.length).replace(/([bdfgmnprt])\1$/, "$1");
  return stem.length > shortest ? stem.replace(/e$/, "").replace(/y$/, "i") : stem;
}

/**
 * Stems German after CISTEM (Weissweiler and Fraser, 2017), without its rule for `ge-`, which conflates nouns such as
 * Gefahr and Fahrt, and without its rules on capitals, which questions lack.
 */
function stemGerman(word: string): string {
  let stemmed = word.replaceAll("sch", "$").replaceAll("ei", "%").replaceAll("ie", "&");
  while (stemmed.length > 3)
    if (stemmed.length > 5 && /(?:em|er|nd)$/.test(stemmed)) stemmed = stemmed.slice(0, -2);
    else if (/[esnt]$/.test(stemmed)) stemmed = stemmed.slice(0, -1);
    else break;
  return stemmed.replaceAll("$", "sch").replaceAll("%", "ei").replaceAll("&", "ie");
}

/**
 * Stems French by Savoy's minimal stemmer (1999): plural, feminine and infinitive suffixes, and a doubled last letter.
 */
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

const stemmers: Readonly<Record<SearchLanguage, (word: string) => string>> = {
  cs: (word) => stemByEndings(word, slavicEndings),
  sk: (word) => stemByEndings(word, slavicEndings),
  pl: (word) => stemByEndings(word, polishEndings),
  en: stemEnglish,
  de: stemGerman,
  fr: stemFrench,
};

/**
 * Returns the stem of a folded word in one of the six languages. Cut to 40 characters, so that junk without spaces
 * costs no more than a word; numbers stay as they are.
 */
export const stem = (folded: string, language: SearchLanguage): string => stemmers[language](folded.slice(0, longest));
