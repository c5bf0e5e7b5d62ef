import denialsText from "./denials.tsv" with { type: "text" };
import { type Match, Phrases, placesOf } from "./phrases.ts";

/** What a question denies or leaves out: the figure of just that would be the answer to the contrary. */

const hows = ["behind", "before", "instead", "clause"] as const;

/** Where a question denies something. A word that is denied by its own beginning, as `nevázaný` is, denies itself too. */
export interface Denial extends Match {
  readonly how: (typeof hows)[number];
  readonly isWithin: boolean;
}

/** The words of denial, for an engine that reads them together with its other lists. */
export const denials = new Phrases(denialsText);

const deniedBeginning = /^(?:nicht|non|nie|ne|un)(\p{L}{4,})$/u;

/** The longest phrases of the lists have so many words: what a word belongs to is found among those near it. */
const nearby = 8;

/**
 * The words with those that deny themselves bare, `nevázaných` as `vázaných`: where the lists know what is left, and not
 * the whole. What is left has five letters, or belongs to a phrase of several words: "Unfall" denies no "Fall".
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

/** What only phrases a question, though it has a word of denial: "not only", "nevíte". */
export const phrasesIn = (words: readonly string[]): Match[] =>
  denials.in(words).filter(({ entry }) => entry === "phrase");

/** What a word of the list denies; undefined for one that denies nothing. */
export const howOf = (entry: string): Denial["how"] | undefined => hows.find((how) => how === entry);

/** The denials of a question: its words of denial that no list takes for something else, and its words that were bared. */
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

/** What a denial touches of some things in the same clause: what it denies, nearest first. */
export function touchedBy<T extends { readonly at: number }>({ how, at, isWithin }: Denial, clause: readonly T[]): T[] {
  const behind = clause.filter((one) => (isWithin ? one.at >= at : one.at > at));
  const before = clause.filter((one) => one.at < at).toReversed();
  if (how === "behind" || how === "instead") return behind;
  const [first, second] = how === "before" ? [before, behind] : [behind, before];
  return first.length > 0 ? first : second;
}

const complements: Readonly<Record<string, string>> = { life: "nonlife", nonlife: "life" };

/** The line of insurance that is left when one is denied: there are two, and each is all that the other is not. */
export const complementOf = (line: string): string | undefined => complements[line];
