import { use } from "react";
import type { Language } from "./languages.ts";
import { useLanguage } from "./words.ts";

/** What the product says of itself, which the API has in English, in the reader's language. */
interface OwnWords {
  /** A sentence of the catalogue, a run or an error; one that somebody else wrote stays as it is. */
  own(text: string): string;
  /** The name of a member, or of one of its values: `match_reasons` as "Match reasons". */
  nameOf(member: string): string;
}

/** What is written in capitals inside a name. */
const capitals = /\b(?:url|icp|id|eu|gdp)\b/g;

function capitalised(name: string): string {
  const parts = name.replaceAll(/[_-]+/g, " ").trim();
  const words = parts.replaceAll(capitals, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const inEnglish: OwnWords = { own: (text) => text, nameOf: capitalised };

/** The book of phrases is some 30 kB, which nobody fetches who reads English. Without it, texts stay in English. */
async function read(language: Exclude<Language, "en">): Promise<OwnWords> {
  const book = await import("../../../../products/documents/phrase-book.ts").catch(() => undefined);
  if (!book) return inEnglish;
  const asNamed = (country: string): string => country;
  const said = (text: string, sort: "sentence" | "term"): string | null => book.ownWords(text, sort, language, asNamed);
  return {
    own: (text) => said(text, "sentence") ?? text,
    nameOf: (member) => capitalised(said(member, "term") ?? member),
  };
}

const readers = new Map<Language, Promise<OwnWords>>();
function readerOf(language: Exclude<Language, "en">): Promise<OwnWords> {
  const known = readers.get(language) ?? read(language);
  readers.set(language, known);
  return known;
}

/** The product's own words in the reader's language. A component waits for them, as a page for its program. */
export function useOwnWords(): OwnWords {
  const { language } = useLanguage();
  return language === "en" ? inEnglish : use(readerOf(language));
}
