import { once } from "../../platform/once.ts";
import { filled } from "../../platform/text.ts";
import { countryName, placeOf } from "../datasets/places.ts";
import type { AnswerLanguage } from "../datasets/question-language.ts";
import lists from "./phrases.yaml" with { type: "yaml" };

/**
 * The product's own English, as results, manifests and errors have it, in the language of a document. What sources, sites
 * and callers wrote is not here, and stays as it is.
 */

type Phrase = Readonly<Record<AnswerLanguage, string>>;
/** `sentences` are looked up wherever the product's own text stands; `terms` only where a term is meant. */
export const phrases = lists as { readonly sentences: readonly Phrase[]; readonly terms: readonly Phrase[] };

/** A phrase with its values, as the pieces between them. */
interface Template {
  readonly phrase: Phrase;
  /** What stands before the first value, between each two, and after the last. */
  readonly pieces: readonly string[];
  readonly names: readonly string[];
}

interface Book {
  readonly whole: ReadonlyMap<string, Phrase>;
  readonly templates: readonly Template[];
}

function bookOf(all: readonly Phrase[]): Book {
  const parted = all.map((phrase) => {
    const parts = phrase.en.split(/[{}]/);
    return { phrase, pieces: parts.filter((_, i) => i % 2 === 0), names: parts.filter((_, i) => i % 2 === 1) };
  });
  return {
    whole: new Map(all.map((phrase) => [phrase.en, phrase])),
    templates: parted.filter(({ names }) => names.length > 0),
  };
}
const books = once(() => ({ sentence: bookOf(phrases.sentences), term: bookOf(phrases.terms) }));
type Sort = keyof ReturnType<typeof books>;

/** Values that are themselves the product's words. */
const ownValues: Readonly<Record<string, Sort>> = {
  why: "sentence",
  ...{ demand: "term", sectors: "term", bounds: "term", one: "term", other: "term", places: "term", countries: "term" },
};

/** A text's values by a template; undefined where it is another text. */
function valuesOf(text: string, { pieces, names }: Template): Record<string, string> | undefined {
  const [first = "", ...rest] = pieces;
  if (!text.startsWith(first)) return undefined;
  const values: Record<string, string> = {};
  let at = first.length;
  for (const [i, piece] of rest.entries()) {
    const isLast = i === rest.length - 1;
    const end = piece === "" ? text.length : isLast ? text.length - piece.length : text.indexOf(piece, at);
    if (end <= at || !text.startsWith(piece, end)) return undefined;
    values[names[i] ?? ""] = text.slice(at, end);
    at = end + piece.length;
  }
  return values;
}

/** The product's own words in a language; null for a text that is none of them. */
export function ownWords(text: string, sort: Sort, language: AnswerLanguage): string | null {
  const { whole, templates } = books()[sort];
  const known = whole.get(text);
  if (known) return known[language];
  for (const template of templates) {
    const values = valuesOf(text, template);
    if (!values) continue;
    const said = Object.entries(values).map(([name, value]) => {
      const own = ownValues[name];
      const place = name === "country" ? placeOf(value) : undefined;
      return [name, own ? (ownWords(value, own, language) ?? value) : place ? countryName(place, language) : value];
    });
    return filled(template.phrase[language], Object.fromEntries(said));
  }
  return null;
}
