import type { Reader } from "./reader.ts";
import { alikeRules, breachProbability, type Learned } from "./scorer.ts";
import type { Searched, Stretch } from "./vocabulary.ts";

/** A stretch of sentences that resembles breaches of a rule, although no pattern matches it. */
export interface Resemblance {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  readonly probability: number;
}

/** Probability from which a sentence is reported. Chosen by cross-validation over the rounds of labelled cases. */
export const reportedFrom = 0.5;
/** Probability from which it is reported even without a pattern of the rule nearby. Chosen the same way. */
export const reportedAloneFrom = 0.65;
/** Probability below which a sentence is harmless, even if a pattern matches. Chosen the same way. */
export const harmlessBelow = 0.3;
/** Probability below which even the wording of a critical rule is harmless. */
export const surelyHarmless = 0.1;
/** Weight of the sentence itself; the rest is its window's. Chosen the same way, as are the following. */
const share = 0.2;
/** Minimum probability of the sentence itself for it to be reported. */
const fewestOwn = 0.4;
/** Probability from which a sentence is judged on its own, however harmless its window. */
const clearlyOwn = 0.8;
/** Minimum number of words. Shorter stretches say too little to resemble anything. */
const fewestWords = 4;
/** Number of sentences read as one window: short answers as a whole, long ones this many at a time. */
export const windowLength = 4;

/** Probabilities that the sentences of an answer, alone and in pairs, break some rule. */
export interface Likelihood {
  /** Of the sentence at a place, or of it and the next one. 0 beyond the end. */
  of(at: number, count: 1 | 2): number;
  /** Of the sentence at a place, alone or with a neighbour, whichever is higher, combined with its window. */
  around(at: number): number;
  /** The same with the sentence reduced to the clauses of a match, so that words added to a breach don't excuse it. */
  aroundMatch(at: number, match: readonly Stretch[]): number;
  /** Of the window around a sentence; the highest if there are several. */
  window(at: number): number;
}

/** Returns a sentence without the clauses before and after those of a match. */
function clausesOf(searched: Searched, match: readonly Stretch[]): Searched {
  const { words } = searched.sentence;
  const clauses = match.flatMap(({ from, to }) => words.slice(from, to + 1).map(({ clause }) => clause));
  const [first, last] = [Math.min(...clauses), Math.max(...clauses)];
  const held = words.filter(({ clause }) => clause >= first && clause <= last);
  return held.length === words.length ? searched : { ...searched, sentence: { ...searched.sentence, words: held } };
}

/** Scores consecutive sentences, each stretch once. */
function scoresOf(answer: readonly Searched[], probabilityOf: (sentences: readonly Searched[]) => number) {
  const known = new Map<number, number>();
  const of = (at: number, count: number): number => {
    if (at < 0 || at + count > answer.length) return 0;
    const key = (windowLength + 1) * at + count;
    const probability = known.get(key) ?? probabilityOf(answer.slice(at, at + count));
    known.set(key, probability);
    return probability;
  };
  const count = Math.min(windowLength, answer.length);
  const window = (at: number) => Math.max(...Array.from({ length: count }, (_, back) => of(at - back, count)));
  const around = (at: number) => {
    const own = Math.max(of(at, 1), of(at - 1, 2), of(at, 2));
    return own >= clearlyOwn ? own : share * own + (1 - share) * window(at);
  };
  return { of, around, window };
}

/** Returns the likelihoods for an answer and its question. */
export function likelihoodOf(
  learned: Learned,
  reader: Reader,
  { asked, answer }: { readonly asked: readonly Searched[]; readonly answer: readonly Searched[] },
): Likelihood {
  const question = reader.features(asked);
  const probabilityOf = (sentences: readonly Searched[]): number =>
    breachProbability(learned, { features: reader.features(sentences), asked: question });
  const whole = scoresOf(answer, probabilityOf);
  // Many patterns may match the same clauses of a sentence.
  const known = new Map<string, number>();
  const aroundMatch = (at: number, match: readonly Stretch[]): number => {
    const searched = answer[at];
    const held = searched && clausesOf(searched, match);
    if (held === undefined || held === searched) return whole.around(at);
    const { words } = held.sentence;
    const key = `${at}:${words[0]?.start}:${words.length}`;
    const probability = known.get(key) ?? scoresOf(answer.with(at, held), probabilityOf).around(at);
    known.set(key, probability);
    return probability;
  };
  return { ...whole, aroundMatch };
}

interface Material {
  readonly learned: Learned;
  readonly likelihood: Likelihood;
  readonly reader: Reader;
  readonly asked: readonly Searched[];
  readonly answer: readonly Searched[];
  /** Returns whether a pattern has already matched in a stretch. */
  readonly known: (start: number, end: number) => boolean;
  /** Returns whether a resemblance may be reported for a rule at all. */
  readonly open: (rule: string, sentences: readonly Searched[]) => boolean;
  /** Returns whether the sentences contain most of a pattern of the rule, in which case less resemblance is enough. */
  readonly anchored: (rule: string, sentences: readonly Searched[]) => boolean;
}

/** Returns the sentences that resemble breaches, then pairs of neighbours of which neither was reported. */
export function resemblances({
  learned,
  likelihood,
  reader,
  asked,
  answer,
  known,
  open,
  anchored,
}: Material): Resemblance[] {
  const question = reader.features(asked);
  const found: Resemblance[] = [];
  const judge = (at: number, count: 1 | 2) => {
    const sentences = answer.slice(at, at + count);
    const [start, end] = [sentences[0]?.sentence.start ?? 0, sentences.at(-1)?.sentence.end ?? 0];
    const words = sentences.reduce((sum, { sentence }) => sum + sentence.words.length, 0);
    if (sentences.length < count || words < fewestWords || known(start, end)) return;
    if (found.some((one) => one.start < end && start < one.end)) return;
    const around = (place: number) => ({ before: answer[place - 1], next: answer[place + 1] });
    if (!sentences.every((one, place) => reader.guards.states(one, around(at + place)))) return;
    if (likelihood.of(at, count) < fewestOwn) return;
    const probability = share * likelihood.of(at, count) + (1 - share) * likelihood.window(at);
    const [rule] =
      probability >= reportedFrom ? alikeRules(learned, { features: reader.features(sentences), asked: question }) : [];
    if (rule === undefined || !open(rule, sentences)) return;
    if (probability >= reportedAloneFrom || anchored(rule, sentences)) found.push({ rule, start, end, probability });
  };
  for (const count of [1, 2] as const) for (let at = 0; at < answer.length; at += 1) judge(at, count);
  return found;
}
