import type { Language } from "./language.ts";

/**
 * Light stemming on folded words: inflection goes, derivation stays. Czech and Slovak follow the case and possessive
 * endings of Dolamic and Savoy's light stemmer (2009), merged and applied without diacritics; English takes the plural,
 * past, progressive and adverb endings of Porter's steps 1a to 1c.
 */
const slavicEndings = [
  "atech atum ovych ovymi ejsich ejsimi ejsiho ejsimu",
  "etem atum ovi ove ova ovo ami emi imi ymi ach ech ich ych ete eti ata aty ata ovy ich iho imu eho emu ych ymi ejsi osti ovat oval uje uji ujou ala alo ali aly ila ilo ili ily ela elo eli ely",
  "ou um em es em im ym om at am us os mi ho mu ej uv in ov al il el ul ax it et ut yt an en ti ne",
  "a e i o u y",
]
  .join(" ")
  .split(" ")
  .sort((a, b) => b.length - a.length);

const shortest = 3;

function stemSlavic(word: string): string {
  if (word.length <= 4) return word.length === 4 && /[aeiouy]$/.test(word) ? word.slice(0, 3) : word;
  for (const ending of slavicEndings)
    if (word.length - ending.length >= shortest && word.endsWith(ending)) return word.slice(0, -ending.length);
  return word;
}

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

/** The stem of a folded word. Capped at 40 characters, so that junk without spaces costs no more than a word. */
export function stem(folded: string, language: Language): string {
  const word = folded.slice(0, 40);
  return language === "en" ? stemEnglish(word) : stemSlavic(word);
}
