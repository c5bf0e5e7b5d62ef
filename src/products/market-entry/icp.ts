import { folded, Phrases, wordsOf } from "../datasets/phrases.ts";
import { type Bounds, boundsText, foundedIn, isWithin, personsIn } from "./icp-numbers.ts";
import { Cities, placesIn } from "./icp-places.ts";
import { type Found, IcpText } from "./icp-text.ts";
import { emptyWords, placeFillers, placeWords, sectorWords } from "./icp-words.ts";
import type { Reason } from "./schema.ts";
import type { Candidate } from "./universe.ts";

/**
 * Parses an ideal customer profile into demands that a row meets or fails: type of seller, place, size, founding year,
 * exclusions. Its other words are searched for in the row and only affect the order; words that became no demand are
 * reported.
 */

interface Demand {
  /** How it was understood, for the reader. Contains no names of people or firms. */
  readonly read_as: string;
  /** Returns the reason if the row meets it (`met` for an exclusion), or `undefined` if the row is outside. */
  readonly met: (candidate: Candidate) => Reason | "met" | undefined;
}

/** A parsed ICP. */
export interface Icp {
  readonly demands: readonly Demand[];
  /** Folded words that may improve a row's rank, with their original form. */
  readonly words: ReadonlyMap<string, string>;
  /** Phrases that became no demand, verbatim. */
  readonly unread: readonly string[];
  /** Named places that no row is known to be in. */
  readonly elsewhere: readonly string[];
}

const sectors = new Phrases(sectorWords);

const said = ({ fields }: Candidate, name: string): string => String(fields[name] ?? "");
const sectorsIn = (text: string): string[] => [...new Set(sectors.in(wordsOf(text)).map(({ entry }) => entry))];

/** One way to meet a demand, with its reason. */
interface Way {
  readonly name: string;
  readonly isExcluded: boolean;
  readonly met: (candidate: Candidate) => Reason | undefined;
}

/** Returns demands that require one of the ways asked for and none of the excluded ones. */
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

/** A row without the number is outside, whether the number is asked for or excluded. */
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

/** Returns a way that tests a row's field. */
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

/** Words that are not reported as unread. */
const silentWords: ReadonlySet<string> = new Set([...emptyWords, ...placeWords, ...placeFillers]);

/** Parses an ICP. `known`: the cities of the rows, as written there. */
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

/** The name and the fields open to every tier. Other fields are not delivered, so they cannot be reasons either. */
const searched = ["sector", "tier", "city", "lines", "audience", "languages", "legal_form", "name"];

/** Returns the row's fields that contain the ICP's other words. */
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

/** Returns the reasons why a row is inside the ICP, or the first demand that it fails, as understood. */
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
