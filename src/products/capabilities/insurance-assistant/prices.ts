import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import { readTable } from "../../../knowledge/language/word-table.ts";
import { fold } from "../../../platform/text.ts";
import table from "./price-words.tsv" with { type: "text" };
import { isRow } from "./rows.ts";
import type { Sentence } from "./sentences.ts";

// All on folded text, in cs, sk, de, pl, en, fr and hu. Only a question that begins with what a thing costs asks for a
// price, and not `… and do they have to tell me what it costs?`
const insurance =
  "(?:po(?:j)?ist|versicher|haftpflicht|hausrat|police|ubezpiecz|polis|insur|polic|cover\\b|premium|assur)";
const askingPrice = [
  /(?:^|[.!?;:–-] ?)(?:za )?(?:co|kolik|kolko) (?:\w+ ){0,4}?stoj\w*/,
  /(?:^|[.!?;:–-] ?)(?:was|wie ?viel) (?:wurde |wird )?(?:kosten?|kostet)\b/,
  /(?:^|[.!?;:–-] ?)(?:a )?ile (?:to |by |bedzie |mnie )*koszt(?:uj|owa)/,
  /(?:^|[.!?;:–-] ?)combien (?:coute|coutent|couterait)/,
  /(?:^|[.!?;:–-] ?)mennyibe kerul/,
  new RegExp(`${insurance}\\w*\\b.{0,60}\\b(?:kolik|kolko) (?:\\w+ ){0,2}stoj`),
  new RegExp(`\\b(?:wie teuer|how expensive)\\b.{0,60}${insurance}`),
  new RegExp(
    `\\b(?:how much|what) (?:does|do|will|would)\\b.{0,60}${insurance}.{0,30}(?<!the |any |of |and |or )\\bcost\\b`,
  ),
  // By the word for a price, or without one.
  new RegExp(`\\b(?:jaka|jakou|kolik|aka|aku|kolko|jaki|jakie)\\b.{0,20}\\b(?:cena|cenu|koszt)\\b.{0,40}${insurance}`),
  new RegExp(`\\b(?:what|how much|how high)\\b.{0,20}\\b(?:price|costs?) (?:of|for)\\b.{0,40}${insurance}`),
  new RegExp(`\\b(?:was|wie hoch|welche\\w*)\\b.{0,20}\\bpreise? (?:der|des|einer|eine|fur)\\b.{0,40}${insurance}`),
  new RegExp(`\\bquels?\\b.{0,20}\\bprix\\b.{0,40}${insurance}`),
  new RegExp(`\\b(?:za )?(?:kolik|kolko|ile)\\b.{0,20}\\b(?:za)?plac?[ti]?\\w*\\b.{0,15}\\bza\\b.{0,20}${insurance}`),
  /\b(na kolik|na kolko) (?:\w+ ){0,4}(vysl|vyjd|vyslo|prijde|prisl|prid)/,
  /\b(kolik|kolko) (\w+ ){0,2}(rocne|mesicne|mesacne|za rok|za mesic|za mesiac) (\w+ ){0,2}(plat|stoj|vyjde|dam|dava)/,
  /\bhow much (a|per|each|every) (month|year|week) (is|does|would|will|for|do)\b.{0,40}\b(insur|cover|policy|premium)/,
  /\bwie viel\b.{0,30}\b(im monat|monatlich|im jahr|jahrlich)\b.{0,40}(versicher|police)/,
];

/** Returns whether a question asks for a price. */
export function asksPrice(question: string): boolean {
  const folded = fold(question).replace(/\s+/g, " ").trim();
  return askingPrice.some((pattern) => pattern.test(folded));
}

/** The verbs of such a question, folded, and the word that documents have instead. */
const costing = /^(?:stoji|stoja|stalo|kostet|kosten|kosztuje|cost|costs|coute|coutent)$/;
const premium: Readonly<Record<SearchLanguage, string>> = {
  cs: "pojistne",
  sk: "poistne",
  de: "pramie",
  pl: "skladka",
  en: "premium",
  fr: "prime",
};

/** Returns the documents' word for what a verb of cost asks about; null for any other word. */
export const premiumFor = (form: string, language: SearchLanguage): string | null =>
  costing.test(form) ? premium[language] : null;

/**
 * Words for a price, a premium or a tariff, folded; a hyphen marks a prefix. `pojistné` is a premium only if it
 * describes no other word: prefixes of words that it may describe are in the second column, or `-` for none.
 */
const pricing = readTable(table, ["word", "describes"]).map(({ word, describes }) => ({
  word: word.replace(/-$/, ""),
  isBeginning: word.endsWith("-"),
  describes: describes === "-" ? [] : describes.split(" "),
}));

function namesPrice(text: string): boolean {
  const words = fold(text).match(/\p{L}+/gu) ?? [];
  return words.some((one, at) =>
    pricing.some(
      ({ word, isBeginning, describes }) =>
        (isBeginning ? one.startsWith(word) : one === word) &&
        !describes.some((beginning) => words[at + 1]?.startsWith(beginning)),
    ),
  );
}

const money =
  /\d\s?(?:€|\$|£|kc\b|korun|czk|eur|zl\b|zlot|pln|gbp|usd|ft\b|forint|huf)|(?:€|\$|£|eur|czk|pln|huf)\s?\d/;

/** Returns whether a sentence has a sum and it, or what is above it (a row's caption too), is about prices. */
export function statesPrice({ own, found: { document, chunk } }: Sentence): boolean {
  if (!isRow(own)) return money.test(fold(own)) && namesPrice([own, lastOf(chunk.heading), document.title].join("\n"));
  return /\d/.test(own) && namesPrice([chunk.text, chunk.heading, document.title].join("\n"));
}

const lastOf = (heading: string): string => heading.split(" > ").at(-1) ?? "";
