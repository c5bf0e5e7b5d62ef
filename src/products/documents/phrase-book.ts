import { once } from "../../platform/once.ts";
import { filled } from "../../platform/text.ts";
import catalogue from "./catalogue-phrases.yaml" with { type: "yaml" };
import lists from "./phrases.yaml" with { type: "yaml" };

/**
 * Translations of the product's own English in the catalogue, results and errors, for documents and for the console,
 * which fetches them. Texts of sources, sites and callers are not translated.
 */

type Phrase = Readonly<Record<"en" | "cs" | "sk" | "de", string>>;
export type PhraseLanguage = keyof Phrase;
interface Lists {
  readonly sentences: readonly Phrase[];
  readonly terms: readonly Phrase[];
}
const [said, sold] = [lists as Lists, catalogue as Lists];
/** `sentences` are looked up wherever the product's own text occurs; `terms` only where a term is expected. */
export const phrases: Lists = {
  sentences: [...said.sentences, ...sold.sentences],
  terms: [...said.terms, ...sold.terms],
};

/** A phrase with placeholders, split into the pieces between them. */
interface Template {
  readonly phrase: Phrase;
  /** The pieces before the first value, between values, and after the last. */
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
export type Sort = keyof ReturnType<typeof books>;

/** Placeholders whose values are themselves translated. */
const ownValues: Readonly<Record<string, Sort>> = {
  ...{ why: "sentence", remark: "sentence" },
  ...{ demand: "term", sectors: "term", bounds: "term", one: "term", other: "term", places: "term", countries: "term" },
  ...{ texts: "term", indicator: "term", way: "term", seen: "term", okay: "term", failing: "term" },
};

/** Returns a text's values under a template; `undefined` if it does not match. */
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

/**
 * Translates the product's own text; returns `null` if the text is not the product's. `countryIn` translates a
 * country's English name.
 */
export function ownWords(
  text: string,
  sort: Sort,
  language: PhraseLanguage,
  countryIn: (name: string, language: PhraseLanguage) => string,
): string | null {
  const { whole, templates } = books()[sort];
  const known = whole.get(text);
  if (known) return known[language];
  for (const template of templates) {
    const values = valuesOf(text, template);
    if (!values) continue;
    const said = Object.entries(values).map(([name, value]) => {
      const own = ownValues[name];
      if (own) return [name, ownWords(value, own, language, countryIn) ?? value];
      return [name, name === "country" ? countryIn(value, language) : value];
    });
    return filled(template.phrase[language], Object.fromEntries(said));
  }
  return null;
}
