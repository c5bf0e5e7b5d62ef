import { type Clause, gapBefore, holds, type Opener, type Span } from "./clauses.ts";
import { type Evidence, evidenceIn, isAboutMoney } from "./evidence.ts";
import { isAnimate, peopleAfter, phraseAt, type Worded } from "./subject.ts";
import { findIn, matchAt } from "./words.ts";

export type Role = "problem" | "offer" | "proof" | "none";

/** Clauses that belong together, and their role. */
export interface Unit extends Span {
  readonly clauses: readonly Clause[];
  readonly role: Role;
  /** Whether the role rests on the words rather than only on their position. */
  readonly isSure: boolean;
}

/** Scores for a clause being about an offer or a problem, and its evidence. */
interface Signs {
  readonly offer: number;
  readonly problem: number;
  readonly evidence: Evidence;
  /** Whether the writers deny having a solution or a price. */
  readonly deniesOurs: boolean;
}

/** Whether a span has a problem word that is not the writers' own goal. */
export function namesProblem({ tokens, lists, structure }: Worded, { from, to }: Span): boolean {
  for (let at = findIn(tokens, lists.problem, from, to); at >= 0; at = findIn(tokens, lists.problem, at + 1, to))
    if (at === from || matchAt(tokens, at - 1, structure.ours) === 0) return true;
  return false;
}

/** Whether a Czech or Slovak verb is negated by `ne-`. */
const denies = (reading: Worded, { from, to }: Span): boolean =>
  (reading.language === "cs" || reading.language === "sk") &&
  reading.tokens
    .slice(from, to)
    .some(
      ({ word }) =>
        /^ne\p{L}{2,}(?:[iaueo]|aj|ou|li|la|l)$/u.test(word) && !/(?:osti|ost|eho|ni|ce|ne|na|no)$/.test(word),
    );

/** Number of words below which a clause can say no more than `no price yet`. */
const short = 6;

function signsOf(reading: Worded, clause: Clause): Signs {
  const { structure, lists } = reading;
  const has = (list: readonly string[]) => holds(reading, clause, list);
  if (clause.label !== null) {
    const offer = ["offer", "price", "channel"].includes(clause.label) ? 10 : 0;
    return {
      offer,
      problem: clause.label === "problem" ? 10 : 0,
      evidence: clause.label === "proof" ? "shown" : null,
      deniesOurs: false,
    };
  }
  const isMain = clause.opener === null || clause.opener === "also" || clause.opener === "result";
  const isDenied = has(structure.negations) || denies(reading, clause);
  const money = isAboutMoney(reading, clause);
  const begins = clause.from + (clause.opener === "also" ? 1 : 0);
  const problem =
    (isDenied ? 1.5 : 0) +
    (namesProblem(reading, clause) ? 2 : 0) +
    (clause.opener === "cause" ? 1.5 : 0) +
    (clause.opener === "contrast" ? 0.5 : 0) +
    (has(structure.nows) ? 0.5 : 0);
  const offer =
    (money ? (has(structure.pays) || has(structure.acquires) || problem < 2 || clause.sentence > 0 ? strong : 1) : 0) +
    (has(structure.provides) && has(structure.ours) ? 3 : has(structure.provides) ? 1.5 : 0) +
    (matchAt(reading.tokens, begins, structure.ours) > 0 ? 2 : 0) +
    (isMain && has(structure.modals) ? 1 : 0) +
    (has(structure.acquires) ? 1 : 0) +
    (has(lists.offer) ? 0.5 : 0) +
    (peopleAfter(reading, structure.benefits, clause) ? 1 : 0);
  return {
    offer,
    problem,
    evidence: money ? null : evidenceIn(reading, clause),
    deniesOurs:
      isDenied && !money && (has(structure.nobodys) || (has(structure.pays) && clause.to - clause.from < short)),
  };
}

const bound: readonly (Opener | null)[] = ["cause", "condition", "relative"];

/** Returns a clause's own role; `null` if it belongs with the clause before. */
function ownRole({ offer, problem, evidence, deniesOurs }: Signs, clause: Clause, isFirst: boolean): Role | null {
  if (evidence === "shown" && offer < 5) return "proof";
  if (evidence === "none" && offer < 2) return "none";
  if (deniesOurs || clause.label === "who") return "none";
  if (evidence === "named" && clause.sentence > 0 && offer < 2 && problem < 2) return "proof";
  if (isFirst && clause.opener === "relative") return null;
  if (!isFirst && bound.includes(clause.opener) && clause.label === null)
    return clause.opener === "cause" && problem > offer ? "problem" : null;
  // Within a sentence, a change of role needs more than one word.
  if (Math.max(offer, problem) < (isFirst ? 0.5 : 1)) return null;
  return offer > problem || (offer === problem && clause.sentence > 0) ? "offer" : "problem";
}

/** Groups clauses into units: a new one starts with each sentence and with each change of role. */
function gathered(reading: Worded, clauses: readonly Clause[]) {
  const groups: { clauses: Clause[]; role: Role | null; offer: number }[] = [];
  for (const clause of clauses) {
    const last = groups.at(-1);
    const isStart = last?.clauses.at(-1)?.sentence !== clause.sentence;
    const signs = signsOf(reading, clause);
    const role = ownRole(signs, clause, isStart);
    const goesOn = last && !isStart && (role === null || last.role === null || role === last.role);
    const isBound = !isStart && bound.includes(clause.opener);
    const attaches = (goesOn || (last && isBound)) && (clause.opener !== "result" || role === null);
    if (!attaches) groups.push({ clauses: [clause], role, offer: signs.offer });
    else {
      last.offer = Math.max(last.offer, signs.offer);
      last.clauses.push(clause);
      last.role ??= role;
    }
  }
  return groups;
}

/** Whether a span has any function word or word for people, which nonsense lacks. */
function hasStructure({ tokens, structure, lists }: Worded, { from, to }: Span): boolean {
  const classes = [
    structure.prepositions,
    structure.determiners,
    structure.auxiliaries,
    structure.joins,
    structure.pronouns,
    structure.negations,
    lists.people,
  ];
  return classes.some((list) => findIn(tokens, list, from, to) >= 0);
}

/** Whether the main clause's first phrase denotes people. */
function isAboutPeople(reading: Worded, clauses: readonly Clause[]): boolean {
  const [first, second] = clauses;
  if (!first) return false;
  const start = first.opener === "relative" || (first.opener === "condition" && second) ? first : null;
  const main = start && second && first.opener === "condition" ? second : first;
  return first.opener === "relative" || isAnimate(reading, phraseAt(reading, main.from, main.to));
}

/** Minimum score of an explicit offer: a price, or what the writers would do. */
const strong = 3;

/**
 * Returns the units of a text with their roles. Without other signs, position decides: a problem first, then an offer.
 */
export function unitsOf(reading: Worded, clauses: readonly Clause[]): Unit[] {
  const groups = gathered(reading, clauses);
  const isKnown = (role: Role) => groups.some((group) => group.role === role);
  const [hasProblem, hasOffer] = [isKnown("problem"), isKnown("offer")];
  return groups.map(({ clauses: own, role, offer }, i) => {
    const span = { from: own[0]?.from ?? 0, to: own.at(-1)?.to ?? 0 };
    // A sentence about people before an explicit offer describes their problem.
    const isEclipsed =
      role === "offer" &&
      i === 0 &&
      offer < strong &&
      groups.some((other) => other !== groups[0] && other.role === "offer" && other.offer >= strong);
    if (isEclipsed && isAboutPeople(reading, own)) return { ...span, clauses: own, role: "problem", isSure: false };
    if (role !== null) return { ...span, clauses: own, role, isSure: true };
    const couldBe = hasStructure(reading, span);
    const isQuestion = /^\s*\?/.test(gapBefore(reading, span.to));
    const next = groups[i + 1]?.clauses[0];
    // `..., so a plan that ...`: the clause before a result is the problem.
    if (couldBe && next?.opener === "result") return { ...span, clauses: own, role: "problem", isSure: true };
    const isPlight = i === 0 && groups.length > 1 && !hasProblem && isAboutPeople(reading, own);
    const guess: Role = !couldBe
      ? "none"
      : isPlight && !isQuestion
        ? "problem"
        : !hasOffer && (i > 0 || isQuestion)
          ? "offer"
          : "none";
    return { ...span, clauses: own, role: guess, isSure: false };
  });
}

/** Returns the span of the first consecutive units with a role; `null` if there are none. */
export function runOf(units: readonly Unit[], role: Role): Span | null {
  const first = units.findIndex((unit) => unit.role === role);
  if (first < 0) return null;
  let last = first;
  while (units[last + 1]?.role === role) last += 1;
  return { from: units[first]?.from ?? 0, to: units[last]?.to ?? 0 };
}
