import { markOf } from "../../language/statement-words.ts";
import { askedWordsOf } from "./asked.ts";
import { amountOf, type Conflict, conflict, isEqualAmount, words } from "./conflict.ts";
import { articleAt } from "./exchanges.ts";
import type { Proven } from "./loss.ts";
import { isContent, type Sentence } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { containsPart } from "./restrictions.ts";
import { indexKeyOf, isTitle } from "./sentences.ts";

/**
 * Short answers. `Within six months.` says nothing without its question, so the passage that holds it must also be the one
 * that the question is about.
 */

/**
 * Maximum number of content words in a short answer, and of those that its question has too. More would show what the
 * answer is about.
 */
const longestAnswer = 4;
const mostShared = 1;
/** A sentence with this many times the answer's parts says more than the answer, which is a fragment of it. */
const fewestTimes = 2;
/** Maximum number of the question's words that are searched for. */
const mostAsked = 12;

/**
 * Splits a sentence into its items, which semicolons separate: `moving for business 2 days; moving in private 1 day`.
 */
function itemsOf({ parts, text }: Statement): Part[][] {
  const items: Part[][] = [[]];
  let end = 0;
  for (const part of parts) {
    if (text.slice(end, part.start).includes(";")) items.push([]);
    items.at(-1)?.push(part);
    end = part.end;
  }
  return items;
}

const isOwn = (part: Part): boolean => isContent(part) || amountOf(part) !== null;
const isWho = ({ form }: Part): boolean => markOf("who", form) !== undefined;
/** Languages whose nouns or articles show the agent by their case. */
const inflected = /^(?:cs|sk|pl|hu|de)$/;

const asksWho = ({ claim, question }: Proven): boolean => inflected.test(claim.language) && question.parts.some(isWho);

/** Checks whether an answer is a fragment of each sentence that states it, and leaves its subject to the question. */
function isFragment({ claim, answer, question }: Proven, saying: readonly Statement[]): boolean {
  const said = answer.parts.filter(isContent);
  const shared = said.filter((part) => containsPart(question.parts, part)).length;
  if (said.length > longestAnswer || shared > mostShared) return false;
  const size = claim.parts.filter(isOwn).length;
  return saying.every(({ parts }) => parts.filter(isOwn).length >= fewestTimes * size);
}

/** Returns a check of whether a passage of a sentence holds a short answer: each of its words, amounts and dates. */
function holderOf(proven: Proven): (passage: readonly Part[], sentence: Statement) => boolean {
  const { claim } = proven;
  // `Prodávající` is who pays; `prodávajícímu` is who is paid.
  const isExact = asksWho(proven);
  const articleOf = (statement: Statement, part: Part) => articleAt(statement, statement.parts.indexOf(part));
  const isHeld = (part: Part, passage: readonly Part[], sentence: Statement) => {
    if (amountOf(part) !== null) return passage.some((other) => isEqualAmount(part, other));
    if (!isExact) return containsPart(passage, part);
    const article = articleOf(claim, part);
    return passage.some(
      (other) => other.form === part.form && (article === "" || articleOf(sentence, other) === article),
    );
  };
  const wanted = claim.parts.filter(isOwn);
  return (passage, sentence) => wanted.every((part) => isHeld(part, passage, sentence));
}

/**
 * Returns the sentences with a word of the question; for an amount alone, only those that state it, since these words
 * selected them.
 */
function rivalsOf({ claim, all }: Proven, saying: readonly Statement[], asked: readonly Part[]): Sentence[] {
  const places = new Set(asked.flatMap((part) => [...(all.byWord.get(indexKeyOf(part)) ?? [])]));
  const isOpen = claim.parts.some(isContent);
  return [...places]
    .flatMap((at) => all.sentences[at] ?? [])
    .filter(({ statement }) => (isOpen ? !isTitle(statement) : saying.includes(statement)));
}

/**
 * Returns why a short answer cannot be OK: a passage without it has more of the question's words than those that hold
 * it. Null for any other answer.
 */
export function answeredElsewhere(proven: Proven, saying: readonly Statement[]): Conflict | null {
  const { claim, question } = proven;
  const isOfKind = claim.parts.some((part) => amountOf(part) !== null) || asksWho(proven);
  if (!isOfKind || !isFragment(proven, saying)) return null;
  const asked = askedWordsOf(question).slice(0, mostAsked);
  const holds = holderOf(proven);
  let best = 0;
  let held = 0;
  let closest: readonly Part[] = [];
  let text = "";
  for (const { statement, heading } of rivalsOf(proven, saying, asked))
    for (const item of itemsOf(statement)) {
      const context = [...item, ...(heading?.parts ?? [])];
      const count = asked.filter((part) => containsPart(context, part)).length;
      if (holds(item, statement)) held = Math.max(held, count);
      else if (count > best) {
        best = count;
        closest = item;
        text = statement.text;
      }
    }
  const [first, last] = [closest[0], closest.at(-1)];
  return best > held
    ? conflict("case_differs", words(claim, claim.parts), [text.slice(first?.start, last?.end)])
    : null;
}
