import { type Match, placesOf } from "../../datasets/phrases.ts";
import type { AnswerLanguage } from "../../datasets/question-language.ts";
import { isFunctionWord } from "./unread.ts";

/** Something that a question lists with others: "GDP and GDP per head" are two items, each understood on its own. */
export interface Item {
  /** The terms that it names. */
  readonly named: ReadonlySet<string>;
  /** The range of its words: start inclusive, end exclusive. */
  readonly from: number;
  readonly to: number;
  /** Whether a word such as "and" comes before it, and not a mark. */
  readonly isJoined: boolean;
  /** Whether it relates something to GDP, as "premiums to GDP" does. */
  readonly isToGdp: boolean;
}

/** A question, as far as its items need it. `places` are those of the words that name countries. */
interface Words {
  readonly text: string;
  readonly words: readonly string[];
  readonly found: readonly Match[];
  readonly places: readonly number[];
  readonly language: AnswerLanguage;
}

const joining = /^(and|und|sowie|oraz)$/;
/** Words that join in one language, and are an article or a pronoun in others. */
const joiningIn: Readonly<Record<AnswerLanguage, RegExp>> = { en: /^i$/, cs: /^[ai]$/, sk: /^[ai]$/, de: /^$/ };
/** Abbreviations whose full stop ends nothing. */
const short = /^(excl|exkl|incl|inkl|vs|ca|cca|bzw|resp)$/;
const beforeGdp = /^(of|to|in|na|k|ke|ku|am|im|zum|vom|des|w|do)$/;

/** Returns where items begin: after joining words and marks, except within a term or between two countries. */
function startsOf({ text, words, found, places, language }: Words): Pick<Item, "from" | "isJoined">[] {
  const within = new Set(found.flatMap((match) => placesOf([match]).slice(1)));
  const countries = new Set(places);
  const isCountryFrom = (at: number, step: 1 | -1): boolean => {
    let here = at;
    while (!countries.has(here) && isFunctionWord(words[here] ?? "")) here += step;
    return countries.has(here);
  };
  const isBetween = (left: number, right: number): boolean => isCountryFrom(left, -1) && isCountryFrom(right, 1);
  const starts: Pick<Item, "from" | "isJoined">[] = [];
  let at = 0;
  for (const token of text.normalize("NFC").match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|[,;:&+?!]|\.(?=\s)/gu) ?? []) {
    if (token === "." && short.test(words[at - 1] ?? "")) continue;
    const isMark = /^[^\p{L}\p{N}]/u.test(token);
    const isJoined = !isMark && (joining.test(words[at] ?? "") || joiningIn[language].test(token));
    const from = isMark ? at : at + 1;
    if ((isMark || isJoined) && !within.has(at) && !isBetween(at - 1, from)) starts.push({ from, isJoined });
    if (!isMark) at++;
  }
  return starts;
}

/** Returns the items of a question, in the order of its words. */
export function itemsOf(question: Words): Item[] {
  const { words, found } = question;
  const starts = [{ from: 0, isJoined: false }, ...startsOf(question)];
  return starts.map(({ from, isJoined }, i) => {
    const to = starts[i + 1]?.from ?? words.length;
    const own = found.filter(({ at }) => at >= from && at < to);
    const gdp = own.find(({ entry }) => entry === "gdp")?.at ?? 0;
    const before = words[words[gdp - 1] === "the" ? gdp - 2 : gdp - 1] ?? "";
    return { named: new Set(own.map(({ entry }) => entry)), from, to, isJoined, isToGdp: beforeGdp.test(before) };
  });
}
