import { type SearchLanguage, searchLanguages } from "../../../knowledge/language/languages.ts";
import { stem } from "../../../knowledge/language/stem.ts";
import { insuranceGroupsOf } from "../../../knowledge/language/synonyms.ts";
import { oneOf, readTable } from "../../../knowledge/language/word-table.ts";
import { fold } from "../../../platform/text.ts";
import { asksPrice, premiumFor } from "./prices.ts";
import table from "./question-words.tsv" with { type: "text" };
import { type Key, keysOf } from "./words.ts";

/** What a question wants to know, as far as its words show. Several may be true. */
export interface Intent {
  /** A recommendation of an insurer or product, which the assistant does not give. */
  readonly advice: boolean;
  /** What insurance costs, which only a document's own price answers. */
  readonly price: boolean;
  /** An amount, a limit or a share. */
  readonly amount: boolean;
  /** A period, a deadline or a date. */
  readonly time: boolean;
  /** A number of days, hours or years. It only affects the order: the gates learned `amount` and `time` without it. */
  readonly days: boolean;
  /** Whether something is so, is covered or is allowed. */
  readonly whether: boolean;
  /** A telephone number. */
  readonly phone: boolean;
}

// All on folded text (no accents, lower case), in cs, sk, de, pl, en and fr. Written by hand, and short on purpose:
// they only change the order of sentences that match the question's own words.
const advicePatterns = [
  /\b(ktera|jaka|jakou|kterou)\s+(pojistovn|pojisten|pojistk)\w*\s+(je\s+|bych\s+|si\s+|mam\s+|mi\s+)*(nej\w+|vybrat|sjednat|koupit|doporuc\w+)/,
  /\b(ktora|aka|aku|ktoru)\s+(poistovn|poisten|poistk)\w*\s+(je\s+|by\s+|si\s+|mam\s+|mi\s+)*(naj\w+|vybrat|uzavriet|kupit|odporuc\w+)/,
  /\b(doporuc|odporuc)\w*\s+(mi|nam|nejak|nejlep|najlep|konkretn|pojist|poist)/,
  /\bwhich\s+(insurer|insurance|company|policy|product)\b.{0,30}\b(best|cheapest|should i|choose|recommend|buy)/,
  /\b(recommend|suggest)\s+(me\s+)?(an?|the|some)\s+.{0,20}(insur|policy|product)/,
  /\bwelche[rsn]?\s+versicher\w*\b.{0,30}\b(beste|gunstigste|empfehl|nehmen|abschliessen)/,
  /\b(empfehlen sie|empfiehlst du)\b/,
  /\b(ktor[aey]|jak[aei]e?)\s+(ubezpiecz|polis)\w*\b.{0,30}\b(najleps|najtan|wybrac|poleca)/,
  /\b(polec|polecasz|polecacie)\b/,
  /\bquel(le)?\s+(assur\w+)\b.{0,30}\b(meilleur|choisir|recommand|moins cher)/,
];
/** Matches a question for a number to call, which is no amount. */
const phonePattern =
  /\b(cislo|cisle|cisla|nummer|numer|number|numero)\b.{0,40}\b(?:vol|vytoc|zavol|anruf|wahlen|zadzwon|dzwon|call\b|ring\b|dial|phone|appeler)|\b(?:telefonni cislo|telefonne cislo|telefonnummer|rufnummer|hotline|numer telefonu|(?:tele)?phone number|numero de telephone)\b/;
const phoneIn = /(?:\+|\b0)?\d{2,4}(?:[ \u00a0/-]?\d{2,4}){2,}/;
const amountPattern =
  /\b(kolik|jak vysok|vyse|limit|spoluucast|castk|procent|kolko|aka vysok|vyska|ciastk|spoluucast|wie (viel|hoch)|hohe|betrag|summe|selbstbe|ile|jak wysok|wysokosc|kwot|suma|udzial|how (much|high|many)|amount|deductible|excess|sum insured|combien|montant|plafond|franchise)/;
const timePattern =
  /\b(kdy|do kdy|jak dlouh|lhut|dokdy|dob[aeu]|termin|vyrocn|kedy|ako dlh|lehot|wann|wie lang|bis wann|frist|dauer|kiedy|jak dlug|okres|in what time|when|how (long|soon|quickly)|within|deadline|period|quand|delai|duree|combien de temps)/;
const daysPattern =
  /\b(kolika|kolkych|kolik|kolko|wie ?viele[rn]?|ilu|ile|how many|combien de)\s+(?:\w+\s)?(dn|hod|tyd|tyz|mes|mies|tyg|godz|let\b|rok|lat\b|tag|stund|woch|monat|jahr|day|hour|week|month|year|jour|heure|semaine|mois|an)/;
const whetherPattern =
  /^(je|jsou|muze|muzu|mohu|musi|musim|ma|mam|plati|kryje|hradi|vztahuje|zahrnuje|lze|bude|byl|su|moze|mozem|plat|patri|vztahuj|da sa|ist|sind|kann|darf|muss|deckt|zahlt|gilt|haben|hat|wird|czy|is|are|does|do|can|may|must|will|am|has|have|should|est|sont|peut|puis|dois|doit|faut)\b|\b(hradi|kryje|kryt|vztahuje|covered|cover|versichert|gedeckt|objete|obejmuje|couvert|couvre)\b/;

/** Returns the intent of a question in any of the languages. */
export function intentOf(question: string): Intent {
  const folded = fold(question).replace(/\s+/g, " ").trim();
  return {
    advice: advicePatterns.some((pattern) => pattern.test(folded)),
    price: asksPrice(question),
    amount: amountPattern.test(folded),
    time: timePattern.test(folded),
    days: daysPattern.test(folded),
    whether: whetherPattern.test(folded),
    phone: phonePattern.test(folded),
  };
}

const amountIn = /\d[\d\s.,\u00a0]*\s*(%|€|eur|kc|czk|zl|pln|usd|gbp|£|\$|procent|percent|prozent|tis|mil)/;
const timeIn =
  /\d+\s*(\w+\s)?(dn|den|mesic|rok|roku|let|hodin|tyd|tag|monat|jahr|woche|stund|dni|miesi|lat|godzin|day|month|year|hour|week|jour|mois|an|ans|heure|semaine)|\b(bez zbytecneho odkladu|bezodkladne|neprodlene|unverzuglich|niezwlocznie|without (undue )?delay|immediately|sans delai)\b/;
const ruleIn =
  /\b(hrad|kryj|kryt|vztahuj|nevztahuj|poskyt|vylouc|vyluk|opravnen|povin|muze|musi|uhrad|preplat|nehrad|vylucen|versichert|gedeckt|leist|ausgeschlossen|obejmuj|wylacz|odpowiada|wyplac|cover|exclu|pay|must|may|entitl|oblig|couvr|garanti|doit|peut)/;

/** Returns whether a sentence can't answer, because a number to call is asked for and it has none. */
export const lacksNumber = (intent: Intent, sentence: string): boolean => intent.phone && !phoneIn.test(sentence);

/** Returns how well a sentence's form suits the question, 0 to 1: an amount for an amount, a rule for a yes or no. */
export function suits(intent: Intent, sentence: string): number {
  const folded = fold(sentence);
  const wanted = [
    ...(intent.amount ? [amountIn.test(folded)] : []),
    ...(intent.time || intent.days ? [timeIn.test(folded)] : []),
    ...(intent.whether ? [ruleIn.test(folded)] : []),
  ];
  return wanted.length === 0 ? 0 : wanted.filter(Boolean).length / wanted.length;
}

/**
 * Words that only phrase a question, folded; a document that answers need not have them. Whole words, or prefixes with
 * a hyphen after them: a German who asks about water (Wasser) does not ask what (was).
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

// Verb forms of questions that documents hardly ever have, because people say what happened to them. Folded endings.
const askingEndings: Readonly<Partial<Record<SearchLanguage, RegExp>>> = {
  cs: /^.{3,}(?:ovat|nout|[sdtcznrhv]it|[hvdp]at|[aeiy]l[aioy]?|[bdkrtvz]im|[aei]te)(?<!tele?)$/,
  sk: /^.{3,}(?:ovat|nut|[sdtcznrhv]it|[hvdp]at|[aeiy]l[aioy]?|[bdkrtvz]im|[aei]te)(?<!tele?)$/,
  pl: /^.{3,}(?:[aeiy]c|[aeiy]l[aeioy]?m?)$/,
};
const askingShare = 0.5;

/** Words of every insurance document, folded, as prefixes, and bare numbers. They say little about what is asked. */
const common =
  /^(?:pojisteni|pojistk|pojistov|smlouv|poisteni|poistk|poistov|zmluv|versicherung(?:en|s)?$|versicherer|vertrag|police$|ubezpieczen|ubezpieczyc|polis|umow|insur|polic(?:y|ies)$|contract|assur|contrat|plati$|zaplati|hradi$|uhradi|kryje$|kryt[aeyo]?$|vztahuj|zahl(?:t|en)$|deckt$|versichert$|obejmuje$|pays?$|covers?$|covered$)|^\d/;
const commonShare = 0.4;

/** What may be asked about any matter, folded, as prefixes: a deductible of what, a limit for what, a claim to what. */
const aspect =
  /^(?:spoluucast|limit|cekac|cakac|dob[aeyu]$|narok|urok|odkupn|selbstbe|wartezeit|anspruch|zins|ruckkauf|deductible|excess$|waiting|period$|interest$|surrender|franszyz|karenc|odset|franchis|carenc)/;

/** Returns the lower-case words, folded, of a German question with capitals: verbs and adjectives, not nouns. */
function writtenSmall(question: string): ReadonlySet<string> {
  if (!/\p{Lu}/u.test(question.slice(1))) return new Set();
  return new Set((question.match(/\p{L}+/gu) ?? []).filter((word) => /^\p{Ll}/u.test(word)).map(fold));
}

/** Returns how much a word of a question says about its matter, 0 to 1. */
function shareOf(small: ReadonlySet<string>, form: string, language: SearchLanguage): number {
  const isAsking = language === "de" ? small.has(form) : askingEndings[language]?.test(form);
  if (common.test(form)) return commonShare;
  // A word of the thesaurus is a matter of insurance, whatever its form.
  return isAsking && insuranceGroupsOf(form).length === 0 ? askingShare : 1;
}

/** A word that an answer should have. */
export interface AskedWord extends Key {
  /** How much it says about the question's matter, 0 to 1. */
  readonly share: number;
  /** Its role in the question: the matter itself, what is asked about it, or a word of every document. */
  readonly role: "matter" | "aspect" | "common";
}

/** Returns whether a folded word names what may be asked about any matter. */
export const isAspect = (form: string): boolean => aspect.test(form);

const roleOf = (form: string): AskedWord["role"] =>
  isAspect(form) ? "aspect" : common.test(form) ? "common" : "matter";

/** Returns what a word asks for in a question about a price: the premium, whatever it insures. Null for other words. */
function premiumOf({ form }: Key, language: SearchLanguage): AskedWord | null {
  const premium = premiumFor(form, language);
  return premium === null ? null : { stem: stem(premium, language), form: premium, share: 1, role: "aspect" };
}

/** Returns the words of a question that an answer should have; all of them if it consists of nothing else. */
export function askedFor(question: string, language: SearchLanguage): readonly AskedWord[] {
  const keys = [...keysOf(question, language).values()];
  const left = keys.filter(({ form }) => !puts(form, language));
  const small = language === "de" ? writtenSmall(question) : new Set<string>();
  const isForPrice = asksPrice(question);
  return (left.length > 0 ? left : keys).map(
    (key) =>
      (isForPrice ? premiumOf(key, language) : null) ?? {
        ...key,
        share: shareOf(small, key.form, language),
        role: roleOf(key.form),
      },
  );
}

/** Returns the words after figures: `5 mil. Kč`. */
const unitsOf = (question: string): ReadonlySet<string> =>
  new Set(
    [...fold(question).matchAll(/\d[\s.,]*(\p{L}+)(?:\.?\s(kc|czk|eur\w*|zl|pln|chf|usd|gbp)\b)?/gu)].flatMap(
      ([, ...units]) => units,
    ),
  );

/** Returns the words of a question that name its matter in full: no verbs of asking, no units. */
export function matterOf<Word extends AskedWord>(question: string, words: readonly Word[]): Word[] {
  const units = unitsOf(question);
  return words.filter(({ role, share, form }) => role === "matter" && share === 1 && !units.has(form));
}
