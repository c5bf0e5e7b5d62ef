import { isStopWord } from "../../../knowledge/language/function-words.ts";
import { searchLanguages } from "../../../knowledge/language/languages.ts";
import { once } from "../../../platform/once.ts";
import { bared } from "../../datasets/denials.ts";
import denialsText from "../../datasets/denials.tsv" with { type: "text" };
import { Phrases, wordsOf } from "../../datasets/phrases.ts";
import placesText from "../../datasets/place-words.tsv" with { type: "text" };
import { placeOf } from "../../datasets/places.ts";
import { type AnswerLanguage, languageOf } from "../../datasets/question-language.ts";
import { type AskedPeriod, periodIn } from "../../datasets/question-period.ts";
import absentText from "./absent.tsv" with { type: "text" };
import breakdownsText from "./breakdowns.tsv" with { type: "text" };
import computedText from "./computed.tsv" with { type: "text" };
import { countryLines } from "./countries.ts";
import firmsText from "./firms.tsv" with { type: "text" };
import linesText from "./lines.tsv" with { type: "text" };
import partsText from "./parts.tsv" with { type: "text" };
import personsText from "./persons.tsv" with { type: "text" };
import saidText from "./said.tsv" with { type: "text" };
import termsText from "./terms.tsv" with { type: "text" };
import unitsText from "./units.tsv" with { type: "text" };

const kinds = [
  ...["term", "by", "line", "firm", "place", "unit", "part", "person", "absent", "computed", "group"],
  // Words that deny something, and what they deny: `denied.ts` derives the second from the first.
  ...["denial", "denied", "said"],
] as const;
type Kind = (typeof kinds)[number];

/** Something that a question names: the kind of list, the entry, and the words. */
export interface Named {
  readonly kind: Kind;
  readonly entry: string;
  readonly at: number;
  /** The words as the question writes them. */
  readonly written: string;
}

/** A parsed question: every word of it is named by a list, or left over. */
export interface Asked {
  readonly language: AnswerLanguage;
  readonly words: readonly string[];
  /** The same as the question writes them, including the marks between clauses. */
  readonly written: readonly string[];
  readonly named: readonly Named[];
  /** Words in no list, as the question writes them. */
  readonly left: readonly string[];
  readonly period: AskedPeriod;
  /** What follows the year in the requested periods, a quarter or a month; null if neither does. */
  readonly part: string | null;
}

const listed = (kind: Kind, lines: readonly string[]): string[] =>
  lines.flatMap((line) => (line === "" || line.startsWith("#") ? [] : [`${kind}:${line}`]));

/** The lists by kind. A phrase in two lists belongs to the first. */
const lists: readonly (readonly [Kind, string])[] = [
  ["term", termsText],
  ["by", breakdownsText],
  ["line", linesText],
  ["firm", firmsText],
  ["place", placesText],
  ["unit", unitsText],
  ["part", partsText],
  ["person", personsText],
  ["absent", absentText],
  ["computed", computedText],
  ["denial", denialsText],
  ["said", saidText],
];

/** All lists as one, so that a word belongs to the longest phrase of any of them. */
const phrases = once(() => {
  const lines = lists.flatMap(([kind, text]) => listed(kind, text.split("\n")));
  return new Phrases([...lines, ...listed("place", countryLines())].join("\n"));
});

/** The codes of indicators that terms stand for. */
export const termCodes = once(
  () => new Set(termsText.split("\n").flatMap((line) => line.split("\t")[0]?.split(/[|,]/) ?? [])),
);

const kindOf = (entry: string): Kind => kinds.find((kind) => entry.startsWith(`${kind}:`)) ?? "said";

/** Returns what folded words name, with the words as written. */
function namedIn(list: Phrases, words: readonly string[], written: readonly string[]) {
  return list.in(words).map((match) => {
    const kind = kindOf(match.entry);
    const end = match.at + match.words;
    return {
      ...match,
      kind,
      entry: match.entry.slice(kind.length + 1),
      written: written.slice(match.at, end).join(" "),
    };
  });
}

/** Returns the same for a text that is not a question, such as a title. */
export const namedInText = (text: string): Named[] => {
  const words = wordsOf(text);
  return namedIn(phrases(), words, words);
};

/** Returns the parts of countries given by code, such as `CZ080`. */
const codedPlaces = (words: readonly string[]): Named[] =>
  words.flatMap((word, at) => {
    const code = word.toUpperCase();
    const isCode = /^[A-Z]{2}\d[A-Z0-9]{0,2}$/.test(code) && placeOf(code) === code;
    return isCode ? [{ kind: "place" as const, entry: code, at, written: code }] : [];
  });

const isEmpty = (word: string): boolean =>
  word.length < 2 || /\d/.test(word) || searchLanguages.some((language) => isStopWord(word, language));

/** Returns the month of a full date, which the words alone don't show: `01` to `12`. */
function monthIn(question: string): string | null {
  const [, dotted, iso] =
    /\b\d{1,2}\.\s?(\d{1,2})\.\s?(?:19|20)\d\d\b|\b(?:19|20)\d\d-(\d\d)(?!\d)/.exec(question) ?? [];
  return (dotted ?? iso)?.padStart(2, "0") ?? null;
}

/** Parses a question. `groups` has the names of the register's own groups, as lines by dimension. */
export function understand(question: string, groups: readonly string[], now: Date): Asked {
  // Marks between clauses are kept as words, so that no phrase crosses them.
  const tokens = question.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+|[,;?!&]/gu) ?? [];
  const asWritten = tokens.map((token) => wordsOf(token).join("") || token);
  const { words, places: bare } = bared(asWritten, (some) => phrases().in(some));
  const taken = (all: readonly { at: number; words: number }[]) =>
    new Set(all.flatMap(({ at, words: count }) => Array.from({ length: count }, (_, i) => at + i)));
  // A group called "legal" is not what "by legal form" names.
  const divided = taken(namedIn(phrases(), words, tokens).filter(({ kind }) => kind === "by"));
  const own = namedIn(new Phrases(listed("group", groups).join("\n")), words, tokens).filter(
    ({ at }) => !divided.has(at),
  );
  const ofGroups = taken(own);
  const rest = words.map((word, at) => (ofGroups.has(at) ? "" : word));
  const others = namedIn(phrases(), rest, tokens);
  const known = taken([...own, ...others]);
  const coded = codedPlaces(rest).filter(({ at }) => !known.has(at));
  const within = bare.map((at) => ({ kind: "denial" as const, entry: "within", at, written: tokens[at] ?? "" }));
  const all = [...within, ...own, ...others, ...coded].sort((a, b) => a.at - b.at);
  const period = periodIn(wordsOf(question), now);
  const isChange = all.some(({ kind, entry }) => kind === "by" && entry === "change");
  return {
    ...{ language: languageOf(question), words, written: tokens, named: all },
    left: tokens.filter((_, at) => !known.has(at) && !isEmpty(words[at] ?? "")),
    period: { ...period, change: period.change || isChange },
    part: all.find(({ kind }) => kind === "part")?.entry ?? monthIn(question),
  };
}

const joining = /^([,;?!&]|and|und|sowie|or|oder|nebo|alebo|i|a)$/;

/** Returns whether a word of a question joins what is before it to what follows. */
export const joins = ({ language }: Pick<Asked, "language">, word: string): boolean =>
  joining.test(word) && !(word === "a" && language === "en");

/** Returns whether two things that a question names are joined, as in "brokers and their commission". */
export function isJoined(asked: Asked, one: Named, other: Named): boolean {
  const [from, to] = [Math.min(one.at, other.at), Math.max(one.at, other.at)];
  return asked.words.slice(from + 1, to).some((word) => joins(asked, word));
}
