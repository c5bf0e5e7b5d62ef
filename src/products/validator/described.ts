import { agesIn, isBound, numberAt, overlaps } from "./ages.ts";
import type { Span } from "./clauses.ts";
import { type Description, descriptionOf, gapAt, isDenied, isFunctionWord } from "./described-text.ts";
import { heldAges } from "./draw.ts";
import { type Market, marketNamed } from "./markets.ts";
import { textsIn } from "./texts.ts";
import {
  agesTrait,
  areOfNobody,
  either,
  type Mark,
  markTrait,
  type Status,
  sexTrait,
  statusTrait,
  type Trait,
} from "./traits.ts";
import { findIn, type Language, languages, matchAt } from "./words.ts";

/** What a text says about people, in terms of a market's figures. */
export interface Described {
  readonly language: Language;
  readonly traits: readonly Trait[];
  /** The remaining phrases of the text, verbatim. */
  readonly not_used: readonly string[];
  /** Whether it is about firms or other organisations rather than their people. */
  readonly areFirms: boolean;
  /** Whether it contradicts itself or asks for an age that no adult has. */
  readonly isNobody: boolean;
}

/** A word for a stage of life. */
interface Stage extends Span {
  readonly trait: Trait;
}

/** A whole description, with flags for the tokens already read. */
interface Reading extends Description {
  readonly read: boolean[];
}

const mark = ({ read }: Reading, { from, to }: Span): void => {
  read.fill(true, from, to);
};

/** Returns the spans of a list's entries that are not negated. */
function found(reading: Reading, list: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < reading.tokens.length; at++) {
    const length = matchAt(reading.tokens, at, list);
    if (length === 0 || isDenied(reading, at)) continue;
    spans.push({ from: at, to: at + length });
    at += length - 1;
  }
  return spans;
}

/** Like `found`, but only for tokens not read yet. */
const unread = (reading: Reading, list: readonly string[]): Span[] =>
  found(reading, list).filter(({ from }) => !reading.read[from]);

const isJoined = (reading: Reading, before: Span, after: Span): boolean =>
  [reading.structure.joins, reading.lists.ages.either].some(
    (list) => findIn(reading.tokens, list, before.to, after.from) >= 0,
  ) || /[,/;]/.test(gapAt(reading, after.from));

/** Groups stages: alternatives such as `students or pensioners` share a group, `young students` form two. */
function grouped(reading: Reading, stages: readonly Stage[]): Stage[][] {
  const groups: Stage[][] = [];
  for (const stage of [...stages].sort((a, b) => a.from - b.from)) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const areStatuses = stage.trait.isFirm && before?.trait.isFirm;
    const isBeside = before && (areStatuses || overlaps(before.trait.ages, stage.trait.ages).length === 0);
    if (last && isBeside && isJoined(reading, before, stage)) last.push(stage);
    else groups.push([stage]);
  }
  return groups;
}

function stagesIn(reading: Reading): Stage[] {
  const { lists } = reading;
  const stages: Stage[] = [];
  // A status after a word for firms does not describe the people: `firms with employees`.
  const [firm = Number.POSITIVE_INFINITY] = found(reading, lists.target.business).map(({ from }) => from);
  const add = (trait: Trait, spans: readonly Span[]) => {
    for (const span of spans) mark(reading, span);
    stages.push(...spans.slice(0, 1).map((span) => ({ ...span, trait })));
  };
  for (const status of Object.keys(lists.status) as Status[])
    add(
      statusTrait(status),
      unread(reading, lists.status[status]).filter(({ from }) => from < firm),
    );
  for (const name of ["young", "old"] as const) add(markTrait(name), unread(reading, lists.target[name]));
  return stages;
}

/** Returns the sex if only one is named: `Studentinnen`, but not `Studentinnen und Studenten`. */
function sexIn(reading: Reading): Trait[] {
  const { tokens, lists } = reading;
  const start = (at: number) => tokens[at]?.word.slice(0, 4);
  const isOwnForm = ({ from }: Span) =>
    tokens.every((_, at) => start(at) !== start(from) || matchAt(tokens, at, lists.sex.feminine) > 0);
  const feminine = found(reading, lists.sex.feminine).filter(isOwnForm);
  const [women, men] = [[...found(reading, lists.sex.female), ...feminine], found(reading, lists.sex.male)];
  for (const span of [...women, ...men]) mark(reading, span);
  if (women.length > 0 === men.length > 0) return [];
  return [sexTrait(women.length > 0 ? "female" : "male")];
}

/** Traits that are not stages of life. */
const marks: readonly Mark[] = ["parents", "urban", "rural", "owner", "tertiary", "poor", "rich"];

function marksIn(reading: Reading): Trait[] {
  const { lists } = reading;
  return marks.flatMap((name) => {
    const spans = found(reading, lists.target[name]);
    for (const span of spans) mark(reading, span);
    return spans.length > 0 ? [markTrait(name)] : [];
  });
}

const longestName = 3;

/** Marks the names of the study's own market as read. */
function readMarket(reading: Reading, market: Market): void {
  const { tokens, text } = reading;
  for (const [from, { start }] of tokens.entries())
    for (let to = from + 1; to <= Math.min(tokens.length, from + longestName); to++)
      if (marketNamed(text.slice(start, tokens[to - 1]?.end)) === market) mark(reading, { from, to });
}

/** Returns the unread phrases, without the function words around them. */
function remainder(reading: Reading): string[] {
  const { text, tokens, lists, read } = reading;
  const isNumber = (at: number) => numberAt(reading, at) !== undefined || isBound(reading, at);
  const isEmpty = (at: number) =>
    !isNumber(at) &&
    matchAt(tokens, at, lists.excepts) === 0 &&
    (isFunctionWord(reading, at) || matchAt(tokens, at, lists.anyone) > 0);
  const phrases: string[] = [];
  for (let from = 0; from < tokens.length; from++) {
    if (read[from] || isEmpty(from)) continue;
    let [to, next] = [from + 1, from + 1];
    for (; next < tokens.length && !read[next] && !/[.,;:!?()]/.test(gapAt(reading, next)); next++)
      if (!isEmpty(next)) to = next + 1;
    // Of "who live in a town", the town is read, and "live" alone says nothing.
    const isResiding = to === from + 1 && matchAt(tokens, from, lists.residing) === 1;
    if (!isResiding) phrases.push(text.slice(tokens[from]?.start, tokens[to - 1]?.end));
    from = to - 1;
  }
  return phrases;
}

/** Whether a word for firms comes before any word for people: `firms with employees`, but not `employees of firms`. */
function areFirms({ tokens, lists }: Reading): boolean {
  const firm = findIn(tokens, lists.target.business);
  const people = [lists.people, ...Object.values(lists.status)];
  return firm >= 0 && tokens.slice(0, firm).every((_, at) => people.every((list) => matchAt(tokens, at, list) === 0));
}

/** Reads a text as if it were in a given language. */
function readIn(text: string, language: Language) {
  const description = descriptionOf(text, language);
  const reading: Reading = { ...description, read: description.tokens.map(() => false) };
  const ages = agesIn(reading);
  for (const span of ages?.spans ?? []) mark(reading, span);
  const groups = grouped(reading, stagesIn(reading));
  const traits = [
    ...(ages ? [either(ages.ranges.map(agesTrait))] : []),
    ...sexIn(reading),
    ...groups.map((group) => either(group.map(({ trait }) => trait))),
    ...marksIn(reading),
  ];
  return { reading, traits, words: reading.read.filter((isRead) => isRead).length };
}

const describedOf = (language: Language, { reading, traits }: ReturnType<typeof readIn>): Described => ({
  language,
  traits,
  not_used: remainder(reading),
  areFirms: areFirms(reading),
  isNobody: areOfNobody(traits, heldAges),
});

/** Returns what a phrase in a known language says about people; the market's own names are skipped if it is given. */
export function describedIn(text: string, language: Language, market?: Market): Described {
  const read = readIn(text, language);
  if (market) readMarket(read.reading, market);
  return describedOf(language, read);
}

/**
 * Maximum length, in characters, of a text whose detected language counts as uncertain; a longer one is read only in
 * that language, to bound the cost.
 */
const longestUncertain = 400;

/**
 * Returns what an audience's description says about its people. A short text is read in the language that explains most
 * of it.
 */
export function describedPeople(text: string, market: Market, likely: Language): Described {
  const others = text.length > longestUncertain ? [] : languages.filter((language) => language !== likely);
  const readings = [likely, ...others].map((language) => ({
    language,
    ...readIn(text, language),
  }));
  const best = readings.reduce((most, other) => (other.words > most.words ? other : most));
  readMarket(best.reading, market);
  return describedOf(best.language, best);
}

/** Returns the error message for a description that no one can match. */
export const nobodyIs = ({ traits }: Described): string =>
  `matches no one: it asks for ${traits.map(({ label }) => label(textsIn.en)).join(", and ")}. Personas are ${heldAges.youngest} to ${heldAges.oldest} years old. Remove contradictory requirements, join several groups with "or", or create an audience for each`;
