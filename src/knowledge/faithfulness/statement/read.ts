import { searchLanguageOf } from "../../language/languages.ts";
import {
  conceptsOf,
  isLight,
  type MarkClass,
  markOf,
  phraseAt,
  statementLanguages,
} from "../../language/statement-words.ts";
import { stem } from "../../language/stem.ts";
import { setBounds, stepsFrom, withDeniedBounds } from "./bounds.ts";
import { senseOfInsured } from "./insured.ts";
import { type CalendarDate, type Lexeme, lex, type Quantity, timeOf } from "./lex.ts";
import { isEach, type Mark, periodNames, periodsOf } from "./periods.ts";
import { type Span, setSpans } from "./spans.ts";

/** The role of a word in a statement. `light`: a function word; `optional`: may be added freely. */
export type Role = "plain" | "thing" | "predicate" | "actor" | "optional" | "light" | "mark" | "quantity" | "date";

/** One part of a statement. Offsets are UTF-16 units into its text. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly form: string;
  readonly key: string;
  readonly role: Role;
  /** The name of its concept without polarity or case; empty for a plain word. */
  readonly concept: string;
  /** -1 if it is negated or excluded. */
  readonly sign: 1 | -1;
  /** Grammatical case of an actor: nom, dat, acc, ins or any. */
  readonly grammar: string;
  readonly capital: boolean;
  readonly quantity: Quantity | null;
  readonly date: CalendarDate | null;
  /** Number of its segment; `span`: whether it is in a condition or an exception. */
  readonly segment: number;
  readonly span: Span;
}

/** A parsed sentence. */
export interface Statement {
  readonly text: string;
  readonly language: string;
  readonly parts: readonly Part[];
  readonly marks: Readonly<Partial<Record<MarkClass, readonly string[]>>>;
  /** Periods and units per which amounts are given: `month`, `person`. */
  readonly periods: readonly string[];
}

type Draft = { -readonly [K in keyof Part]: Part[K] };

/** Returns the language, among the six, whose function words and letters a text has most of; `otherwise` on a tie. */
export function statementLanguage(text: string, otherwise: string): string {
  const forms = lex(text).map(({ form }) => form);
  let best = otherwise;
  let most = forms.filter((form) => isLight(form, otherwise)).length;
  for (const language of statementLanguages) {
    const count = forms.filter((form) => isLight(form, language)).length + (letters[language]?.test(text) ? 2 : 0);
    if (count > most) [best, most] = [language, count];
  }
  return best;
}

const letters: Readonly<Record<string, RegExp>> = {
  cs: /[ěřů]/iu,
  sk: /[ľĺŕô]|ť\b/iu,
  de: /[ß]/u,
  pl: /[ąęłśźż]/iu,
  hu: /[őű]|(?<!\p{L})(?:az|egy|és|nem|kell|vagy|hogy|\p{L}+(?:nak|nek|ban|ben|tól|től|ért|[áéíóőúű]v[ae]l))(?!\p{L})/iu,
};

const insuredWords = /^(?:insured|versicherten?|versicherte[rsm]?|pojisten[yae]|poisten[yae])$/;
const insuredAttribute =
  /^(?:pojisten(?:eho|em|ym|ych|ymi|ou|emu)|poisten(?:eho|om|ym|ych|ymi|ou|ej|emu)|ubezpieczon(?:ego|ej|ych|ym)|biztositott)$/;

function named(lexemes: readonly Lexeme[], at: number): Pick<Draft, "role" | "concept" | "sign" | "grammar"> | null {
  const { form } = lexemes[at] as Lexeme;
  const [concept] = conceptsOf(form);
  if (insuredWords.test(form)) {
    const sense = senseOfInsured(lexemes, at);
    if (sense === "predicate") return { role: "predicate", concept: "cover", sign: 1, grammar: "" };
    if (sense === "optional") return { role: "optional", concept: "insured", sign: 1, grammar: "" };
    const grammar = /^(?:po[ij])/.test(form) ? "nom" : "any";
    return { role: "actor", concept: "insured", sign: 1, grammar };
  }
  // `of the insured bicycle`: the word for a thing follows directly.
  const follows = conceptsOf(lexemes[at + 1]?.form ?? "").some(({ class: kind }) => kind === "thing");
  if (insuredAttribute.test(form) && follows && !lexemes[at + 1]?.cut)
    return { role: "optional", concept: "insured", sign: 1, grammar: "" };
  // `Ki vannak zárva` excludes; `le volt zárva` locks.
  if (/^zar(?:va|ja|jak|t)$/.test(form) && lexemes.slice(Math.max(0, at - 4), at + 3).some((one) => one.form === "ki"))
    return { role: "predicate", concept: "cover", sign: -1, grammar: "" };
  // Hungarian has the predicate last: `500 euróig biztosított`.
  const isLast = lexemes[at + 1] === undefined || lexemes[at + 1]?.cut;
  if (/^biztositott(?:ak)?$/.test(form) && at > 1 && isLast)
    return { role: "predicate", concept: "cover", sign: 1, grammar: "" };
  if (concept === undefined) return null;
  if (concept.class === "predicate")
    return {
      role: "predicate",
      concept: concept.value.replace(/[+-]$/, ""),
      sign: concept.value.endsWith("-") ? -1 : 1,
      grammar: "",
    };
  if (concept.class === "actor") {
    const [name = "", grammar = ""] = concept.value.split(".");
    return { role: "actor", concept: name, sign: 1, grammar };
  }
  return { role: concept.class, concept: concept.value, sign: 1, grammar: "" };
}

const negatedBeginning: Readonly<Record<string, RegExp>> = {
  cs: /^ne(?=\p{L}{4})/u,
  sk: /^ne(?=\p{L}{4})/u,
  pl: /^nie(?=\p{L}{5})/u,
  en: /^(?:un|non)(?=\p{L}{4})/u,
  de: /^(?:un|nicht)(?=\p{L}{5})/u,
};
const notNegated =
  /^(?:nej|nemoc|nehod(?!n|l)|nemov|nehnut|nebezp|nedel|nepriz|neprodl|nezlet|nahra|nieruch|niezwl|niemcy|niemie|niedz|under|until|unless|unit|unter|unfall|uhrad|unverz|ungar|umow|united|union|universal|nespoc|nestastn|nesta|nedostat|nezavis|nekter|nekolik)/;

/**
 * `Kriegsschäden` and `viharkár` are damage by war and by storm: the first part of the compound carries its meaning.
 */
const damageCompound: Readonly<Record<string, RegExp>> = {
  de: /(?<=^\p{L}{4,20})schaden$/u,
  hu: /(?<=^\p{L}{4,20})kar(?:ok|okat|okra|okert|oknal|t|ra|ert|nal)?$/u,
};

/** Builds a part from one lexeme. A word with a negating prefix becomes its bare word, negated. */
function partOf(lexemes: readonly Lexeme[], at: number, language: string): Draft {
  const { start, end, form, capital, quantity, date } = lexemes[at] as Lexeme;
  const base = {
    start,
    end,
    form,
    capital,
    quantity,
    date,
    segment: 0,
    span: null,
    grammar: "",
    concept: "",
    sign: 1 as const,
  };
  if (quantity !== null) return { ...base, key: `#${quantity.value}`, role: "quantity" };
  if (date !== null) return { ...base, key: "@", role: "date" };
  const search = searchLanguageOf(language) ?? "en";
  // Hungarian puts these prefixes before the verb or after it: `elbírálja`, `bírálja el`.
  const key = language === "hu" ? form.replace(/^(?:el|meg)(?=\p{L}{5})/u, "") : stem(form, search);
  const keyed = { ...base, key };
  const own = named(lexemes, at);
  if (own !== null && !(own.role === "optional" && isLight(form, language))) return { ...keyed, ...own };
  if (isLight(form, language)) return { ...keyed, role: "light" };
  const cause = form.replace(damageCompound[language] ?? /^$/, "");
  if (cause !== form) return withConcept({ ...keyed, form: cause, key: cause }, cause);
  const bare = form.replace(negatedBeginning[language] ?? /^$/, "");
  if (bare !== form && !notNegated.test(form)) {
    const [concept] = conceptsOf(bare);
    if (concept?.class === "predicate") {
      const sign = concept.value.endsWith("-") ? 1 : -1;
      return { ...keyed, role: "predicate", concept: concept.value.replace(/[+-]$/, ""), sign };
    }
    const key = stem(bare, search);
    return { ...keyed, key, role: concept ? concept.class : "plain", concept: concept?.value ?? "", sign: -1 };
  }
  return { ...keyed, role: form.length < 2 ? "light" : "plain" };
}

function withConcept(draft: Omit<Draft, "role">, form: string): Draft {
  const concept = conceptsOf(form).find(({ class: kind }) => kind === "thing");
  return concept ? { ...draft, role: "thing", concept: concept.value } : { ...draft, role: "plain" };
}

const marked: readonly MarkClass[] = [
  "inclusion",
  "bound",
  "bound-after",
  "exception",
  "exception-after",
  "condition",
  "universal",
  "only",
  "concord",
  "negation",
  "per",
];

const endsAt = (lexemes: readonly Lexeme[], at: number): boolean => lexemes[at]?.cut ?? true;

/** Returns the marks of a sentence: the longest phrase at each word. A word belongs to one mark only. */
function marksOf(lexemes: readonly Lexeme[], language: string): Mark[] {
  const forms = lexemes.map(({ form }) => form);
  const found: Mark[] = [];
  for (let at = 0; at < forms.length; at += 1) {
    let best: Mark | null = null;
    for (const wanted of marked) {
      const phrase = phraseAt(wanted, forms, at);
      // A condition needs content after it: `kdykoli` at the end means at any time.
      const isLast = wanted === "condition" && phrase !== null && endsAt(lexemes, at + phrase.length);
      if (phrase !== null && !isLast && phrase.length > (best?.length ?? 0)) best = { class: wanted, at, ...phrase };
    }
    // A phrase does not extend over a cut: `téríti meg, ha` does not contain `meg ha`.
    if (best !== null && lexemes.slice(best.at + 1, best.at + best.length).some(({ cut }) => cut)) best = null;
    if (best === null || !fits(best, lexemes) || !isOwn(best, forms, language)) continue;
    found.push(best);
    at += best.length - 1;
  }
  return found;
}

/** Words that are marks in these languages only. */
const onlyIn: Readonly<Record<string, readonly string[]>> = {
  jeden: ["de"],
  jen: ["cs"],
  a: ["en"],
  minden: ["hu"],
  ha: ["hu"],
  ak: ["sk"],
  teljes: ["hu"],
  bis: ["de"],
  sem: ["hu"],
  over: ["en"],
  from: ["en"],
  od: ["cs", "sk", "pl"],
  skoro: ["pl"],
  pod: ["cs", "sk", "pl"],
  po: ["cs", "sk", "pl"],
};
const isOwn = ({ at, length }: Mark, forms: readonly string[], language: string): boolean =>
  length > 1 || (onlyIn[forms[at] ?? ""]?.includes(language) ?? true);

const beginnings = new Set(["from", "od"]);
const currency = /^(?:czk|eur|usd|gbp|pln|huf|chf)$/;

/** Checks whether the words of a mark mean it here: a bound has a number near it. */
function fits({ class: wanted, at, length }: Mark, lexemes: readonly Lexeme[]): boolean {
  if (wanted === "bound") {
    const next = lexemes[at + length]?.quantity?.measure ?? "";
    // `From 5 euros` is a bound; `from 5 May` and `od 3 dnů` are starts.
    if (beginnings.has(lexemes[at]?.form ?? "")) return currency.test(next);
    return stepsFrom(lexemes, at + length).some((step) => {
      const next = lexemes[at + length + step];
      return (next?.quantity ?? null) !== null || (length > 1 && markOf("money", next?.form ?? "") !== undefined);
    });
  }
  if (wanted === "bound-after") return [1, 2].some((step) => lexemes[at - step]?.quantity != null);
  return true;
}

/** Returns where segments begin: at a cut or a conjunction with a predicate or a number on both sides. */
function segmentsOf(lexemes: readonly Lexeme[], drafts: readonly Draft[], marks: readonly Mark[]): number[] {
  const denies = new Set(marks.filter(({ class: wanted }) => wanted === "negation").map(({ at }) => at));
  const isFull = (from: number, to: number) =>
    [...denies].some((at) => at >= from && at < to && at > 0) ||
    drafts
      .slice(from, to)
      .some(
        ({ role, concept }) =>
          (role === "predicate" && concept !== "may" && concept !== "must") || role === "quantity" || role === "date",
      );
  const starts = [0];
  for (const [at, lexeme] of lexemes.entries()) {
    if (at === 0 || !(lexeme.cut || markOf("and", lexeme.form) !== undefined)) continue;
    const next = lexemes.findIndex((other, i) => i > at && (other.cut || markOf("and", other.form) !== undefined));
    if (isFull(starts.at(-1) ?? 0, at) && isFull(at, next < 0 ? lexemes.length : next)) starts.push(at);
  }
  return starts;
}

const without = new Set(["bez", "without", "ohne"]);
const denials = new Set(["no", "ne", "nie", "nein", "nem"]);

/** Checks whether a mark is the `No,` that answers a question: it negates the question, not what follows. */
const isDenial = ({ class: wanted, at }: Mark, lexemes: readonly Lexeme[]): boolean =>
  wanted === "negation" && at === 0 && denials.has(lexemes[0]?.form ?? "") && lexemes[1]?.cut === true;

/**
 * Applies each negation to the next predicate of its segment, else the next word, else the last predicate before it;
 * without any of them, to the next amount or date: `the limit is not 500`.
 */
function setNegations(drafts: Draft[], marks: readonly Mark[], language: string): void {
  const isFree = (draft: Draft | undefined) =>
    draft !== undefined && ["plain", "thing", "predicate"].includes(draft.role);
  for (const { class: wanted, at } of marks) {
    if (wanted !== "negation") continue;
    const own = drafts[at];
    const inSegment = (i: number) => drafts[i]?.segment === own?.segment && drafts[i]?.span === own?.span;
    const indices = drafts.map((_, i) => i).filter(inSegment);
    const isPredicate = (i: number) => drafts[i]?.role === "predicate";
    // `Without a lock the theft is not covered`: a preposition negates its noun only.
    const isBare = without.has(own?.form ?? "");
    const next = isBare ? undefined : indices.find((i) => i > at && isPredicate(i));
    const last = isBare ? undefined : indices.findLast((i) => i < at && isPredicate(i));
    const word = indices.find((i) => i > at && isFree(drafts[i]));
    const isVerbLast = language === "de" || language === "hu";
    const target =
      (isVerbLast ? (next ?? last) : next) ??
      (last !== undefined && word === undefined ? last : word) ??
      last ??
      indices.find((i) => i > at && (drafts[i]?.role === "quantity" || drafts[i]?.role === "date"));
    const draft = target === undefined ? undefined : drafts[target];
    if (draft !== undefined) draft.sign = draft.sign === 1 ? -1 : 1;
  }
}

/** A unit of time without a number means one of it: `within a week`, `do týdne`. */
function withSingles(lexemes: readonly Lexeme[]): Lexeme[] {
  return lexemes.map((lexeme, at) => {
    const time = lexeme.quantity === null && lexeme.date === null ? markOf("time", lexeme.form) : undefined;
    if (time === undefined || lexemes[at + 1]?.quantity != null || lexemes[at + 1]?.date != null) return lexeme;
    return { ...lexeme, quantity: timeOf(1, time) };
  });
}

/** Parses a sentence. Pure; linear in its length. */
export function readStatement(text: string, language: string): Statement {
  const lexemes = lex(text);
  const singles = withSingles(lexemes);
  const found = withDeniedBounds(marksOf(singles, language), singles, language);
  const periods = periodsOf(lexemes, found);
  const perWords = new Set(
    lexemes.flatMap(({ form }, at) => (isEach(lexemes, at) && periodNames.has(markOf("time", form) ?? "") ? [at] : [])),
  );
  const used = singles.map((single, at) =>
    perWords.has(at) && !/^(?:do|na|za)$/.test(lexemes[at - 1]?.form ?? "") ? (lexemes[at] as Lexeme) : single,
  );
  const drafts = used.map((_, at) => partOf(used, at, language));
  for (const { class: wanted, at, length } of found)
    for (let i = at; i < at + length; i += 1) {
      const draft = drafts[i];
      // `must not`, `nemusí`: a negation that is also a predicate stays one.
      if (draft && draft.role !== "quantity" && !(wanted === "negation" && draft.role === "predicate"))
        draft.role = "mark";
    }
  const starts = segmentsOf(used, drafts, found);
  for (const [at, draft] of drafts.entries()) draft.segment = starts.filter((start) => start <= at).length;
  setSpans(drafts, used, found, language);
  setNegations(
    drafts,
    found.filter((mark) => drafts[mark.at]?.role === "mark" && !isDenial(mark, lexemes)),
    language,
  );
  setBounds(drafts, found, used);
  const marks: Partial<Record<MarkClass, string[]>> = {};
  for (const { class: wanted, at, length } of found) {
    const words = lexemes
      .slice(at, at + length)
      .map(({ form }) => form)
      .join(" ");
    marks[wanted] = [...(marks[wanted] ?? []), words];
  }
  return { text, language, parts: drafts, marks, periods };
}
