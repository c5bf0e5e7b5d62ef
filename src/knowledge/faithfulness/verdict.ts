import type { Language } from "../language/languages.ts";
import type { Reason } from "./reason.ts";
import type { ClaimVerdict } from "./scorer.ts";

/**
 * The verdict's sentences in one language. `said` and `instead` are already quoted and joined; `instead` may be empty.
 */
interface Phrases {
  readonly quote: (text: string) => string;
  readonly noSources: string;
  readonly corpus: string;
  readonly unknownInsurer: (insurer: string) => string;
  readonly noCountry: (markets: string) => string;
  readonly noClaims: string;
  readonly all: (count: number) => string;
  /** Used when no claim is unsupported but not all of them are certain. */
  readonly uncertain: (count: number) => string;
  readonly some: (supported: number, count: number) => string;
  readonly unsupported: (claim: string, start: number, end: number, reason: string) => string;
  readonly doubtful: (claim: string, start: number, end: number, reason: string) => string;
  readonly more: (count: number) => string;
  readonly reasons: Record<Reason["rule"], (said: string, instead: string) => string>;
}

const en: Phrases = {
  quote: (text) => `“${text}”`,
  noSources: "No sources were given, so there is no evidence to check the answer against: none of it is confirmed.",
  corpus: "No sources were given: the answer was checked against the imported documents.",
  unknownInsurer: (insurer) => `None of these documents is from ${insurer}.`,
  noCountry: (markets) =>
    `No country was given. The supporting documents are for ${markets}; elsewhere the answer may not hold.`,
  noClaims: "The answer contains no claim that can be checked.",
  all: (count) => (count === 1 ? "The sources support the claim." : `The sources support all ${count} claims.`),
  uncertain: (count) =>
    `It is not certain that the sources support ${count === 1 ? "the claim" : `all ${count} claims`}.`,
  some: (supported, count) => `The sources support ${supported} of ${count} ${count === 1 ? "claim" : "claims"}.`,
  unsupported: (claim, start, end, reason) => `Not supported: ${claim} (characters ${start}–${end}): ${reason}.`,
  doubtful: (claim, start, end, reason) => `Not certain: ${claim} (characters ${start}–${end}): ${reason}.`,
  more: (count) => `And ${count} more.`,
  reasons: {
    number_differs: (said, instead) =>
      `the number differs: the answer says ${said}${instead && `, the source ${instead}`}`,
    number_missing: (said) => `the number or date ${said} was not found in the sources`,
    number_elsewhere: (said) => `${said} is in the sources, but not together with the rest of the claim`,
    case_differs: (said, instead) =>
      `the source covers another case: the question asks about ${said}, the source is about ${instead}`,
    date_differs: (said, instead) => `the date differs: the answer says ${said}${instead && `, the source ${instead}`}`,
    negation_differs: (said) => `the negation differs from the source${said && ` (${said})`}`,
    opposite: (said) => `the source says the opposite of ${said}`,
    name_missing: (said) => `the name ${said} was not found in the sources`,
    too_broad: (said) =>
      said ? `the sources do not say ${said}` : "the sources state its parts about different things",
    unit_differs: (said) => `the source does not give ${said} in this unit or currency`,
    condition_dropped: (_, instead) => `the source adds a condition or exception: ${instead}`,
    qualifier_dropped: (_, instead) => `the source adds what the answer leaves out: ${instead}`,
    exception_denied: (said, instead) => `the source excludes what the answer includes (${said}): ${instead}`,
    actor_differs: (said, instead) => `the person or party differs: the answer says ${said}, the source ${instead}`,
    bound_differs: (said, instead) =>
      `“at least” and “at most” are swapped: the answer says ${said}, the source ${instead}`,
    not_a_statement: () => "a question or a personal opinion, which sources cannot confirm",
    words_missing: (said) => `not found in the sources: ${said}`,
    weak: () => "its words occur in the sources, but not together with this meaning",
    unsure: () => "a source has the same words and amounts, but may not mean the same",
  },
};

const cs: Phrases = {
  quote: (text) => `„${text}“`,
  noSources: "Nebyly zadány žádné zdroje, odpověď tedy není s čím porovnat: nic z ní není doloženo.",
  corpus: "Nebyly zadány žádné zdroje: odpověď byla porovnána s nahranými dokumenty.",
  unknownInsurer: (insurer) => `Žádný z nich není dokument pojistitele ${insurer}.`,
  noCountry: (markets) => `Země nebyla zadána a dokládají to dokumenty pro ${markets}: jinde to platit nemusí.`,
  noClaims: "Odpověď neobsahuje žádné tvrzení, které by šlo ověřit.",
  all: (count) => (count === 1 ? "Zdroje tvrzení dokládají." : `Zdroje dokládají všechna tvrzení (${count}).`),
  uncertain: (count) =>
    count === 1
      ? "Není jisté, že zdroje tvrzení dokládají."
      : `Není jisté, že zdroje dokládají všechna tvrzení (${count}).`,
  some: (supported, count) => `Doložená tvrzení: ${supported} z ${count}.`,
  unsupported: (claim, start, end, reason) => `Nedoloženo: ${claim} (znaky ${start}–${end}): ${reason}.`,
  doubtful: (claim, start, end, reason) => `Nejisté: ${claim} (znaky ${start}–${end}): ${reason}.`,
  more: (count) => `A další: ${count}.`,
  reasons: {
    number_differs: (said, instead) => `liší se číslo: odpověď uvádí ${said}${instead && `, zdroj ${instead}`}`,
    number_missing: (said) => `číslo nebo datum ${said} ve zdrojích není`,
    number_elsewhere: (said) => `${said} ve zdrojích je, ale ne tam, kde říkají to ostatní`,
    case_differs: (said, instead) => `jde o jiný případ: otázka se ptá na ${said}, zdroj mluví o ${instead}`,
    date_differs: (said, instead) => `liší se datum: odpověď uvádí ${said}${instead && `, zdroj ${instead}`}`,
    negation_differs: (said) => `zápor se liší od zdroje${said && ` (${said})`}`,
    opposite: (said) => `zdroj říká opak: ${said}`,
    name_missing: (said) => `jméno nebo název ${said} ve zdrojích není`,
    too_broad: (said) => (said ? `zdroje neříkají ${said}` : "zdroje říkají jeho části o různých věcech"),
    unit_differs: (said) => `zdroj neuvádí ${said} v této jednotce nebo měně`,
    condition_dropped: (_, instead) => `zdroj k tomu má podmínku nebo výjimku: ${instead}`,
    qualifier_dropped: (_, instead) => `zdroj dodává, co odpověď vynechává: ${instead}`,
    exception_denied: (said, instead) => `zdroj vylučuje to, co odpověď zahrnuje (${said}): ${instead}`,
    actor_differs: (said, instead) => `jde o někoho jiného: odpověď uvádí ${said}, zdroj ${instead}`,
    bound_differs: (said, instead) => `zaměněno nejméně a nejvýše: odpověď uvádí ${said}, zdroj ${instead}`,
    not_a_statement: () => "otázka nebo osobní názor, které zdroje doložit nemohou",
    words_missing: (said) => `ve zdrojích nenalezeno: ${said}`,
    weak: () => "slova ve zdrojích jsou, ale ne společně v tomto významu",
    unsure: () => "zdroj má stejná slova i částky, ale není jisté, že říká totéž",
  },
};

const sk: Phrases = {
  quote: (text) => `„${text}“`,
  noSources: "Neboli zadané žiadne zdroje, odpoveď teda nie je s čím porovnať: nič z nej nie je doložené.",
  corpus: "Neboli zadané žiadne zdroje: odpoveď bola porovnaná s nahranými dokumentmi.",
  unknownInsurer: (insurer) => `Žiadny z nich nie je dokument poisťovateľa ${insurer}.`,
  noCountry: (markets) => `Krajina nebola zadaná a dokladajú to dokumenty pre ${markets}: inde to platiť nemusí.`,
  noClaims: "Odpoveď neobsahuje žiadne tvrdenie, ktoré by sa dalo overiť.",
  all: (count) => (count === 1 ? "Zdroje tvrdenie dokladajú." : `Zdroje dokladajú všetky tvrdenia (${count}).`),
  uncertain: (count) =>
    count === 1
      ? "Nie je isté, že zdroje tvrdenie dokladajú."
      : `Nie je isté, že zdroje dokladajú všetky tvrdenia (${count}).`,
  some: (supported, count) => `Doložené tvrdenia: ${supported} z ${count}.`,
  unsupported: (claim, start, end, reason) => `Nedoložené: ${claim} (znaky ${start}–${end}): ${reason}.`,
  doubtful: (claim, start, end, reason) => `Neisté: ${claim} (znaky ${start}–${end}): ${reason}.`,
  more: (count) => `A ďalšie: ${count}.`,
  reasons: {
    number_differs: (said, instead) => `líši sa číslo: odpoveď uvádza ${said}${instead && `, zdroj ${instead}`}`,
    number_missing: (said) => `číslo alebo dátum ${said} v zdrojoch nie je`,
    number_elsewhere: (said) => `${said} v zdrojoch je, ale nie tam, kde hovoria to ostatné`,
    case_differs: (said, instead) => `ide o iný prípad: otázka sa pýta na ${said}, zdroj hovorí o ${instead}`,
    date_differs: (said, instead) => `líši sa dátum: odpoveď uvádza ${said}${instead && `, zdroj ${instead}`}`,
    negation_differs: (said) => `zápor sa líši od zdroja${said && ` (${said})`}`,
    opposite: (said) => `zdroj hovorí opak: ${said}`,
    name_missing: (said) => `meno alebo názov ${said} v zdrojoch nie je`,
    too_broad: (said) => (said ? `zdroje nehovoria ${said}` : "zdroje hovoria jeho časti o rôznych veciach"),
    unit_differs: (said) => `zdroj neuvádza ${said} v tejto jednotke alebo mene`,
    condition_dropped: (_, instead) => `zdroj k tomu má podmienku alebo výnimku: ${instead}`,
    qualifier_dropped: (_, instead) => `zdroj dodáva, čo odpoveď vynecháva: ${instead}`,
    exception_denied: (said, instead) => `zdroj vylučuje to, čo odpoveď zahŕňa (${said}): ${instead}`,
    actor_differs: (said, instead) => `ide o niekoho iného: odpoveď uvádza ${said}, zdroj ${instead}`,
    bound_differs: (said, instead) => `zamenené najmenej a najviac: odpoveď uvádza ${said}, zdroj ${instead}`,
    not_a_statement: () => "otázka alebo osobný názor, ktoré zdroje doložiť nemôžu",
    words_missing: (said) => `v zdrojoch sa nenašlo: ${said}`,
    weak: () => "slová v zdrojoch sú, ale nie spolu v tomto význame",
    unsure: () => "zdroj má rovnaké slová aj sumy, ale nie je isté, že hovorí to isté",
  },
};

const phrases: Record<Language, Phrases> = { cs, sk, en };
const mostNamed = 5;
const longestQuote = 160;

/** Returns one claim's reason in words, without a full stop. A run's result shows it next to the claim. */
export function reasonText({ rule, said, instead }: Reason, language: Language): string {
  const { reasons, quote } = phrases[language];
  return reasons[rule](said.map(quote).join(", "), instead.map(quote).join(", "));
}

const shortened = (text: string): string => (text.length > longestQuote ? `${text.slice(0, longestQuote - 1)}…` : text);

/** Returns the first supported but doubtful claims, with the reasons for the doubt. */
function doubtsIn(claims: readonly ClaimVerdict[], language: Language): string[] {
  const words = phrases[language];
  return claims
    .flatMap(({ text, start, end, doubt }) =>
      doubt === null ? [] : [words.doubtful(words.quote(shortened(text)), start, end, reasonText(doubt, language))],
    )
    .slice(0, mostNamed);
}

/**
 * Returns the verdict in the answer's language: the number of certainly supported claims, then the first five
 * unsupported ones with their offsets and reasons. `promised`: the answer is OK.
 */
export function verdictText(claims: readonly ClaimVerdict[], promised: boolean, language: Language): string {
  const words = phrases[language];
  if (claims.length === 0) return words.noClaims;
  const failing = claims.filter((claim) => !claim.supported);
  if (failing.length === 0) {
    const told = promised ? words.all(claims.length) : words.uncertain(claims.length);
    return [told, ...doubtsIn(claims, language)].join(" ");
  }
  const named = failing.slice(0, mostNamed).map(({ text, start, end, reason }) => {
    const why = reasonText(reason ?? { rule: "weak", said: [], instead: [] }, language);
    return words.unsupported(words.quote(shortened(text)), start, end, why);
  });
  const rest = failing.length > mostNamed ? [words.more(failing.length - mostNamed)] : [];
  // A doubtful claim does not count as supported.
  const certain = claims.filter(({ supported, doubt }) => supported && doubt === null).length;
  const told = [words.some(certain, claims.length), ...named, ...rest];
  return [...told, ...doubtsIn(claims, language)].join(" ");
}

/** Returns the verdict when there is nothing to check against. */
export const noSourcesText = (language: Language): string => phrases[language].noSources;

/**
 * Returns the opening of a verdict when the caller gave no sources and the imported documents were searched instead.
 */
export const checkedAgainstCorpus = (language: Language): string => phrases[language].corpus;

/** Returns the sentence added when none of those documents is from the insurer that the caller named. */
export const withoutInsurer = (language: Language, insurer: string): string =>
  phrases[language].unknownInsurer(phrases[language].quote(shortened(insurer)));

/** Returns the sentence added when the caller named no country and the supporting documents are for these markets. */
export const withoutCountry = (language: Language, markets: readonly string[]): string =>
  phrases[language].noCountry(markets.join(", "));
