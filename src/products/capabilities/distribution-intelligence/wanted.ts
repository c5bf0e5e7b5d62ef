import { wordsOf } from "../../datasets/phrases.ts";
import { refined, unmeasured } from "./measures.ts";
import { type Asked, isJoined, type Named, namedInText, termCodes } from "./question.ts";
import { counting, type Held, placesOf } from "./tables.ts";

/** What a question wants of a dataset, and what of it the dataset does not hold. */
export interface Wanted {
  readonly held: readonly Held[];
  /** What the dataset has no figure for. */
  readonly missing: readonly Named[];
  /** Words for a measure, such as a volume, that the figures are none of. */
  readonly unmeasured: readonly Named[];
  /** Something missing says whom a figure counts, or what of them: the figures of all are no answer then. */
  readonly isRestricted: boolean;
  /** Countries of the dataset that the question names; none: it leaves them open. */
  readonly countries: ReadonlySet<string>;
  /** All countries that the figures are of. */
  readonly ofCountries: ReadonlySet<string>;
  /** Whether a part of a country is asked for, and held. */
  readonly hasPart: boolean;
}

/** Codes of a term by preference: those after a bar where there are none before it. */
const alternatives = ({ entry }: Named): string[][] => entry.split("|").map((codes) => codes.split(","));

/** The codes of a term that are of one line of insurance. */
const linedCodes = (term: Named, line: Named): string[] =>
  alternatives(term)
    .flat()
    .flatMap((code) => [`${code}_${line.entry}`, ...(code === line.entry ? [code] : [])]);

/** Terms and lines of insurance that a dataset has, each with its codes there. What it lacks has none. */
function codesOf(named: readonly Named[], has: (code: string) => boolean): ReadonlyMap<Named, readonly string[]> {
  const [terms, lines] = [named.filter(({ kind }) => kind === "term"), named.filter(({ kind }) => kind === "line")];
  if (terms.length === 0) return new Map(lines.map((line) => [line, [line.entry].filter(has)]));
  const lined = (some: readonly Named[], of: readonly Named[]): string[] =>
    some.flatMap((term) => of.flatMap((line) => linedCodes(term, line))).filter(has);
  // Figures of a line and figures of all lines are not shown together as if they were of the same.
  const plain = (term: Named): string[] =>
    lined(terms, lines).length > 0 ? [] : (alternatives(term).find((codes) => codes.some(has)) ?? []).filter(has);
  const ofTerm = (term: Named): string[] => [...lined([term], lines), ...plain(term)];
  return new Map([
    ...terms.map((term) => [term, ofTerm(term)] as const),
    ...lines.map((line) => [line, lined(terms, [line])] as const),
  ]);
}

/** What the titles of indicators mention, each by its kind and entry. */
const titlesOf = (all: readonly Held[]): ReadonlySet<string>[] =>
  all.map(({ indicator }) => new Set(namedInText(indicator.title).map(keyOf)));

const keyOf = ({ kind, entry }: Named): string => `${kind}:${entry}`;

/** The one of some that stands nearest to another in the question. */
const nearest = (some: readonly Named[], { at }: Named): Named | undefined =>
  some.reduce<Named | undefined>(
    (best, one) => (best && Math.abs(best.at - at) <= Math.abs(one.at - at) ? best : one),
    undefined,
  );

/** Whether a figure is money or a share, and no count. */
const isAmount = ({ indicator }: Held): boolean =>
  indicator.unit.startsWith("%") || namedInText(indicator.unit).some(({ kind }) => kind === "unit");

/** Codes without those in other units, where a term has one in a unit that is asked for. */
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

/** The indicators that a question names and no term knows, by their whole titles or codes; of two titles, the longer. */
function calledIn({ words }: Asked, all: readonly Held[]): Held[] {
  const asked = ` ${words.join(" ")} `;
  const namesOf = ({ indicator: { title, code } }: Held): string[] =>
    [title, code].map((name) => ` ${wordsOf(name).join(" ")} `);
  const called = all.filter((one) => namesOf(one).some((name) => asked.includes(name)));
  const isWithin = (one: Held, other: Held): boolean =>
    namesOf(other).some((longer) => namesOf(one).some((name) => name !== longer && longer.includes(name)));
  return called.filter((one) => !termCodes().has(one.indicator.code) && !called.some((other) => isWithin(one, other)));
}

/** The indicators that a question names; where it names a group alone, the one that counts. */
function heldFor(asked: Asked, all: readonly Held[], codes: readonly string[]): readonly Held[] {
  const called = calledIn(asked, all);
  const named = all.filter((one) => codes.includes(one.indicator.code) || called.includes(one));
  const isOfGroup =
    asked.named.some(({ kind }) => kind === "group") && !asked.named.some(({ kind }) => kind === "term");
  return named.length === 0 && isOfGroup ? all.filter(({ indicator }) => indicator.code === counting) : named;
}

/** The places that a question names, among those of the figures. */
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

/** What a question wants of a dataset's indicators. */
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
    // "The number of life insurances" is not their premiums.
    if (one.kind === "said") return one.entry === "count" && !asksTerm && held.length > 0 && held.every(isAmount);
    if (one.kind === "absent") return !ownTitles.some((title) => title.has(keyOf(one)));
    if (codes.get(one)?.length !== 0) return false;
    if (one.kind === "line") return !ownTitles.every((title) => title.has(keyOf(one)));
    // "Contracts mediated by intermediaries": a title of the dataset says so too, and it is not what was asked for first.
    return !(first && first.at < one.at && titles.some((title) => title.has(keyOf(one))));
  });
  const isBeside = (one: Named): boolean => {
    if (one.kind === "line") return found.some(({ kind }) => kind === "line");
    // "Brokers, not agents" asks for brokers, "brokers that are not registered" for no others.
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
