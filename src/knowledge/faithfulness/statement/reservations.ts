import { isCopula, markOf } from "../../language/statement-words.ts";
import { takenBack } from "./beside.ts";
import { type Conflict, conflict, words } from "./conflict.ts";
import { isContent, isGeneral, isSame } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { has, isCutBefore } from "./restrictions.ts";
import type { Statements } from "./sentences.ts";

/**
 * What a claim loses of the sentence that says it. None of it makes the claim wrong for certain, so none is a conflict; but
 * an answer that lost `may`, `half of` or `caused by hail` on the way is none to be promised.
 */

/** A claim that is proven, and what it is held against. */
interface Proven {
  readonly claim: Statement;
  /** The whole answer, which may keep what the claim leaves out, as the question may. */
  readonly answer: Statement;
  readonly question: Statement;
  readonly all: Statements;
}

/** What a claim lost of a sentence that says it; null where it lost nothing of the kind. */
type Loss = (proven: Proven, said: Statement) => Conflict | null;

/** In the long sentences of news a word is one detail of many. */
const mostParts = 24;
/** A name or an amount alone is no sentence that could have lost something. */
const fewestParts = 4;
/** Beyond so many words a sentence is a list, and each word of it would be compared with each of another. */
const longest = 200;

const dropped = (said: Statement, parts: readonly Part[]): Conflict | null =>
  parts.length > 0 ? conflict("qualifier_dropped", [], words(said, parts)) : null;

/** The first words of their own before and behind a place. */
const beside = (parts: readonly Part[], at: number): readonly (Part | undefined)[] => [
  parts.slice(0, at).findLast(isContent),
  parts.slice(at + 1).find(isContent),
];

/** The words of a sentence that lead a word which the claim has kept. */
const leading = (claim: Statement, { parts }: Statement, isLead: (part: Part) => boolean): Part[] =>
  parts.filter((part, at) => {
    const [, after] = beside(parts, at);
    return part.span === null && isLead(part) && after !== undefined && has(claim.parts, after);
  });

const isMay = ({ concept, sign }: Part): boolean => concept === "may" && sign > 0;
/** Hungarian says with an ending that something may be done: `csökkentheti`, `rendelhet`. */
const hungarianMay = /(?:hat|het)(?:ja|i|nak|nek|jak|ik|unk|o|ok|ek)?$/;
const shortestMay = 6;
const isEndedMay = ({ form, role }: Part, language: string): boolean =>
  language === "hu" &&
  form.length >= shortestMay &&
  (role === "plain" || role === "predicate") &&
  hungarianMay.test(form);

/** `The insurer may reduce` is not `the insurer reduces`. */
const permissions: Loss = ({ claim, answer }, said) => {
  const ended = said.parts.filter((part) => isEndedMay(part, said.language) && has(claim.parts, part));
  const isKept = answer.parts.some(
    (part) => isMay(part) || part.concept === "must" || isEndedMay(part, answer.language),
  );
  return isKept ? null : dropped(said, [...leading(claim, said, isMay), ...ended]);
};

const isShare = ({ form }: Part): boolean => markOf("share", form) !== undefined;

/** `Half of the premium is refunded` is not `the premium is refunded`. */
const shares: Loss = ({ claim, answer }, said) => {
  const isKept = answer.parts.some((part) => isShare(part) || part.quantity?.measure === "%");
  return isKept ? null : dropped(said, leading(claim, said, isShare));
};

const isJoint = (mark: "and" | "or", { form }: Part): boolean => markOf(mark, form) !== undefined;

/** `A receipt or a statement` where the sentence asks for both, or the other way round. */
const joints: Loss = ({ claim }, said) => {
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
const turns: Loss = ({ answer }, said) => {
  const isTurned = conditionsOf(said).some(isUnless) !== conditionsOf(answer).some(isUnless);
  return isTurned && answer.marks.exception === undefined && conditionsOf(said).length > 0
    ? conflict("negation_differs", conditionsOf(answer), conditionsOf(said))
    : null;
};

/** What begins a clause that tells what somebody says or wants: it is no statement of its own. */
const reporting = /^(?:that|ze|dass|hogy)$/;
const relative = /^(?:who|which|whose)$/;

/** The clause of a sentence that has most of a claim's words: between cuts, conjunctions and relative pronouns. */
function closestClause(claim: Statement, said: Statement): readonly Part[] {
  const clauses: Part[][] = [[]];
  for (const [at, part] of said.parts.entries()) {
    const isCut = isCutBefore(said, at) || isJoint("or", part) || relative.test(part.form);
    if (at > 0 && isCut && !reporting.test(part.form)) clauses.push([]);
    clauses.at(-1)?.push(part);
  }
  const kept = clauses.map((clause) => clause.filter((part) => isContent(part) && has(claim.parts, part)).length);
  return clauses[kept.indexOf(Math.max(...kept))] ?? [];
}

/** Periods have rules of their own, and what leads to them. */
const isPeriod = ({ form }: Part): boolean =>
  (["time", "each", "per", "way"] as const).some((wanted) => markOf(wanted, form) !== undefined);
const isDetail = (part: Part): boolean =>
  (part.role === "plain" || part.role === "thing") &&
  part.span === null &&
  isContent(part) &&
  !isGeneral(part) &&
  !isPeriod(part);

/** `Damage caused by hail is covered` is not `damage is covered`, and `he claims that it was repaired` not `it was repaired`. */
const details: Loss = ({ claim, answer, question }, said) => {
  if (said.parts.length > mostParts) return null;
  const isKept = (part: Part) => has(answer.parts, part) || has(question.parts, part);
  const clause = closestClause(claim, said);
  // `Travel insurance`, `the insured bicycle`: of which contract, its title says.
  const isOfContract = (at: number) => clause[at + 1]?.role === "optional";
  const lost = clause.filter((part, at) => isDetail(part) && !isKept(part) && !isOfContract(at));
  // `The waiting period is three months`, where the sentence has `lasts`.
  const isVerb = lost.length === 1 && hasCopula(claim.parts, claim.language) && !hasCopula(clause, said.language);
  return isVerb ? null : dropped(said, lost);
};

const hasCopula = (parts: readonly Part[], language: string): boolean =>
  parts.some(({ form }) => isCopula(form, language));

const isAttributed = ({ form, span }: Part): boolean => span === null && markOf("attribution", form) !== undefined;

/** `According to the claim form, he worked 112 hours` is not `he worked 112 hours`. */
const attributions: Loss = ({ answer }, said) =>
  answer.parts.some(isAttributed) ? null : dropped(said, said.parts.filter(isAttributed));

/** How two forms of one word end, behind what they have in common. */
function endings(one: string, other: string): readonly [string, string] {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common += 1;
  return [one.slice(common), other.slice(common)];
}

/** `Dodavatel zaplatí odběrateli` is not `odběratel zaplatí dodavateli`: two words have exchanged their endings. */
const exchanges: Loss = ({ claim }, said) => {
  const isChanged = (part: Part) => isContent(part) && !said.parts.some(({ form }) => form === part.form);
  const changed = claim.parts.filter(isChanged).flatMap((part) => {
    const held = said.parts.find((other) => isContent(other) && isSame(part, other));
    return held && held.role !== "predicate" ? [{ part, held, ends: endings(part.form, held.form) }] : [];
  });
  for (const one of changed)
    for (const other of changed)
      if (one.held !== other.held && one.ends[0] === other.ends[1] && one.ends[1] === other.ends[0])
        return conflict("actor_differs", words(claim, [one.part, other.part]), words(said, [one.held, other.held]));
  return null;
};

/** In the order in which they are applied. */
const losses: readonly Loss[] = [permissions, shares, joints, turns, attributions, exchanges, details];

function lossOf(proven: Proven, said: Statement): Conflict | null {
  const { length } = proven.claim.parts;
  if (length < fewestParts || Math.max(length, said.parts.length) > longest) return null;
  for (const loss of losses) {
    const found = loss(proven, said);
    if (found !== null) return found;
  }
  return null;
}

/** Of equal sentences, so many are looked at. */
const mostSaying = 8;

/**
 * Why a claim is not to be promised though these sentences say it; null where one of them says it, nothing is lost of that
 * one, and no other sentence takes it back. A quotation loses nothing. Called by the judge of statements.
 */
export function reservationOn(proven: Proven, saying: readonly Statement[], isQuoted: boolean): Conflict | null {
  let first: Conflict | null = null;
  for (const said of saying.slice(0, mostSaying)) {
    const found = (isQuoted ? null : lossOf(proven, said)) ?? takenBack(proven.claim, said, proven);
    if (found === null) return null;
    first ??= found;
  }
  return first;
}
