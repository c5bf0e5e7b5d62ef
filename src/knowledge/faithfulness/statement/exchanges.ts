import { markOf } from "../../language/statement-words.ts";
import { type Conflict, conflict, words } from "./conflict.ts";
import type { Loss } from "./loss.ts";
import { isContent, isSame } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { containsPart } from "./restrictions.ts";

/** Exchanged participants: `the buyer pays the seller` is not `the seller pays the buyer`. */

const isNoun = (part: Part): boolean => isContent(part) && part.role !== "predicate";

const articles = new Set(["der", "die", "das", "den", "dem", "des"]);
/**
 * Returns the definite article before a part; empty without one. It shows the case in German, where nouns hardly
 * inflect.
 */
export const articleAt = ({ parts }: Statement, at: number): string => {
  const before = parts[at - 1]?.form ?? "";
  return articles.has(before) ? before : "";
};

/** Returns the endings of two forms of one word after their common prefix. Hungarian vowel harmony is evened out. */
function endings(one: string, other: string, language: string): readonly [string, string] {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common += 1;
  const ends = [one.slice(common), other.slice(common)].map((end) =>
    language === "hu" ? end.replace(/[eo]/g, "a") : end,
  );
  return [ends[0] ?? "", ends[1] ?? ""];
}

/** A noun that a claim and its sentence both have, in different cases: the part in either, and its endings. */
interface CaseChange {
  readonly part: Part;
  readonly held: Part;
  readonly ends: readonly [string, string];
}

function caseChangesIn(claim: Statement, said: Statement): CaseChange[] {
  return claim.parts.flatMap((part, at) => {
    if (!isContent(part)) return [];
    const place = said.parts.findIndex((other) => isContent(other) && isSame(part, other));
    const held = said.parts[place];
    if (held === undefined || held.role === "predicate") return [];
    const isGerman = claim.language === "de" && said.language === "de";
    const ends = isGerman
      ? ([articleAt(claim, at), articleAt(said, place)] as const)
      : endings(part.form, held.form, claim.language);
    const isElsewhere = said.parts.some(({ form }) => form === part.form);
    return ends[0] === ends[1] || (!isGerman && isElsewhere) ? [] : [{ part, held, ends }];
  });
}

const between = ({ parts }: Statement, one: Part, other: Part): Part[] =>
  parts.filter(({ start }) => start > Math.min(one.start, other.start) && start < Math.max(one.start, other.start));

/**
 * Checks whether two nouns have exchanged their endings, or both changed them and are in reverse order around the same
 * verb, or with no other word between them: `the employee to the employer`.
 */
function isExchanged(one: CaseChange, other: CaseChange, claim: Statement, said: Statement): boolean {
  if (one.held === other.held) return false;
  if (one.ends[0] === other.ends[1] && one.ends[1] === other.ends[0]) return true;
  const isTurnedRound = one.part.start < other.part.start !== one.held.start < other.held.start;
  if (!isTurnedRound || claim.language === "de" || claim.language === "en") return false;
  const held = between(said, one.held, other.held).filter(isContent);
  const own = between(claim, one.part, other.part).filter(isContent);
  // `Zaplatené poistné` is one thing, whose words share an ending.
  if (own.length === 0) return held.length > 0 && one.ends[0] !== other.ends[0];
  return own.some((part) => held.some(({ form }) => form === part.form));
}

/**
 * Two nouns with the verb between them, or its object after `to`, and whether the second noun is the agent of a
 * passive.
 */
interface Action {
  readonly first: Part;
  readonly verb: Part;
  readonly second: Part;
  readonly isTo: boolean;
  readonly isPassive: boolean;
}

const byWords = /^(?:by|von|vom|durch)$/;
/** Checks for articles that leave open who acts on whom. */
const isOpen = (statement: Statement, part: Part): boolean =>
  statement.language === "en" || /^(?:die|das)$/.test(articleAt(statement, statement.parts.indexOf(part)));

/** `Report damage to the landlord` */
function recipientIn({ parts, language }: Statement, verb: Part): Part | undefined {
  const to = language === "en" ? parts.findIndex(({ form, start }) => form === "to" && start > verb.start) : -1;
  return to < 0 ? undefined : parts.slice(to + 1).find(isContent);
}

function actionsIn(statement: Statement): Action[] {
  const { parts, language } = statement;
  if (language !== "en" && language !== "de") return [];
  const content = parts.filter((part) => isContent(part) && part.span === null);
  return content.flatMap((verb, at) => {
    const first = content[at - 1];
    if (!first || !isNoun(first) || !isOpen(statement, first)) return [];
    return [content[at + 1], recipientIn(statement, verb)].flatMap((second, i): Action[] => {
      if (!second || !isNoun(second) || !isOpen(statement, second)) return [];
      const isPassive = between(statement, verb, second).some(({ form }) => byWords.test(form));
      return [{ first, verb, second, isTo: i > 0, isPassive }];
    });
  });
}

function reversedAction(claim: Statement, said: Statement): Conflict | null {
  const held = actionsIn(said);
  for (const { first, verb, second, isTo, isPassive } of actionsIn(claim)) {
    const other = held.find((one) => {
      if (isTo !== one.isTo || !isSame(verb, one.verb)) return false;
      const isReversed = isSame(first, one.second) && isSame(second, one.first);
      const isAlike = isSame(first, one.first) && isSame(second, one.second);
      return isPassive === one.isPassive ? isReversed && !isAlike : isAlike && !isReversed;
    });
    if (other)
      return conflict("actor_differs", words(claim, [first, second]), words(said, [other.first, other.second]));
  }
  return null;
}

/** Returns the nouns before and after a statement's word of comparison: `A is cheaper than B`. */
function compared({ parts }: Statement): readonly [readonly Part[], readonly Part[]] | null {
  const at = parts.findIndex(({ form }) => markOf("comparison", form) !== undefined);
  const isOwn = (part: Part) => isNoun(part) && part.span === null;
  return at > 0 ? [parts.slice(0, at).filter(isOwn), parts.slice(at + 1).filter(isOwn)] : null;
}

function reversedComparison(claim: Statement, said: Statement): Conflict | null {
  const [mine, held] = [compared(claim), compared(said)];
  if (mine === null || held === null) return null;
  const moved = mine[1].filter((part) => containsPart(held[0], part) && !containsPart(held[1], part));
  const others = held[1].filter((part) => containsPart(mine[0], part) && !containsPart(mine[1], part));
  return moved.length > 0 && others.length > 0
    ? conflict("actor_differs", words(claim, moved), words(said, others))
    : null;
}

const speakersIn = ({ parts }: Statement): Set<string> =>
  new Set(parts.flatMap(({ form }) => markOf("speaker", form) ?? []));

/** Verb endings of the first and second person plural: `we` and `you`. */
const personEndings: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  cs: [/me$/, /te$/],
  sk: [/me$/, /te$/],
  pl: [/my$/, /cie$/],
};

/** `We bear the costs`, if the sentence says `you bear`. */
function reversedSpeaker(claim: Statement, said: Statement): Conflict | null {
  const [mine, held] = [speakersIn(claim), speakersIn(said)];
  const [one] = mine;
  if (one !== undefined && mine.size === 1 && held.size === 1 && !held.has(one))
    return conflict("actor_differs", [one], [...held]);
  const [first, second] = personEndings[claim.language] ?? [];
  if (first === undefined || second === undefined || claim.language !== said.language) return null;
  for (const part of claim.parts.filter(isContent)) {
    const other = said.parts.find((partner) => isContent(partner) && isSame(part, partner));
    const isTurned = (from: RegExp, to: RegExp) =>
      from.test(part.form) && to.test(other?.form ?? "") && part.form.replace(from, "") === other?.form.replace(to, "");
    if (other && (isTurned(first, second) || isTurned(second, first)))
      return conflict("actor_differs", words(claim, [part]), words(said, [other]));
  }
  return null;
}

/** Who acts on whom: by the endings of two nouns, by their articles, or by the word order. */
export const exchanges: Loss = ({ claim }, said) => {
  const turned = caseChangesIn(claim, said);
  for (const one of turned)
    for (const other of turned)
      if (isExchanged(one, other, claim, said))
        return conflict("actor_differs", words(claim, [one.part, other.part]), words(said, [one.held, other.held]));
  return reversedAction(claim, said) ?? reversedComparison(claim, said) ?? reversedSpeaker(claim, said);
};
