import { folded, Phrases, wordsOf } from "../datasets/phrases.ts";
import { type Bounds, boundsText, foundedIn, isWithin, personsIn } from "./icp-numbers.ts";
import { Cities, placesIn } from "./icp-places.ts";
import { type Found, IcpText } from "./icp-text.ts";
import { emptyWords, placeFillers, placeWords, sectorWords } from "./icp-words.ts";
import type { Reason } from "./schema.ts";
import type { Candidate } from "./universe.ts";

/**
 * An ideal customer profile as demands that a row meets or does not: sort of seller, place, size, year of foundation,
 * and what is excluded. Its other words are looked for in the row, and only add to the order; those of no demand are told.
 */

interface Demand {
  /** What it was understood as, for the reader. Names nobody. */
  readonly read_as: string;
  /** The reason, where the row meets it; for an exclusion, an empty one. Undefined: the row is outside. */
  readonly met: (candidate: Candidate) => Reason | "met" | undefined;
}

/** An ICP that was read. */
export interface Icp {
  readonly demands: readonly Demand[];
  /** Folded words that may add to a row's order, with the words as they stand. */
  readonly words: ReadonlyMap<string, string>;
  /** What no demand was made of, in the text's own words. */
  readonly unread: readonly string[];
  /** Places that are named, and that no row can be said to be in. */
  readonly elsewhere: readonly string[];
}

const sectors = new Phrases(sectorWords);

const said = ({ fields }: Candidate, name: string): string => String(fields[name] ?? "");
const sectorsIn = (text: string): string[] => [...new Set(sectors.in(wordsOf(text)).map(({ entry }) => entry))];

/** A way in which a row may meet a demand: with the reason for it. */
interface Way {
  readonly name: string;
  readonly isExcluded: boolean;
  readonly met: (candidate: Candidate) => Reason | undefined;
}

/** One of the ways that are asked for is to be met, and none of those that are excluded. */
function demandsOf(kind: string, ways: readonly Way[]): Demand[] {
  const [asked, excluded] = [ways.filter((way) => !way.isExcluded), ways.filter((way) => way.isExcluded)];
  const names = (of: readonly Way[]) => [...new Set(of.map(({ name }) => name))];
  const reasonIn = (candidate: Candidate, of: readonly Way[]) => {
    for (const { met } of of) {
      const reason = met(candidate);
      if (reason) return reason;
    }
    return undefined;
  };
  return [
    ...(asked.length === 0
      ? []
      : [{ read_as: `${kind}: ${names(asked).join(" or ")}`, met: (one: Candidate) => reasonIn(one, asked) }]),
    ...(excluded.length === 0
      ? []
      : [
          {
            read_as: `not: ${kind === "sector" ? names(excluded).join(", ") : `${kind}: ${names(excluded).join(" or ")}`}`,
            met: (one: Candidate) => (reasonIn(one, excluded) ? undefined : ("met" as const)),
          },
        ]),
  ];
}

const sectorWay = ({ value: sector, words, isExcluded }: Found<string>): Way => ({
  ...{ name: sector, isExcluded },
  met(candidate) {
    const value = said(candidate, "sector");
    return sectorsIn(value).includes(sector) ? { words, field: "sector", value } : undefined;
  },
});

/** A row that does not state a number is outside; whether that is asked for or excluded. */
function numberDemands(field: "persons" | "founded", all: readonly Found<Bounds>[]): Demand[] {
  return all.map(({ value: bounds, words, isExcluded }) => ({
    read_as: `${isExcluded ? "not: " : ""}${field}: ${boundsText(bounds)}`,
    met(candidate) {
      const value = candidate.fields[field];
      if (typeof value !== "number" || isWithin(value, bounds) === isExcluded) return undefined;
      return isExcluded ? "met" : { words, field, value: String(value) };
    },
  }));
}

/** Whether a row's field has one of the values. */
const fieldWay = (
  field: "land" | "city",
  { words, isExcluded }: Found<unknown>,
  name: string,
  has: (value: string) => boolean,
): Way => ({
  ...{ name, isExcluded },
  met(candidate) {
    const value = said(candidate, field);
    return has(value) ? { words, field, value } : undefined;
  },
});

function placeDemands(text: IcpText, cities: Cities): { demands: Demand[]; elsewhere: string[] } {
  const places = placesIn(text, cities);
  const ways = [
    ...places.lands.map((found) => fieldWay("land", found, found.value, (land) => land === found.value)),
    ...places.cities.flatMap((found) =>
      found.value.map((city) => fieldWay("city", found, city, (value) => folded(value) === city)),
    ),
    ...places.elsewhere.map((found) => fieldWay("city", found, found.value, () => false)),
  ];
  const countries = places.countries.map(({ value: { name, codes }, words, isExcluded }) => ({
    ...{ name, isExcluded },
    met: ({ country }: Candidate) =>
      codes.includes(country) ? { words, field: "country", value: country } : undefined,
  }));
  const asked = places.elsewhere.filter(({ isExcluded }) => !isExcluded);
  return {
    demands: [...demandsOf("country", countries), ...demandsOf("place", ways)],
    elsewhere: [...new Set(asked.map(({ words }) => words))],
  };
}

/** What is not told where nothing was understood by it. */
const silentWords: ReadonlySet<string> = new Set([...emptyWords, ...placeWords, ...placeFillers]);

/** Reads an ICP. `known`: the cities that rows are in, as they are written. */
export function readIcp(icp: string, known: Iterable<string>): Icp {
  const text = new IcpText(icp);
  const sellers = demandsOf("sector", text.named(sectors).map(sectorWay));
  const persons = numberDemands("persons", personsIn(text));
  const founded = numberDemands("founded", foundedIn(text));
  const { demands: places, elsewhere } = placeDemands(text, new Cities(known));
  const all = [...sellers, ...places, ...persons, ...founded];
  const isExclusion = ({ read_as }: Demand) => read_as.startsWith("not: ");
  const words = [...text.asked()].filter(([word]) => word.length > 3 && !emptyWords.has(word) && !/^\d+$/.test(word));
  return {
    demands: [...all.filter((one) => !isExclusion(one)), ...all.filter(isExclusion)],
    words: new Map(words),
    unread: text.unread(silentWords),
    elsewhere,
  };
}

/** Fields that are open to every tier, and the name: what else a row says is not delivered, and so no reason either. */
const searched = ["sector", "tier", "city", "lines", "audience", "languages", "legal_form", "name"];

/** Where the ICP's other words stand in the row. */
function furtherReasons({ words }: Icp, candidate: Candidate, taken: readonly Reason[]): Reason[] {
  const reasons: Reason[] = [];
  for (const field of searched) {
    const value = said(candidate, field);
    for (const word of wordsOf(value)) {
      const written = words.get(word);
      const isNew = ![...taken, ...reasons].some((reason) => wordsOf(reason.words).includes(word));
      if (written !== undefined && isNew) reasons.push({ words: written, field, value });
    }
  }
  return reasons;
}

/** Why a row is inside the ICP; or the first demand that it does not meet, as it was read. */
export function judged(icp: Icp, candidate: Candidate): { readonly reasons: Reason[] } | { readonly outside: string } {
  if (!said(candidate, "name")) return { outside: "name: stated" };
  const reasons: Reason[] = [];
  for (const { read_as, met } of icp.demands) {
    const reason = met(candidate);
    if (reason === undefined) return { outside: read_as };
    if (reason !== "met") reasons.push(reason);
  }
  reasons.push(...furtherReasons(icp, candidate, reasons));
  return reasons.length === 0 ? { outside: "any word of the ICP" } : { reasons };
}
