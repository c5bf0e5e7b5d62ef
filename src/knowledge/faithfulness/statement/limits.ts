import { markOf } from "../../language/statement-words.ts";
import { isContent, isGeneral } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { clauseOf, containsPart, restrictionsOf } from "./restrictions.ts";
import { indexKeyOf, type Statements } from "./sentences.ts";

/**
 * Sentences that end a rule or restrict it to some: `is withdrawn`, `no longer offered`, `only those who … qualify`.
 */

const hasMark = ({ form }: Part, wanted: "repeals" | "replaces" | "holds" | "rule" | "only" | "negation"): boolean =>
  markOf(wanted, form) !== undefined;
const isDenied = (parts: readonly Part[]): boolean =>
  parts.some((part) => part.sign < 0 || hasMark(part, "only") || hasMark(part, "negation"));

const prefix = /^(?:ne|nie|un)/;
/** Checks for a negated word of holding: `neplatí`, `unavailable`. */
const isNegatedHolding = ({ form }: Part): boolean =>
  prefix.test(form) && markOf("holds", form.replace(prefix, "")) !== undefined;
const isHolding = (part: Part): boolean => hasMark(part, "holds") || isNegatedHolding(part);

/** Returns where a sentence says that a rule ends, is replaced or holds for some only; -1 if it does not. */
function limitAt(statement: Statement): number {
  const clauseAt = (at: number) => {
    const { from, to } = clauseOf(statement, at);
    return statement.parts.slice(from, to + 1);
  };
  return statement.parts.findIndex((part, at) => {
    if (part.span !== null) return false;
    // `May be suspended` is itself a rule and ends none.
    if (hasMark(part, "repeals") || hasMark(part, "replaces"))
      return !clauseAt(at).some(({ concept }) => concept === "may");
    return isNegatedHolding(part) || (isHolding(part) && isDenied(clauseAt(at)));
  });
}

/**
 * Words that a limit may be about: all those of one half of its clause, and those that are not the case it applies to.
 */
interface Topic {
  readonly named: readonly Part[];
  readonly subject: readonly Part[];
}

interface Limit {
  readonly statement: Statement;
  /** The words before the one that limits or negates, and after it: `managers are not entitled to overtime pay`. */
  readonly topics: readonly Topic[];
  /** Whether it refers back to the sentence before it: `Entitled is only who …`. */
  readonly isOfBefore: boolean;
  /** Whether it begins with the case it applies to: `For broken windows it does not apply`. */
  readonly isOfCase: boolean;
}

const shortestTopic = 4;
const isTopic = (part: Part): boolean =>
  isContent(part) &&
  part.span === null &&
  !isGeneral(part) &&
  part.form.length >= shortestTopic &&
  !isHolding(part) &&
  !(["rule", "repeals", "replaces"] as const).some((wanted) => hasMark(part, wanted));

/** Number of opening words that show whether a sentence has a subject. */
const opening = 2;
/** Checks for a preposition that attaches a complement to its noun: `the allowance for meals`. */
const isComplement = (lead: Part | undefined): boolean => lead?.form === "na";

function limitOf(statement: Statement): Limit[] {
  const { parts } = statement;
  const at = limitAt(statement);
  if (at < 0) return [];
  const { from, to } = clauseOf(statement, at);
  const clause = parts.slice(from, to + 1);
  const cases = restrictionsOf(statement).filter((one) => !isComplement(parts[one.from]));
  const isOfCase = (part: Part) => {
    const place = parts.indexOf(part);
    return cases.some((one) => one.from <= place && place <= one.to);
  };
  const isOwn = (part: Part) => !isOfCase(part);
  const named = clause.filter((part) => (isTopic(part) && part.role !== "predicate") || part.quantity !== null);
  // `The bonus only to members is paid`: in Hungarian the verb comes last.
  const start =
    clause.find((part) => part === parts[at] || hasMark(part, "only") || hasMark(part, "negation"))?.start ?? 0;
  const halves = [named.filter((part) => part.start < start), named.filter((part) => part.start > start)];
  const topics = halves.map((half) => ({ named: half, subject: half.filter(isOwn) }));
  const own = topics.filter(({ subject }) => subject.length > 0);
  // `The earlier rule ends`: the rest of the sentence says which rule.
  const isOfRest = named.length < 2 && clause.some(({ form }) => markOf("rule", form) === "rule");
  const isBare = !clause.some((part) => isTopic(part) && isOwn(part));
  const isLed = at < opening && halves[0]?.length === 0 && clause.some((part) => hasMark(part, "only"));
  return [
    {
      statement,
      topics: isOfRest ? [{ named: parts.filter(isTopic), subject: named }] : own.length > 0 ? own : topics,
      isOfBefore: from === 0 && (isBare || isLed),
      isOfCase: cases.some((one) => one.from === from),
    },
  ];
}

const limitsIn = new WeakMap<Statements, readonly Limit[]>();

/** Maximum number of limits compared with each claim. */
const mostLimits = 64;

function limitsOf(all: Statements): readonly Limit[] {
  const known = limitsIn.get(all) ?? all.sentences.flatMap(({ statement }) => limitOf(statement)).slice(0, mostLimits);
  limitsIn.set(all, known);
  return known;
}

/** Checks whether a word of a limit is one of `parts`, or begins like one of them: `práce`, `pracovat`. */
const isRelated = (part: Part, parts: readonly Part[]): boolean =>
  containsPart(parts, part) || parts.some((one) => isTopic(one) && indexKeyOf(one) === indexKeyOf(part));

/**
 * Returns the sentences that end or limit what a claim says: they are about the same thing, or refer back to the
 * sentence that states it.
 */
export function limitsOn(claim: Statement, said: Statement, question: Statement, all: Statements): Statement[] {
  if (isDenied(claim.parts)) return [];
  const next = all.after.get(said);
  const asked = [...claim.parts, ...question.parts];
  // Asked about theft, `The excess for theft is 500 euros` is not limited by sentences on other cases.
  const meant = restrictionsOf(claim).flatMap(({ own }) => own.filter((part) => containsPart(question.parts, part)));
  const isOfSame = ({ named, subject }: Topic) => {
    const shared = named.filter((part) => isRelated(part, asked)).length;
    if (shared === 0) return false;
    const isOther = meant.length > 0 && !named.some((part) => isRelated(part, meant));
    return !isOther && (shared * 2 > subject.length || (shared > 1 && shared * 2 === subject.length));
  };
  return limitsOf(all).flatMap(({ statement, topics, isOfBefore, isOfCase }) => {
    const refersBack = isOfBefore && statement === next && !(isOfCase && meant.length > 0);
    const isLimit = statement !== said && (topics.some(isOfSame) || refersBack);
    return isLimit ? [statement] : [];
  });
}
