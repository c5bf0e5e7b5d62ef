import { isStopWord } from "../../../knowledge/language/function-words.ts";
import { searchLanguages } from "../../../knowledge/language/languages.ts";
import { ByFirstWord } from "../../../platform/first-word.ts";
import { once } from "../../../platform/once.ts";
import { matchesWord, type Word } from "./model.ts";
import list from "./red-flags.yaml" with { type: "yaml" };
import type { RoleSummary } from "./schema.ts";

/** Words that a goal must not have, from `red-flags.yaml`: phrases, and conditions made of a group of people. */

interface ListedKind {
  readonly any?: readonly string[];
  /** Groups of people that are a condition only with a word of `restricting`. */
  readonly groups?: readonly string[];
  /** Does not count if it is about clients, or a term. */
  readonly of_applicants?: boolean;
  /** No condition if two groups are named next to each other: women and men. */
  readonly balanced?: boolean;
}

type Restriction = "before" | "behind" | "seeking" | "applicants" | "articles" | "copulas" | "joining" | "negations";

interface RedFlagList {
  readonly about: readonly string[];
  readonly joining: readonly string[];
  readonly units: readonly string[];
  readonly years: readonly string[];
  readonly restricting: Readonly<Record<Restriction, readonly string[]>>;
  readonly kinds: Readonly<Record<string, ListedKind>>;
}

/** Stands for an age in a phrase. */
const age = "#";

/** A range of the goal's words, the last included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Maximum number of words between what is sought and the group, and between a condition and whom it is about. */
const soughtWithin = 3;
const aboutWithin = 3;

/** The phrases of one list, indexed by their first words. */
class PhraseList {
  private readonly byFirst: ByFirstWord<readonly string[]>;
  /** Number of words of the longest phrase. */
  readonly longest: number;

  constructor(phrases: readonly string[]) {
    const split = phrases.map((phrase) => phrase.split(" "));
    this.byFirst = new ByFirstWord(split.map((words) => [words[0]?.toLowerCase() ?? "", words]));
    this.longest = Math.max(0, ...split.map(({ length }) => length));
  }

  /** Returns the phrases that may begin with a word. */
  beginningLike = (form: string): readonly (readonly string[])[] => this.byFirst.of(/^\d/.test(form) ? age : form);
}

/** A goal's words, and searches in them. */
class Goal {
  /** First words of the lists of groups, by a group's first word. Cached, because a goal may be one long list. */
  readonly listsFrom = new Map<number, number>();

  constructor(
    private readonly text: string,
    private readonly words: readonly Word[],
  ) {}

  private fits(at: number, wanted: string): boolean {
    const word = this.words[at];
    if (!word) return false;
    if (wanted === age) return /^\d\d$/.test(word.form) && Number(word.form) >= 16 && Number(word.form) <= 75;
    if (!/^\p{Lu}/u.test(wanted)) return matchesWord(word.form, wanted);
    return /^\p{Lu}/u.test(this.text.slice(word.start)) && matchesWord(word.form, wanted.toLowerCase());
  }

  /** Returns the number of words of the longest phrase of a list that begins at a word; 0 if none does. */
  longestAt(at: number, list: PhraseList): number {
    const fitting = list
      .beginningLike(this.words[at]?.form ?? "")
      .filter((phrase) => phrase.every((word, k) => this.fits(at + k, word)));
    return Math.max(0, ...fitting.map(({ length }) => length));
  }

  /** Returns the first word of a phrase that ends with this word; undefined if none does. */
  startOf(to: number, list: PhraseList): number | undefined {
    const starts = Array.from({ length: Math.min(list.longest, to + 1) }, (_, back) => to - back);
    return starts.find((from) => this.longestAt(from, list) === to - from + 1);
  }

  /** Returns where phrases of a list occur, in text order. */
  all = (list: PhraseList): Span[] =>
    this.words.flatMap((_, from) => {
      const length = this.longestAt(from, list);
      return length === 0 ? [] : [{ from, to: from + length - 1 }];
    });

  is = (at: number, list: PhraseList): boolean => this.longestAt(at, list) > 0;

  /** Returns whether a sentence, or a part of one, ends between this word and the next. */
  endsAt(at: number): boolean {
    const [word, next] = [this.words[at], this.words[at + 1]];
    return !word || !next || /[.,;:!?()]/.test(this.text.slice(word.end, next.start));
  }

  isStop = (at: number): boolean =>
    searchLanguages.some((language) => isStopWord(this.words[at]?.form ?? "", language));

  /** Returns whether a sign after the word shows that it is not an age. */
  isAmount = (at: number): boolean => /^\s?[%€$£°]/.test(this.text.slice(this.words[at]?.end ?? 0));

  excerpt = ({ from, to }: Span): string => this.text.slice(this.words[from]?.start, this.words[to]?.end);
}

/** The lists as they are searched, built for the first goal. */
const lists = once(() => {
  const { kinds, restricting, about, joining, units, years } = list as RedFlagList;
  const listOf = (phrases: readonly string[] = []): PhraseList => new PhraseList(phrases);
  const { before, behind, seeking, applicants, articles, copulas, negations } = restricting;
  return {
    ...{
      about: listOf(about),
      aboutJoining: listOf(joining),
      counted: listOf([...units, ...about]),
      years: listOf(years),
    },
    ...{ before: listOf(before), behind: listOf(behind), seeking: listOf(seeking), negations: listOf(negations) },
    ...{ fillers: [listOf(applicants), listOf(copulas)], passed: listOf([...articles, ...copulas]) },
    joining: listOf(restricting.joining),
    groups: listOf(Object.values(kinds).flatMap(({ groups = [] }) => groups)),
    kinds: Object.entries(kinds).map(([key, { any, groups, ...kind }]) => ({
      ...{ key, ...kind, any: listOf(any), groups: listOf(groups) },
    })),
  };
});

/** Returns whether a condition is about clients or a term, or its number is not an age. */
function isOfOthers(goal: Goal, { from, to }: Span): boolean {
  const { about, aboutJoining, counted, years } = lists();
  for (let at = from - 1; at >= from - aboutWithin && !goal.endsAt(at); at--) {
    if (goal.is(at, about)) return true;
    if (!goal.is(at, aboutJoining)) break;
  }
  let next = to + 1;
  while (!goal.endsAt(next - 1) && goal.is(next, years)) next++;
  return goal.isAmount(to) || (!goal.endsAt(next - 1) && goal.is(next, counted));
}

/** Returns the first word of the list of groups that contains this one: `Muslims` of "Muslims or Jews". */
function listFrom(goal: Goal, at: number): number {
  const known = goal.listsFrom.get(at);
  if (known !== undefined) return known;
  const isJoined = goal.is(at - 1, lists().joining) && goal.is(at - 2, lists().groups);
  const first = isJoined ? listFrom(goal, at - 2) : at;
  goal.listsFrom.set(at, first);
  return first;
}

/** Returns a group with the word before it that makes it a condition; alone if other words are between. */
function restrictedBefore(goal: Goal, group: Span): Span | undefined {
  const { before, negations, passed } = lists();
  const first = listFrom(goal, group.from);
  const begin = (to: number): number | undefined => (goal.endsAt(to) ? undefined : goal.startOf(to, before));
  const direct = begin(first - 1);
  const isPassed = !goal.endsAt(first - 1) && (!goal.isStop(first - 1) || goal.is(first - 1, passed));
  const from = direct ?? (isPassed ? begin(first - 2) : undefined);
  if (from === undefined || goal.is(from - 1, negations)) return undefined;
  return direct !== undefined && first === group.from ? { ...group, from } : group;
}

/** Returns a group with the words after it that make it a condition. */
function restrictedBehind(goal: Goal, group: Span): Span | undefined {
  if (goal.endsAt(group.to)) return undefined;
  const { behind, fillers } = lists();
  const next = fillers.reduce((at, list) => (goal.is(at, list) ? at + 1 : at), group.to + 1);
  const length = goal.longestAt(next, behind);
  return length === 0 ? undefined : { from: group.from, to: next + length - 1 };
}

/** Returns a group that is sought. The words between are the caller's own and are not kept. */
function sought(goal: Goal, group: Span): Span | undefined {
  const { passed, seeking } = lists();
  for (let at = group.from - 1; at >= group.from - 1 - soughtWithin && !goal.endsAt(at); at--) {
    if (goal.startOf(at, seeking) !== undefined) return group;
    if (goal.isStop(at) && !goal.is(at, passed)) return undefined;
  }
  return undefined;
}

/** Returns the groups of people that are a condition; if balanced, without those next to which another is named. */
function conditionsIn(goal: Goal, groups: PhraseList, isBalanced: boolean): Span[] {
  const isBeside = ({ from, to }: Span): boolean =>
    [from - 1, to + 1].some((at) => goal.is(at, groups)) ||
    (goal.is(from - 1, lists().joining) && goal.is(from - 2, groups)) ||
    (goal.is(to + 1, lists().joining) && goal.is(to + 2, groups));
  return goal.all(groups).flatMap((group) => {
    if (isBalanced && isBeside(group)) return [];
    return restrictedBefore(goal, group) ?? restrictedBehind(goal, group) ?? sought(goal, group) ?? [];
  });
}

/** Returns what a goal must not ask for: one excerpt per kind, with only the list's words as the goal writes them. */
export function redFlagsIn(text: string, words: readonly Word[]): RoleSummary["red_flags"] {
  const goal = new Goal(text, words);
  return lists().kinds.flatMap(({ key, any, groups, of_applicants = false, balanced = false }) => {
    const found = [...goal.all(any), ...conditionsIn(goal, groups, balanced)];
    const meant = found.find((span) => !of_applicants || !isOfOthers(goal, span));
    return meant ? [{ kind: key, excerpt: goal.excerpt(meant) }] : [];
  });
}

/** Returns the kinds of warnings, in output order. */
export const redFlagKinds = (): string[] => lists().kinds.map(({ key }) => key);
