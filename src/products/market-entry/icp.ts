import countriesText from "../capabilities/eu-market-data/countries.tsv" with { type: "text" };
import { folded, Phrases, wordsOf } from "../datasets/phrases.ts";
import {
  type Bounds,
  cityWords,
  clauseStarts,
  emptyWords,
  foundedPatterns,
  type NumberPattern,
  negations,
  regionWords,
  sectorWords,
  sizePatterns,
} from "./icp-words.ts";
import type { Reason } from "./schema.ts";
import type { Candidate } from "./universe.ts";

/**
 * An ideal customer profile as demands that a row meets or does not: sort of seller, place, size, year of foundation,
 * and what is excluded. What is left of its words is looked for in the row, and only adds to the order.
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
}

const sectors = new Phrases(sectorWords);
const regions = new Phrases(regionWords);
const cities = new Phrases(cityWords);
const countries = new Phrases(countriesText);

const said = ({ fields }: Candidate, name: string): string => String(fields[name] ?? "");
const sectorsIn = (text: string): string[] => [...new Set(sectors.in(wordsOf(text)).map(({ entry }) => entry))];

/** Words in a row: as they are compared, and as they stand. */
class Words {
  readonly folded: string[] = [];
  private readonly written: string[] = [];

  add(written: string): void {
    this.written.push(written);
    this.folded.push(folded(written));
  }

  /** What is named, each once. */
  named(phrases: Phrases): string[] {
    return [...new Set(phrases.in(this.folded).map(({ entry }) => entry))];
  }

  /** The text's own words for what is named. */
  naming(phrases: Phrases, entries: readonly string[]): string {
    const found = phrases.in(this.folded).filter(({ entry }) => entries.includes(entry));
    return found.map(({ at, words }) => this.written.slice(at, at + words).join(" ")).join(", ");
  }

  pairs(): [folded: string, written: string][] {
    return this.folded.map((word, i) => [word, this.written[i] ?? word]);
  }
}

/** The words that an exclusion reaches, and the others. */
function parted(text: string): { asked: Words; excluded: Words } {
  const [asked, excluded] = [new Words(), new Words()];
  for (const clause of text.normalize("NFC").split(/[,.;:()\n]+/)) {
    let isExcluded = false;
    for (const written of clause.match(/[\p{L}\p{N}]+/gu) ?? []) {
      if (negations.has(folded(written))) isExcluded = true;
      else if (clauseStarts.has(folded(written))) isExcluded = false;
      else (isExcluded ? excluded : asked).add(written);
    }
  }
  return { asked, excluded };
}

/** Whether a name stands in the text as it is written: with a small letter it is a word of the language. */
function isWritten(name: string, text: string): boolean {
  const at = text.indexOf(name);
  const isLetter = (character: string | undefined) => /\p{L}/u.test(character ?? "");
  return at >= 0 && !isLetter(text[at - 1]) && !isLetter(text[at + name.length]);
}

const boundsText = ({ from, to }: Bounds): string =>
  from === null ? `at most ${to}` : to === null ? `at least ${from}` : `${from} to ${to}`;

/** A demand of a number within bounds; a row that does not state it is outside. */
function numberDemand(text: string, field: "persons" | "founded", patterns: readonly NumberPattern[]): Demand[] {
  for (const { pattern, bounds } of patterns) {
    const found = pattern.exec(text);
    if (!found) continue;
    const { from, to } = bounds(Number(found[1]), Number(found[2]));
    return [
      {
        read_as: `${field}: ${boundsText({ from, to })}`,
        met(candidate) {
          const value = candidate.fields[field];
          if (typeof value !== "number" || (from !== null && value < from) || (to !== null && value > to))
            return undefined;
          return { words: found[0], field, value: String(value) };
        },
      },
    ];
  }
  return [];
}

function sectorDemand(asked: Words): Demand[] {
  const named = asked.named(sectors);
  if (named.length === 0) return [];
  return [
    {
      read_as: `sector: ${named.join(" or ")}`,
      met(candidate) {
        const own = sectorsIn(said(candidate, "sector")).filter((sector) => named.includes(sector));
        const value = said(candidate, "sector");
        return own.length === 0 ? undefined : { words: asked.naming(sectors, own), field: "sector", value };
      },
    },
  ];
}

function exclusions(excluded: Words): Demand[] {
  const named = excluded.named(sectors);
  if (named.length === 0) return [];
  const isExcluded = (candidate: Candidate) => sectorsIn(said(candidate, "sector")).some((one) => named.includes(one));
  return [{ read_as: `not: ${named.join(", ")}`, met: (candidate) => (isExcluded(candidate) ? undefined : "met") }];
}

/** Places: one of the parts of the country or cities that are named. */
function placeDemand(asked: Words, text: string, known: ReadonlySet<string>): Demand[] {
  const lands = asked.named(regions);
  const written = [...known].filter((city) => city.length > 2 && isWritten(city, text));
  const named = new Set([...written.map(folded), ...asked.named(cities)]);
  if (lands.length === 0 && named.size === 0) return [];
  return [
    {
      read_as: `place: ${[...lands, ...named].join(" or ")}`,
      met(candidate) {
        const [land, city] = [said(candidate, "land"), said(candidate, "city")];
        if (named.has(folded(city))) return { words: city, field: "city", value: city };
        return lands.includes(land) ? { words: asked.naming(regions, [land]), field: "land", value: land } : undefined;
      },
    },
  ];
}

function countryDemand(asked: Words): Demand[] {
  const named = asked.named(countries).filter((code) => code.length === 2);
  if (named.length === 0) return [];
  return [
    {
      read_as: `country: ${named.join(" or ")}`,
      met: ({ country }) =>
        named.includes(country)
          ? { words: asked.naming(countries, [country]), field: "country", value: country }
          : undefined,
    },
  ];
}

/** Reads an ICP. `known`: the cities that rows are in, as they are written. */
export function readIcp(text: string, known: ReadonlySet<string>): Icp {
  const { asked, excluded } = parted(text);
  const plain = folded(text).replace(/\s+/g, " ");
  const demands = [
    ...sectorDemand(asked),
    ...countryDemand(asked),
    ...placeDemand(asked, text, known),
    ...numberDemand(plain, "persons", sizePatterns),
    ...numberDemand(plain, "founded", foundedPatterns),
    ...exclusions(excluded),
  ];
  const words = asked.pairs().filter(([word]) => word.length > 3 && !emptyWords.has(word) && !/^\d+$/.test(word));
  return { demands, words: new Map(words) };
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
