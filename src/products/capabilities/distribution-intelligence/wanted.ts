import { wordsOf } from "../../datasets/phrases.ts";
import { refined, unmeasured } from "./measures.ts";
import { type Asked, isJoined, type Named, namedInText, termCodes } from "./question.ts";
import { counting, type Held, placesOf } from "./tables.ts";

/** What a question asks of a dataset, and which of it the dataset does not have. */
export interface Wanted {
  readonly held: readonly Held[];
  /** What the dataset has no figure for. */
  readonly missing: readonly Named[];
  /** Measure words, such as "volume", that no figure matches. */
  readonly unmeasured: readonly Named[];
  /** Whether something missing says whom or what a figure counts, so that the figures of all would be no answer. */
  readonly isRestricted: boolean;
  /** Countries of the dataset that the question names; empty if it names none. */
  readonly countries: ReadonlySet<string>;
  /** All countries that the figures cover. */
  readonly ofCountries: ReadonlySet<string>;
  /** Whether a part of a country is asked for, and held. */
  readonly hasPart: boolean;
}

/** Returns the codes of a term by preference: those after a bar apply if there are none before it. */
const alternatives = ({ entry }: Named): string[][] => entry.split("|").map((codes) => codes.split(","));

/** Returns the codes of a term for one line of insurance. */
const linedCodes = (term: Named, line: Named): string[] =>
  alternatives(term)
    .flat()
    .flatMap((code) => [`${code}_${line.entry}`, ...(code === line.entry ? [code] : [])]);

/** Returns the terms and lines of insurance with their codes in the dataset, which may be none. */
function codesOf(named: readonly Named[], has: (code: string) => boolean): ReadonlyMap<Named, readonly string[]> {
  const [terms, lines] = [named.filter(({ kind }) => kind === "term"), named.filter(({ kind }) => kind === "line")];
  if (terms.length === 0) return new Map(lines.map((line) => [line, [line.entry].filter(has)]));
  const lined = (some: readonly Named[], of: readonly Named[]): string[] =>
    some.flatMap((term) => of.flatMap((line) => linedCodes(term, line))).filter(has);
  // Figures of one line and of all lines are not shown together, as if they were about the same.
  const plain = (term: Named): string[] =>
    lined(terms, lines).length > 0 ? [] : (alternatives(term).find((codes) => codes.some(has)) ?? []).filter(has);
  const ofTerm = (term: Named): string[] => [...lined([term], lines), ...plain(term)];
  return new Map([
    ...terms.map((term) => [term, ofTerm(term)] as const),
    ...lines.map((line) => [line, lined(terms, [line])] as const),
  ]);
}

/** Returns what the titles of indicators mention, by kind and entry. */
const titlesOf = (all: readonly Held[]): ReadonlySet<string>[] =>
  all.map(({ indicator }) => new Set(namedInText(indicator.title).map(keyOf)));

const keyOf = ({ kind, entry }: Named): string => `${kind}:${entry}`;

/** Returns the one nearest to another in the question. */
const nearest = (some: readonly Named[], { at }: Named): Named | undefined =>
  some.reduce<Named | undefined>(
    (best, one) => (best && Math.abs(best.at - at) <= Math.abs(one.at - at) ? best : one),
    undefined,
  );

/** Returns whether a figure is money or a share, and not a count. */
const isAmount = ({ indicator }: Held): boolean =>
  indicator.unit.startsWith("%") || namedInText(indicator.unit).some(({ kind }) => kind === "unit");

/** Leaves out codes in other units if a term has one in a requested unit. */
function inUnits(asked: Asked, codes: ReadonlyMap<Named, readonly string[]>, all: readonly Held[]) {
  const units = new Set(asked.named.filter(({ kind }) => kind === "unit").map(({ entry }) => entry));
  const isAsked = ({ indicator }: Held): boolean =>
    namedInText(indicator.unit).some(({ kind, entry }) => kind === "unit" && units.has(entry));
  const those = new Set(all.filter(isAsked).map(({ indicator }) => indicator.code));
  return new Map(
    [...codes].map(([one, own]) => {
      const asIs = own.filter((code) => those.has(code));
      return [one, asIs.length > 0 ? asIs : own] as const;
    }),
  );
}

/** Returns indicators that a question names by full title or code and no term covers; of two titles, the longer. */
function calledIn({ words }: Asked, all: readonly Held[]): Held[] {
  const asked = ` ${words.join(" ")} `;
  const namesOf = ({ indicator: { title, code } }: Held): string[] =>
    [title, code].map((name) => ` ${wordsOf(name).join(" ")} `);
  const called = all.filter((one) => namesOf(one).some((name) => asked.includes(name)));
  const isWithin = (one: Held, other: Held): boolean =>
    namesOf(other).some((longer) => namesOf(one).some((name) => name !== longer && longer.includes(name)));
  return called.filter((one) => !termCodes().has(one.indicator.code) && !called.some((other) => isWithin(one, other)));
}

/** Returns the indicators that a question names; if it names only a group, the one that counts. */
function heldFor(asked: Asked, all: readonly Held[], codes: readonly string[]): readonly Held[] {
  const called = calledIn(asked, all);
  const named = all.filter((one) => codes.includes(one.indicator.code) || called.includes(one));
  const isOfGroup =
    asked.named.some(({ kind }) => kind === "group") && !asked.named.some(({ kind }) => kind === "term");
  return named.length === 0 && isOfGroup ? all.filter(({ indicator }) => indicator.code === counting) : named;
}

/** Returns the places that a question names, compared with those of the figures. */
function placesFor(asked: Asked, held: readonly Held[]) {
  const places = held.map(placesOf);
  const ofCountries = new Set(places.flatMap(({ countries }) => [...countries]));
  const parts = places.flatMap((one) => one.parts);
  const named = asked.named.filter(({ kind }) => kind === "place");
  const isPart = ({ entry }: Named): boolean => entry.length > 2;
  const isHeld = (place: Named): boolean =>
    isPart(place) ? parts.some((part) => part.startsWith(place.entry)) : ofCountries.has(place.entry);
  const [there, missing] = [named.filter(isHeld), named.filter((place) => !isHeld(place))];
  return {
    ...{ missing, ofCountries, hasPart: there.some(isPart) },
    countries: new Set(there.filter((place) => !isPart(place)).map(({ entry }) => entry)),
    isRestricted: missing.some(isPart) || (missing.length > 0 && there.length === 0),
  };
}

/** Returns what a question asks of a dataset's indicators. */
export function wantedOf(asked: Asked, all: readonly Held[]): Wanted {
  const present = new Set(all.map(({ indicator }) => indicator.code));
  const has = (code: string): boolean => present.has(code);
  const codes = inUnits(asked, refined(asked, codesOf(asked.named, has), has), all);
  const held = heldFor(asked, all, [...codes.values()].flat());
  const places = placesFor(asked, held);
  const found = asked.named.filter((one) => codes.get(one)?.length);
  const [first] = found;
  const [titles, ownTitles] = [titlesOf(all), titlesOf(held)];
  const asksTerm = asked.named.some(({ kind }) => kind === "term");
  const lacking = asked.named.filter((one) => {
    if (one.kind === "firm" || one.kind === "denied") return true;
    // "The number of life insurances" does not ask for their premiums.
    if (one.kind === "said") return one.entry === "count" && !asksTerm && held.length > 0 && held.every(isAmount);
    if (one.kind === "absent") return !ownTitles.some((title) => title.has(keyOf(one)));
    if (codes.get(one)?.length !== 0) return false;
    if (one.kind === "line") return !ownTitles.every((title) => title.has(keyOf(one)));
    // "Contracts mediated by intermediaries": a title of the dataset says so too, and contracts were asked for first.
    return !(first && first.at < one.at && titles.some((title) => title.has(keyOf(one))));
  });
  const isBeside = (one: Named): boolean => {
    if (one.kind === "line") return found.some(({ kind }) => kind === "line");
    // "Brokers, not agents" asks for all brokers, "brokers that are not registered" only for those.
    if (one.kind === "denied" && one.entry !== "some") return one.entry === "instead" && found.length > 0;
    const beside = nearest(found, one);
    return one.kind !== "firm" && one.kind !== "said" && beside !== undefined && isJoined(asked, one, beside);
  };
  const money = new Set(all.filter(isAmount).map(({ indicator }) => indicator.code));
  return {
    unmeasured: unmeasured(asked, codes, (code) => money.has(code)),
    ...{ held, countries: places.countries, ofCountries: places.ofCountries, hasPart: places.hasPart },
    missing: [...lacking, ...places.missing].sort((a, b) => a.at - b.at),
    isRestricted: places.isRestricted || !lacking.every(isBeside),
  };
}
