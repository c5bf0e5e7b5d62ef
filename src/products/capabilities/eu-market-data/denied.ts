import { complementOf, type Denial, touchedBy } from "../../datasets/denials.ts";
import { type Match, placesOf } from "../../datasets/phrases.ts";
import type { Item } from "./items.ts";
import { isFunctionWord } from "./unread.ts";

/** What a question's denials do to what it names. */
export interface Denied {
  /** The remaining terms. If life insurance is denied, its term becomes the other insurance's, and the reverse. */
  readonly found: readonly Match[];
  /** Places of resolved denials, and of what they exclude. */
  readonly places: readonly number[];
  /** Places of what is denied, for denials that nothing held answers. */
  readonly spans: readonly (readonly number[])[];
  /** Names of excluded countries. */
  readonly without: readonly Match[];
}

/** Terms without a figure of their own. If they are denied, they are reported as words that were not read. */
const withoutFigure = new Set("people insurance inhabitants how_many share ratio insured_people".split(" "));

/** Words that may come between a denial and the line of insurance that it denies. */
const between = /^(insurances?|including|counting|pojisteni|poistenia|versicherung|ubezpieczen|typu|type)$/;

/** Returns whether nothing significant comes between two places. */
const areNext = (words: readonly string[], from: number, to: number): boolean =>
  words.slice(from, to).every((word) => isFunctionWord(word) || between.test(word));

/** Returns the line of insurance right after a denial, or right before one that follows what it denies. */
function lineOf(words: readonly string[], denial: Denial, [nearest]: readonly Match[]): Match | undefined {
  if (nearest === undefined || complementOf(nearest.entry) === undefined) return undefined;
  if (nearest.at >= denial.at) return areNext(words, denial.at + denial.words, nearest.at) ? nearest : undefined;
  const isAfter = denial.how === "before" && areNext(words, nearest.at + nearest.words, denial.at);
  return isAfter ? nearest : undefined;
}

/** Returns the countries that directly follow a denial: "without Germany and France". */
function countriesAfter(words: readonly string[], { at, words: count }: Denial, countries: readonly Match[]): Match[] {
  let end = at + count;
  return countries.filter((one) => {
    if (one.at < end || !areNext(words, end, one.at)) return false;
    end = one.at + one.words;
    return true;
  });
}

/** What a question names, in the order of its words. */
interface Named {
  readonly found: readonly Match[];
  readonly countries: readonly Match[];
  readonly things: readonly Match[];
}

const inOrder = (a: Match, b: Match): number => a.at - b.at;

/** Returns what one denial does to the terms and countries of its item: one of the three, or nothing. */
function effectOf(words: readonly string[], denial: Denial, { found: terms, countries, things }: Named) {
  const touched = touchedBy(denial, [...terms, ...countries, ...things].sort(inOrder));
  const line = lineOf(words, denial, touched);
  if (line) return { turned: [line], without: [], denied: [] };
  const without = countriesAfter(words, denial, countries);
  if (without.length > 0) return { turned: [], without, denied: [] };
  const denied = touched.filter((one) => terms.includes(one) && !withoutFigure.has(one.entry));
  return { turned: [], without, denied };
}

/** Applies a question's denials to the terms and countries of its items. */
export function withoutDenied(
  words: readonly string[],
  items: readonly Item[],
  named: Named,
  denials: readonly Denial[],
): Denied {
  const effects = denials.map((denial) => {
    const item = items.find(({ from, to }) => denial.at >= from && denial.at < to);
    const isIn = ({ at }: Match): boolean => item !== undefined && at >= item.from && at < item.to;
    const [terms, countries, things] = [named.found, named.countries, named.things].map((all) => all.filter(isIn));
    const found = (terms ?? []).filter(({ entry }) => entry !== "insurance");
    const effect = effectOf(words, denial, { found, countries: countries ?? [], things: things ?? [] });
    // What a denial leaves of its item answers another question, except for what comes before "rather than".
    const isGone = ({ at }: Match): boolean => denial.how !== "instead" || at > denial.at;
    const dropped = effect.denied.length === 0 ? [] : (terms ?? []).filter(isGone);
    return { ...effect, denial, dropped };
  });
  const [turned, dropped] = [effects.flatMap((one) => one.turned), effects.flatMap((one) => one.dropped)];
  const without = effects.flatMap((one) => one.without);
  const told = effects.filter((one) => one.turned.length + one.without.length + one.denied.length > 0);
  const spans = effects.flatMap(({ denial, denied }) => (denied.length > 0 ? [placesOf([denial, ...denied])] : []));
  return {
    found: named.found
      .filter((one) => !dropped.includes(one))
      .map((one) => (turned.includes(one) ? { ...one, entry: complementOf(one.entry) ?? one.entry } : one)),
    places: placesOf([...told.map(({ denial }) => denial), ...without, ...dropped]),
    ...{ spans, without },
  };
}
