import denialsText from "./denials.tsv" with { type: "text" };
import { type Match, Phrases, placesOf } from "./phrases.ts";

/**
 * Finds what a question negates or excludes, since answering with exactly that figure would be the opposite of an
 * answer.
 */

const hows = ["behind", "before", "instead", "clause"] as const;

/**
 * The position of a negation. A word negated by its own prefix, such as `nevázaný`, also negates itself (`isWithin`).
 */
export interface Denial extends Match {
  readonly how: (typeof hows)[number];
  readonly isWithin: boolean;
}

/** The negation words, for an engine that matches them together with its other lists. */
export const denials = new Phrases(denialsText);

const deniedBeginning = /^(?:nicht|non|nie|ne|un)(\p{L}{4,})$/u;

/** Maximum length of a listed phrase in words: a word's phrase is searched for within this distance. */
const nearby = 8;

/**
 * Removes negating prefixes, `nevázaných` to `vázaných`, where the lists contain the rest but not the whole word. The
 * rest must have five letters or belong to a phrase of several words: "Unfall" does not negate "Fall".
 */
export function bared(words: readonly string[], listed: (words: readonly string[]) => readonly Match[]) {
  const candidates = words.flatMap((word, at) => {
    const rest = deniedBeginning.exec(word)?.[1];
    return rest === undefined ? [] : [{ at, rest }];
  });
  if (candidates.length === 0) return { words, places: [] };
  const known = new Set(placesOf([...listed(words), ...denials.in(words)]));
  const isDenied = ({ at, rest }: { readonly at: number; readonly rest: string }): boolean => {
    if (known.has(at)) return false;
    const from = Math.max(0, at - nearby);
    const found = listed(words.with(at, rest).slice(from, at + nearby));
    const own = found.find((match) => placesOf([match]).includes(at - from));
    return own !== undefined && (own.words > 1 || rest.length > 4);
  };
  const bare = new Map(candidates.filter(isDenied).map(({ at, rest }) => [at, rest]));
  return { words: words.map((word, at) => bare.get(at) ?? word), places: [...bare.keys()] };
}

/** Returns phrases that contain a negation word without negating anything: "not only", "nevíte". */
export const phrasesIn = (words: readonly string[]): Match[] =>
  denials.in(words).filter(({ entry }) => entry === "phrase");

/** Returns how an entry negates; `undefined` if it negates nothing. */
export const howOf = (entry: string): Denial["how"] | undefined => hows.find((how) => how === entry);

/**
 * Returns the negations of a question: negation words that no other list claims, and words whose prefix was removed.
 */
export function denialsIn(words: readonly string[], taken: ReadonlySet<number>, within: readonly number[]): Denial[] {
  const said = denials.in(words).flatMap((match) => {
    const how = howOf(match.entry);
    return how === undefined || placesOf([match]).some((place) => taken.has(place))
      ? []
      : [{ ...match, how, isWithin: false }];
  });
  const own = within.map((at): Denial => ({ entry: "clause", at, words: 1, how: "clause", isWithin: true }));
  return [...said, ...own].sort((a, b) => a.at - b.at);
}

/** Returns the items in the same clause that a negation applies to, nearest first. */
export function touchedBy<T extends { readonly at: number }>({ how, at, isWithin }: Denial, clause: readonly T[]): T[] {
  const behind = clause.filter((one) => (isWithin ? one.at >= at : one.at > at));
  const before = clause.filter((one) => one.at < at).toReversed();
  if (how === "behind" || how === "instead") return behind;
  const [first, second] = how === "before" ? [before, behind] : [behind, before];
  return first.length > 0 ? first : second;
}

const complements: Readonly<Record<string, string>> = { life: "nonlife", nonlife: "life" };

/** Returns the line of insurance that remains when one is negated: there are two, each the complement of the other. */
export const complementOf = (line: string): string | undefined => complements[line];
