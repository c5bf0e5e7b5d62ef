import { type SearchLanguage, searchLanguages } from "../../../knowledge/language/languages.ts";
import { insuranceGroupsOf } from "../../../knowledge/language/synonyms.ts";
import { oneOf, readTable } from "../../../knowledge/language/word-table.ts";
import { fold } from "../../../platform/text.ts";
import table from "./question-words.tsv" with { type: "text" };
import { type Key, keysOf } from "./words.ts";

/** What a question wants to know, as far as its words show. Of several, each may hold. */
export interface Intent {
  /** A price, or a recommendation of an insurer or product: the assistant gives neither. */
  readonly advice: boolean;
  /** An amount, a limit, a share. */
  readonly amount: boolean;
  /** A period, a deadline, a date. */
  readonly time: boolean;
  /** Whether something is so, is covered, is allowed. */
  readonly whether: boolean;
  /** A telephone number. */
  readonly phone: boolean;
}

// All on folded text (no accents, lower case), in cs, sk, de, pl, en and fr. Written by hand, and short on purpose:
// they only move the order of sentences that match the question's own words.
const advicePatterns = [
  /\b(ktera|jaka|jakou|kterou)\s+(pojistovn|pojisten|pojistk)\w*\s+(je\s+|bych\s+|si\s+|mam\s+|mi\s+)*(nej\w+|vybrat|sjednat|koupit|doporuc\w+)/,
  /\b(ktora|aka|aku|ktoru)\s+(poistovn|poisten|poistk)\w*\s+(je\s+|by\s+|si\s+|mam\s+|mi\s+)*(naj\w+|vybrat|uzavriet|kupit|odporuc\w+)/,
  /\b(doporuc|odporuc)\w*\s+(mi|nam|nejak|nejlep|najlep|konkretn|pojist|poist)/,
  /\b(co|kolik)\s+(mi\s+|me\s+|by\s+|bude\s+)*(stoj\w*)\s+.{0,40}?(pojist|poist)/,
  /\b(kolko|za kolko)\s+(stoj\w*|zaplatim)\b.{0,40}?poist/,
  /\bwhich\s+(insurer|insurance|company|policy|product)\b.{0,30}\b(best|cheapest|should i|choose|recommend|buy)/,
  /\b(recommend|suggest)\s+(me\s+)?(an?|the|some)\s+.{0,20}(insur|policy|product)/,
  /\bhow much (does|will|would)\b.{0,60}\b(insurance|policy|premium|cover)\b.{0,20}\bcost/,
  /\bwelche[rsn]?\s+versicher\w*\b.{0,30}\b(beste|gunstigste|empfehl|nehmen|abschliessen)/,
  /\b(empfehlen sie|empfiehlst du)\b/,
  /\bwas kostet\b.{0,40}versicherung/,
  /\b(ktor[aey]|jak[aei]e?)\s+(ubezpiecz|polis)\w*\b.{0,30}\b(najleps|najtan|wybrac|poleca)/,
  /\b(polec|polecasz|polecacie)\b/,
  /\bile kosztuje\b.{0,40}(ubezpiecz|polis)/,
  /\bquel(le)?\s+(assur\w+)\b.{0,30}\b(meilleur|choisir|recommand|moins cher)/,
  /\bcombien coute\b.{0,40}assurance/,
  // What it costs, asked without the word for it.
  /\b(na kolik|na kolko) (?:\w+ ){0,4}(vysl|vyjd|vyslo|prijde|prisl|prid)/,
  /\b(kolik|kolko) (\w+ ){0,2}(rocne|mesicne|mesacne|za rok|za mesic|za mesiac) (\w+ ){0,2}(plat|stoj|vyjde|dam|dava)/,
  /\bhow much (a|per|each|every) (month|year|week) (is|does|would|will|for|do)\b.{0,40}\b(insur|cover|policy|premium)/,
  /\bwie viel\b.{0,30}\b(im monat|monatlich|im jahr|jahrlich)\b.{0,40}(versicher|police)/,
];
/** A number to call, in place of an amount. */
const phonePattern =
  /\b(cislo|cisle|cisla|nummer|numer|number|numero)\b.{0,40}\b(?:vol|vytoc|zavol|anruf|wahlen|zadzwon|dzwon|call\b|ring\b|dial|phone|appeler)|\b(?:telefonni cislo|telefonne cislo|telefonnummer|rufnummer|hotline|numer telefonu|(?:tele)?phone number|numero de telephone)\b/;
const phoneIn = /(?:\+|\b0)?\d{2,4}(?:[ \u00a0/-]?\d{2,4}){2,}/;
const amountPattern =
  /\b(kolik|jak vysok|vyse|limit|spoluucast|castk|procent|kolko|aka vysok|vyska|ciastk|spoluucast|wie (viel|hoch)|hohe|betrag|summe|selbstbe|ile|jak wysok|wysokosc|kwot|suma|udzial|how (much|high|many)|amount|deductible|excess|sum insured|combien|montant|plafond|franchise)/;
const timePattern =
  /\b(kdy|do kdy|jak dlouh|lhut|dokdy|dob[aeu]|termin|vyrocn|kedy|ako dlh|lehot|wann|wie lang|bis wann|frist|dauer|kiedy|jak dlug|okres|in what time|when|how (long|soon|quickly)|within|deadline|period|quand|delai|duree|combien de temps)/;
const whetherPattern =
  /^(je|jsou|muze|muzu|mohu|musi|musim|ma|mam|plati|kryje|hradi|vztahuje|zahrnuje|lze|bude|byl|su|moze|mozem|plat|patri|vztahuj|da sa|ist|sind|kann|darf|muss|deckt|zahlt|gilt|haben|hat|wird|czy|is|are|does|do|can|may|must|will|am|has|have|should|est|sont|peut|puis|dois|doit|faut)\b|\b(hradi|kryje|kryt|vztahuje|covered|cover|versichert|gedeckt|objete|obejmuje|couvert|couvre)\b/;

/** Reads the intent from a question of any of the languages. The engine calls it once. */
export function intentOf(question: string): Intent {
  const folded = fold(question).replace(/\s+/g, " ").trim();
  return {
    advice: advicePatterns.some((pattern) => pattern.test(folded)),
    amount: amountPattern.test(folded),
    time: timePattern.test(folded),
    whether: whetherPattern.test(folded),
    phone: phonePattern.test(folded),
  };
}

const amountIn = /\d[\d\s.,\u00a0]*\s*(%|€|eur|kc|czk|zl|pln|usd|gbp|£|\$|procent|percent|prozent|tis|mil)/;
const timeIn =
  /\d+\s*(\w+\s)?(dn|den|mesic|rok|roku|let|hodin|tyd|tag|monat|jahr|woche|stund|dni|miesi|lat|godzin|day|month|year|hour|week|jour|mois|an|ans|heure|semaine)|\b(bez zbytecneho odkladu|bezodkladne|neprodlene|unverzuglich|niezwlocznie|without (undue )?delay|immediately|sans delai)\b/;
const ruleIn =
  /\b(hrad|kryj|kryt|vztahuj|nevztahuj|poskyt|vylouc|vyluk|opravnen|povin|muze|musi|uhrad|preplat|nehrad|vylucen|versichert|gedeckt|leist|ausgeschlossen|obejmuj|wylacz|odpowiada|wyplac|cover|exclu|pay|must|may|entitl|oblig|couvr|garanti|doit|peut)/;

/** Whether a sentence can't answer for the form of it: a number to call is asked for, and it has none. */
export const lacksNumber = (intent: Intent, sentence: string): boolean => intent.phone && !phoneIn.test(sentence);

/** How well a sentence's form suits what is asked, 0 to 1: an amount for an amount, a rule for a yes or no. */
export function suits(intent: Intent, sentence: string): number {
  const folded = fold(sentence);
  const wanted = [
    ...(intent.amount ? [amountIn.test(folded)] : []),
    ...(intent.time ? [timeIn.test(folded)] : []),
    ...(intent.whether ? [ruleIn.test(folded)] : []),
  ];
  return wanted.length === 0 ? 0 : wanted.filter(Boolean).length / wanted.length;
}

/**
 * Words by which a question is put, folded: they ask, and a document that answers need not have them. Whole words, or
 * beginnings where a hyphen follows: a German who asks about water (Wasser) does not ask what (was).
 */
const putting = readTable(table, ["language", "word"]).map(({ language, word }) => ({
  language: oneOf(language, searchLanguages),
  word: word.replace(/-$/, ""),
  isBeginning: word.endsWith("-"),
}));

const puts = (form: string, asked: SearchLanguage): boolean =>
  putting.some(
    ({ language, word, isBeginning }) => language === asked && (isBeginning ? form.startsWith(word) : form === word),
  );

// Forms of verbs that a question has and a document hardly ever: who asks says what happened to them. Folded endings.
const askingEndings: Readonly<Partial<Record<SearchLanguage, RegExp>>> = {
  cs: /^.{3,}(?:ovat|nout|[sdtcznrhv]it|[hvdp]at|[aeiy]l[aioy]?|[bdkrtvz]im|[aei]te)(?<!tele?)$/,
  sk: /^.{3,}(?:ovat|nut|[sdtcznrhv]it|[hvdp]at|[aeiy]l[aioy]?|[bdkrtvz]im|[aei]te)(?<!tele?)$/,
  pl: /^.{3,}(?:[aeiy]c|[aeiy]l[aeioy]?m?)$/,
};
const askingShare = 0.5;

/** What every document of insurance speaks of, folded, as beginnings, and bare numbers: they say little of what is asked. */
const common =
  /^(?:pojisteni|pojistk|pojistov|smlouv|poisteni|poistk|poistov|zmluv|versicherung(?:en|s)?$|versicherer|vertrag|police$|ubezpieczen|ubezpieczyc|polis|umow|insur|polic(?:y|ies)$|contract|assur|contrat|plati$|zaplati|hradi$|uhradi|kryje$|kryt[aeyo]?$|vztahuj|zahl(?:t|en)$|deckt$|versichert$|obejmuje$|pays?$|covers?$|covered$)|^\d/;
const commonShare = 0.4;

/** What may be asked of any matter, folded, as beginnings: a deductible of what, a limit for what, a claim to what. */
const aspect =
  /^(?:spoluucast|limit|cekac|cakac|dob[aeyu]$|narok|urok|odkupn|selbstbe|wartezeit|anspruch|zins|ruckkauf|deductible|excess$|waiting|period$|interest$|surrender|franszyz|karenc|odset|franchis|carenc)/;

/** The words written small, folded, of a German question with capitals: verbs and adjectives. Nouns begin with one. */
function writtenSmall(question: string): ReadonlySet<string> {
  if (!/\p{Lu}/u.test(question.slice(1))) return new Set();
  return new Set((question.match(/\p{L}+/gu) ?? []).filter((word) => /^\p{Ll}/u.test(word)).map(fold));
}

/** How much a word of a question says of its matter, 0 to 1. */
function shareOf(small: ReadonlySet<string>, form: string, language: SearchLanguage): number {
  const isAsking = language === "de" ? small.has(form) : askingEndings[language]?.test(form);
  if (common.test(form)) return commonShare;
  // What the thesaurus knows is a matter of insurance, whatever its form.
  return isAsking && insuranceGroupsOf(form).length === 0 ? askingShare : 1;
}

/** A word that an answer should speak of. */
export interface AskedWord extends Key {
  /** How much it says of the question's matter, 0 to 1. */
  readonly share: number;
  /** What it is in the question: the matter asked about, what is asked of it, or what every document speaks of. */
  readonly role: "matter" | "aspect" | "common";
}

/** Whether a word, folded, names what may be asked of any matter. */
export const isAspect = (form: string): boolean => aspect.test(form);

const roleOf = (form: string): AskedWord["role"] =>
  isAspect(form) ? "aspect" : common.test(form) ? "common" : "matter";

/** The words of a question that an answer should speak of; all of them where it consists of nothing else. */
export function askedFor(question: string, language: SearchLanguage): readonly AskedWord[] {
  const keys = [...keysOf(question, language).values()];
  const left = keys.filter(({ form }) => !puts(form, language));
  const small = language === "de" ? writtenSmall(question) : new Set<string>();
  return (left.length > 0 ? left : keys).map((key) => ({
    ...key,
    share: shareOf(small, key.form, language),
    role: roleOf(key.form),
  }));
}
