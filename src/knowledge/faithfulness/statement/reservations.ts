import { isCopula, markOf } from "../../language/statement-words.ts";
import { contradictedElsewhere } from "./beside.ts";
import { amountOf, type Conflict, conflict, isEqualAmount, words } from "./conflict.ts";
import { exchanges } from "./exchanges.ts";
import type { ProvenPart } from "./joined.ts";
import { lists } from "./lists.ts";
import { dropped, type Loss, type Proven } from "./loss.ts";
import { isContent, isGeneral, isSame } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { containsPart, isConjunction, isCutBefore } from "./restrictions.ts";

/**
 * What a claim drops from the sentence that states it. None of it makes the claim certainly wrong, so none is a
 * conflict; but an answer that drops `may`, `half of` or `caused by hail` cannot be OK.
 */

/** Maximum number of parts. In the longer sentences of news, a word is one detail of many. */
const mostParts = 24;
/** Minimum number of parts in a claim: a name or an amount alone cannot have lost anything. */
const fewestParts = 4;
/**
 * Maximum number of parts. A longer sentence is a list, and each of its words would be compared with each of another.
 */
const longest = 200;

/** Returns the nearest content words before and after an index. */
const beside = (parts: readonly Part[], at: number): readonly (Part | undefined)[] => [
  parts.slice(0, at).findLast(isContent),
  parts.slice(at + 1).find(isContent),
];

/** Returns the words of a sentence directly before a content word that the claim has kept. */
const leading = (claim: Statement, { parts }: Statement, isLead: (part: Part) => boolean): Part[] =>
  parts.filter((part, at) => {
    const [, after] = beside(parts, at);
    return part.span === null && isLead(part) && after !== undefined && containsPart(claim.parts, after);
  });

const isMust = ({ concept }: Part): boolean => concept === "must";
const isMay = ({ concept, sign }: Part): boolean => concept === "may" && sign > 0;
/** Hungarian expresses `may` with a suffix: `csökkentheti`, `rendelhet`. */
const hungarianMay = /(?:hat|het)(?:ja|i|nak|nek|jak|ik|unk|o|ok|ek)?$/;
const shortestMay = 6;
const isEndedMay = ({ form, role }: Part, language: string): boolean =>
  language === "hu" &&
  form.length >= shortestMay &&
  (role === "plain" || role === "predicate") &&
  hungarianMay.test(form);

/** `The insurer may reduce` is not `the insurer reduces`. */
const permissions: Loss = ({ claim, answer }, said) => {
  const ended = said.parts.filter((part) => isEndedMay(part, said.language) && containsPart(claim.parts, part));
  const isKept = answer.parts.some((part) => isMay(part) || isMust(part) || isEndedMay(part, answer.language));
  return isKept ? null : dropped(said, [...leading(claim, said, isMay), ...ended]);
};

/** `Entitled to stay` is not `obliged to stay`. A duty that the sentence names too is not added by the claim. */
const duties: Loss = ({ claim }, said) => {
  const isHeld = (part: Part) => said.parts.some((other) => isMust(other) && other.key === part.key);
  const duty = claim.parts.filter((part) => isMust(part) && !isCopula(part.form, claim.language) && !isHeld(part));
  const allowed = said.parts.filter((part) => isMay(part) || isEndedMay(part, said.language));
  const isAllowed = claim.parts.some((part) => isMay(part) || isEndedMay(part, claim.language));
  return duty.length > 0 && allowed.length > 0 && !isAllowed
    ? conflict("too_broad", words(claim, duty), words(said, allowed))
    : null;
};

const isCause = ({ form }: Part): boolean => markOf("cause", form) !== undefined;

/** `The rate rose because he gave up the card`, if the sentence gives no cause. */
const causes: Loss = ({ claim }, said) => {
  const told = claim.parts.filter(isCause);
  return told.length > 0 && !said.parts.some(isCause) ? conflict("too_broad", words(claim, told)) : null;
};

/** `Up to 30 euros` is not `30 euros`, unless the claim says that this is the limit. */
const bounds: Loss = ({ claim, answer }, said) => {
  if (answer.parts.some(({ concept, quantity }) => concept === "limit" || quantity?.bound != null)) return null;
  const isMoney = (part: Part) => /^[a-z]{3}$/.test(amountOf(part) ?? "") && part.quantity?.measure !== "day";
  const bounded = said.parts.filter((part) => part.quantity?.bound === "max" && isMoney(part));
  return dropped(
    said,
    bounded.filter((part) => claim.parts.some((one) => isEqualAmount(one, part))),
  );
};

const isShare = ({ form }: Part): boolean => markOf("share", form) !== undefined;

/** `Half of the premium is refunded` is not `the premium is refunded`. */
const shares: Loss = ({ claim, answer }, said) => {
  const isKept = answer.parts.some((part) => isShare(part) || part.quantity?.measure === "%");
  return isKept ? null : dropped(said, leading(claim, said, isShare));
};

const isJoint = (mark: "and" | "or", { form }: Part): boolean => markOf(mark, form) !== undefined;

/** `A receipt or a statement` if the sentence asks for both, or the reverse. */
const swappedConjunctions: Loss = ({ claim }, said) => {
  for (const [at, part] of claim.parts.entries()) {
    const mark = isJoint("or", part) ? "or" : isJoint("and", part) ? "and" : null;
    if (mark === null) continue;
    const [before, after] = beside(claim.parts, at);
    const held = said.parts.find((joint, place) => {
      if (!isJoint(mark === "or" ? "and" : "or", joint)) return false;
      const [first, second] = beside(said.parts, place);
      return before && after && first && second && isSame(before, first) && isSame(after, second);
    });
    if (held) return conflict("too_broad", words(claim, [part]), words(said, [held]));
  }
  return null;
};

const conditionsOf = ({ marks }: Statement): string[] => [...(marks.condition ?? []), ...(marks.exception ?? [])];
const isUnless = (phrase: string): boolean => markOf("unless", phrase.replaceAll(" ", "-")) !== undefined;

/** `Free unless the balance falls` is not `free if the balance falls`. */
const invertedConditions: Loss = ({ claim, answer }, said) => {
  // `Covered except when left open` is `not covered if left open`.
  const isDenied = claim.parts.some(({ sign }) => sign < 0);
  const isExcepted = said.marks.exception !== undefined && answer.marks.condition !== undefined && !isDenied;
  const isTurned = isExcepted || conditionsOf(said).some(isUnless) !== conditionsOf(answer).some(isUnless);
  return isTurned && answer.marks.exception === undefined && conditionsOf(said).length > 0
    ? conflict("negation_differs", conditionsOf(answer), conditionsOf(said))
    : null;
};

/** Conjunctions of clauses that report what someone says or wants, which are no statements of their own. */
const reporting = /^(?:that|ze|dass|hogy)$/;
const relative = /^(?:who|which|whose)$/;

/**
 * Returns the clause of a sentence that has most of a claim's words; cuts, conjunctions and relative pronouns delimit
 * clauses.
 */
function closestClause(claim: Statement, said: Statement): readonly Part[] {
  const clauses: Part[][] = [[]];
  for (const [at, part] of said.parts.entries()) {
    const isCut = isCutBefore(said, at) || isJoint("or", part) || relative.test(part.form);
    if (at > 0 && isCut && !reporting.test(part.form)) clauses.push([]);
    clauses.at(-1)?.push(part);
  }
  const kept = clauses.map(
    (clause) => clause.filter((part) => isContent(part) && containsPart(claim.parts, part)).length,
  );
  return clauses[kept.indexOf(Math.max(...kept))] ?? [];
}

/** Checks for words of periods and those that lead to them, which have separate rules. */
const isPeriod = ({ form }: Part): boolean =>
  (["time", "each", "per", "way"] as const).some((wanted) => markOf(wanted, form) !== undefined);
const isDetail = (part: Part): boolean =>
  (part.role === "plain" || part.role === "thing") &&
  part.span === null &&
  isContent(part) &&
  !isGeneral(part) &&
  !isPeriod(part);

/** Returns the details in `parts` that neither an answer nor its question has. */
const lostOf = (parts: readonly Part[], { answer, question }: Pick<Proven, "answer" | "question">): Part[] =>
  parts.filter((part) => isDetail(part) && !containsPart(answer.parts, part) && !containsPart(question.parts, part));

/** `Damage caused by hail is covered` is not `damage is covered`, and `he claims that it was repaired` not `it was repaired`. */
const details: Loss = ({ claim, answer, question }, said) => {
  if (said.parts.length > mostParts) return null;
  const clause = closestClause(claim, said);
  // `Travel insurance`, `the insured bicycle`: the title says which contract.
  const isOfContract = (part: Part) => clause[clause.indexOf(part) + 1]?.role === "optional";
  const lost = lostOf(clause, { answer, question }).filter((part) => !isOfContract(part));
  // `The waiting period is three months`, for the sentence's `lasts`.
  const isVerb = lost.length === 1 && hasCopula(claim.parts, claim.language) && !hasCopula(clause, said.language);
  return isVerb ? null : dropped(said, lost);
};

const hasCopula = (parts: readonly Part[], language: string): boolean =>
  parts.some(({ form }) => isCopula(form, language));

const isAttributed = ({ form, span }: Part): boolean => span === null && markOf("attribution", form) !== undefined;

/** `According to the claim form, he worked 112 hours` is not `he worked 112 hours`. */
const attributions: Loss = ({ answer }, said) =>
  answer.parts.some(isAttributed) ? null : dropped(said, said.parts.filter(isAttributed));

/** Returns the opening words of a sentence, up to its first verb or the word before its first amount: its topic. */
function opening({ parts, language }: Statement): readonly Part[] {
  const end = parts.findIndex(
    (part, at) => part.role === "predicate" || amountOf(part) !== null || (at > 0 && isCopula(part.form, language)),
  );
  const isAmount = end > 0 && parts[end]?.role !== "predicate" && amountOf(parts[end] as Part) !== null;
  return parts.slice(0, end < 0 ? parts.length : isAmount ? end - 1 : end);
}

/** In `The Plus account costs 9 euros and includes travel`, the second clause is about the Plus account too. */
const subjects: Loss = ({ claim, answer, question }, said) => {
  const [first, ...rest] = closestClause(claim, said);
  const isLed = first !== undefined && first !== said.parts[0] && isConjunction(first, said.language);
  const isOfSame = isLed && rest.find(isContent)?.role === "predicate";
  const isNamed = claim.parts.some((part) => part.span === null && isContent(part) && part.role !== "predicate");
  if (isNamed && !isOfSame) return null;
  return dropped(said, lostOf(opening(said), { answer, question }));
};

/** In order of application. */
const losses: readonly Loss[] = [
  permissions,
  duties,
  causes,
  bounds,
  shares,
  swappedConjunctions,
  invertedConditions,
  attributions,
  exchanges,
  lists,
  subjects,
  details,
];

function lossOf(proven: Proven, said: Statement): Conflict | null {
  const { length } = proven.claim.parts;
  if (length < fewestParts || Math.max(length, said.parts.length) > longest) return null;
  for (const loss of losses) {
    const found = loss(proven, said);
    if (found !== null) return found;
  }
  return null;
}

/** Maximum number of equal sentences examined. */
const mostSaying = 8;

/**
 * Returns why a claim cannot be OK although these sentences state it; null if nothing is lost of one of them and no
 * other sentence contradicts it. A quotation loses nothing. Used by `judgeStatement`.
 */
export function reservationOn(proven: Proven, saying: readonly Statement[], isQuoted: boolean): Conflict | null {
  let first: Conflict | null = null;
  for (const said of saying.slice(0, mostSaying)) {
    const found = (isQuoted ? null : lossOf(proven, said)) ?? contradictedElsewhere(proven.claim, said, proven);
    if (found === null) return null;
    first ??= found;
  }
  return first;
}

/**
 * Returns why a claim whose parts several sentences state cannot be OK; null if each part can, and all are about the
 * claim's subject: the holder of the first pass does not get what the second one includes.
 */
export function reservationOnParts(proven: Proven, parts: readonly ProvenPart[]): Conflict | null {
  const told = proven.claim.parts.filter(isCause);
  if (told.length > 0) return conflict("too_broad", words(proven.claim, told));
  for (const { part, saying } of parts) {
    const found = reservationOn({ ...proven, claim: part }, saying, false);
    if (found !== null) return found;
    const lost = saying.map((said) => dropped(said, lostOf(opening(said), { ...proven, answer: proven.claim })));
    if (lost.every((one) => one !== null)) return lost[0] ?? null;
  }
  return null;
}
