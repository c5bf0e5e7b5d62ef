import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import { remembered } from "../../platform/once.ts";
import { channelIn } from "./channel.ts";
import { afterFillers, clausesOf, cut, gapBefore, type Span } from "./clauses.ts";
import { describedIn } from "./described.ts";
import { evidenceIn, pricesIn } from "./evidence.ts";
import { offerIn } from "./offer.ts";
import { moneyByToken, moneyIn } from "./price.ts";
import { type PriceReading, readPrice } from "./price-reading.ts";
import { priceWordsFor } from "./price-words.ts";
import { namesProblem, runOf, type Unit, unitsOf } from "./roles.ts";
import { givenTo, isAnimate, isBuyer, type Phrase, peopleAfter, phraseAt, type Worded } from "./subject.ts";
import type { Trait } from "./traits.ts";
import { type Channel, type Part, parts } from "./vocabulary.ts";
import { findIn, type Language, languages, matchAt, structures, type Token, tokensOf, wordLists } from "./words.ts";

/** A hypothesis as understood. Its texts are verbatim excerpts. */
export interface Hypothesis extends PriceReading {
  readonly language: Language;
  readonly who: string | null;
  readonly problem: string | null;
  readonly offer: string | null;
  readonly channel: Channel | null;
  readonly proof: string | null;
  /** Parts that are not stated. */
  readonly missing: readonly Part[];
  /** Parts inferred only from their position in the text, and a price per item whose quantity is unknown. */
  readonly unsure: readonly Part[];
  /** What it says about its target group. */
  readonly targets: readonly Trait[];
  /** Number of words for severity, trust and effort. */
  readonly severe: number;
  readonly trust: number;
  readonly effort: number;
}

/** A part's span, and whether it rests on more than its position. */
interface Found extends Span {
  readonly isSure: boolean;
}

/** Returns the phrase that a unit is about, unless that is the writers themselves. */
function subjectOf(reading: Worded, unit: Unit): Phrase | null {
  const { tokens, structure } = reading;
  const from = afterFillers(reading, unit);
  const [first] = unit.clauses;
  if (!first || from >= unit.to) return null;
  const led = matchAt(tokens, from, structure.benefits);
  const [, second] = unit.clauses;
  const isCondition = matchAt(tokens, from, structure.conditions) > 0;
  const begin = led > 0 ? from + led : isCondition ? (second?.from ?? from + 1) : from;
  // `Would beekeepers pay ...?`
  let start = begin;
  while (led === 0 && !isCondition && matchAt(tokens, start, structure.asks) > 0) start += 1;
  if (matchAt(tokens, start, structure.ours) > 0 || matchAt(tokens, start, structure.subjects) > 0) return null;
  const end = unit.clauses.find(({ to }) => to > start)?.to ?? unit.to;
  // `Whoever has an old car, ...`
  if (matchAt(tokens, start, structure.relatives) > 0 && end < unit.to)
    return { from: start, to: end, isBounded: true };
  return phraseAt(reading, start, end);
}

const namesFirms = ({ tokens, lists }: Worded, { from, to }: Span): boolean =>
  findIn(tokens, lists.target.business, from, to) >= 0;

/** Returns the phrase around the first word for people in a span. */
function peopleIn(reading: Worded, { from, to }: Span): Phrase | null {
  const { tokens, structure, lists } = reading;
  let at = findIn(tokens, lists.people, from, to);
  // `15 EUR per employee`
  while (at > from && matchAt(tokens, at - 1, structure.each) > 0) at = findIn(tokens, lists.people, at + 1, to);
  if (at < 0) return null;
  let start = at;
  const links = [
    structure.prepositions,
    structure.determiners,
    structure.auxiliaries,
    structure.joins,
    structure.benefits,
    structure.pronouns,
    structure.provides,
    structure.acquires,
  ];
  while (
    start > from &&
    at - start < 2 &&
    /^\s+$/.test(gapBefore(reading, start)) &&
    !links.some((list) => matchAt(tokens, start - 1, list) > 0)
  )
    start -= 1;
  return phraseAt(reading, start, to);
}

/** Extends a phrase by the relative clause that restricts it: `Cyclists, who commute every day, ...`. */
function withRelative(unit: Unit, phrase: Phrase): Phrase {
  const at = unit.clauses.findIndex(({ to }) => to === phrase.to);
  const next = unit.clauses[at + 1];
  return at >= 0 && next?.opener === "relative" && unit.clauses.length > at + 2 ? { ...phrase, to: next.to } : phrase;
}

/** Returns the target group: those labelled so, having the problem, named as recipients, or expected to pay. */
function whoIn(reading: Worded, units: readonly Unit[]): Found | null {
  const { structure } = reading;
  const label = units.flatMap(({ clauses }) => clauses).find((clause) => clause.label === "who");
  if (label) return { ...label, isSure: true };
  const [troubled, offered] = (["problem", "offer"] as const).map((wanted) =>
    units.filter(({ role }) => role === wanted),
  );
  const subjects = (from: readonly Unit[] = []) =>
    from.flatMap((unit) => {
      const phrase = subjectOf(reading, unit);
      return phrase ? [withRelative(unit, phrase)] : [];
    });
  const named = (from: readonly Unit[] = [], list: readonly string[]) =>
    from.flatMap((unit) => peopleAfter(reading, list, unit) ?? []);
  const buyers = (offered ?? []).flatMap((unit) =>
    subjects([unit]).filter((phrase) => isBuyer(reading, phrase, unit.to)),
  );
  const firms = buyers.filter((phrase) => namesFirms(reading, phrase));
  const people = (phrases: readonly Phrase[]) => phrases.filter((phrase) => isAnimate(reading, phrase));
  const [sure] = [
    ...people(subjects(troubled)),
    ...named(troubled, structure.benefits),
    ...(offered ?? []).flatMap((unit) => givenTo(reading, unit) ?? []),
    ...firms,
    ...named(offered, structure.recipients),
    ...people(subjects(offered)),
    ...buyers,
  ];
  if (sure) return { ...sure, isSure: sure.isBounded };
  const subject = subjects(troubled).find(({ isBounded }) => isBounded);
  const other =
    subject ??
    units.map((unit) => (unit.role === "proof" ? null : peopleIn(reading, unit))).find((phrase) => phrase !== null);
  return other ? { ...other, isSure: false } : null;
}

/** Returns the problem: the problem units, or failing that a proof sentence that mentions what goes wrong. */
function problemIn(reading: Worded, units: readonly Unit[]): Found | null {
  const run = runOf(units, "problem");
  if (run) return { ...run, isSure: units.some(({ role, isSure }) => role === "problem" && isSure) };
  const clauses = units.flatMap((unit) => unit.clauses);
  const cause = clauses.find((clause) => clause.opener === "cause");
  if (cause) return { ...cause, isSure: true };
  const within = clauses.find((clause) => clause.opener === "relative" && namesProblem(reading, clause));
  if (within) return { ...within, isSure: false };
  const shown = units.find(
    (unit) => unit.role === "proof" && findIn(reading.tokens, reading.lists.problem, unit.from, unit.to) >= 0,
  );
  return shown ? { from: shown.from, to: shown.to, isSure: false } : null;
}

const countIn = (tokens: readonly Token[], list: readonly string[]): number =>
  tokens.filter((_, at) => matchAt(tokens, at, list) > 0).length;

const isOurs = (language: string): language is Language => (languages as readonly string[]).includes(language);

const slovak = /(?:aj|uj|ej)ú(?!\p{L})|ť(?!\p{L})|[ľĺŕôä]|[ai]e[jm]?(?!\p{L})|iť/giu;
const czech = /[ěřů]|(?:aj|uj|ej)í(?!\p{L})|ou(?!\p{L})|[áia]t(?!\p{L})/giu;

/** Returns the language for answers: the hypothesis's own, or English if it is none of the four. */
export function languageOf(text: string): Language {
  const found = detectSearchLanguage(text);
  if (found !== "cs" && found !== "sk") return isOurs(found) ? found : "en";
  // Czech and Slovak share most short words; verb endings and some letters distinguish them.
  const lead = (text.match(slovak)?.length ?? 0) - (text.match(czech)?.length ?? 0);
  return lead === 0 ? found : lead > 0 ? "sk" : "cs";
}

/** Returns the price: from the offer's amounts or, failing that, from any amount that can be one. */
function priceIn(reading: Worded, units: readonly Unit[]): PriceReading {
  const clauses = units.filter(({ role }) => role === "offer").flatMap((unit) => unit.clauses);
  const offered = clauses.flatMap((clause) => pricesIn(reading, clause));
  const found = readPrice(reading, offered);
  // Keep a result with a currency, or one with remarks; a word such as `free` alone is weaker than an amount elsewhere.
  return found.price?.currency || found.remarks.length > 0 ? found : readPrice(reading, reading.money);
}

/** Cache size: concurrent studies, whose hypotheses are read when ordered, drawn, asked in batches and weighed. */
const mostRemembered = 64;

/** Parses a hypothesis. Takes a few milliseconds for the longest one, and about ten for a worst-case input. */
export const readHypothesis = remembered(mostRemembered, (given: string): Hypothesis => {
  const text = given.normalize("NFC");
  const language = languageOf(text);
  const lists = wordLists[language];
  const tokens = tokensOf(text);
  const structure = structures[language];
  const money = moneyIn(text, priceWordsFor(text, language));
  const amounts = moneyByToken(tokens, money);
  const reading: Worded = { text, tokens, language, lists, structure, money, amounts };
  const units = unitsOf(reading, clausesOf(reading));
  const price = priceIn(reading, units);
  const proof =
    units.find(({ role }) => role === "proof") ??
    units.find((unit) => unit.clauses.some((one) => evidenceIn(reading, one) === "shown"));
  const spans = {
    who: whoIn(reading, units),
    problem: problemIn(reading, units),
    offer: offerIn(reading, units),
    proof: proof ? { from: proof.from, to: proof.to, isSure: true } : null,
  };
  const isGuess = (span: Found | null) => span?.isSure === false;
  const isUnsure: Readonly<Record<Part, boolean>> = {
    ...{ who: isGuess(spans.who), problem: isGuess(spans.problem), offer: isGuess(spans.offer) },
    ...{ price: price.remarks.some(({ remark }) => remark === "piece"), channel: false, proof: isGuess(spans.proof) },
  };
  const said = (span: Found | null) => span && cut(reading, span);
  const read = {
    who: said(spans.who),
    problem: said(spans.problem),
    offer: said(spans.offer),
    price: price.price,
    channel: channelIn(reading, [
      ...units.filter(({ role }) => role === "offer"),
      ...units.filter(({ role }) => role === "none"),
    ]),
    proof: said(spans.proof),
  };
  return {
    ...price,
    ...read,
    language,
    missing: parts.filter((part) => read[part] === null),
    unsure: parts.filter((part) => isUnsure[part]),
    targets: read.who === null ? [] : describedIn(read.who, language).traits,
    severe: countIn(tokens, lists.severe),
    trust: countIn(tokens, lists.trust),
    effort: countIn(tokens, lists.effort),
  };
});

/** Whether too little of a hypothesis is understood for any verdict. */
export function isUnreadable(hypothesis: string): boolean {
  const { who, offer, price } = readHypothesis(hypothesis);
  return who === null && offer === null && price === null;
}

/** The error message for such a hypothesis. */
export const unreadable =
  "can't be understood: it states neither who would buy, nor what, nor at what price. Hypotheses are understood in English, Czech, Slovak and German";
