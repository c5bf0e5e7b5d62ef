import { use } from "react";
import type { Language } from "./languages.ts";
import { useLanguage } from "./words.ts";

/** Translates the product's own texts, which the API returns in English. */
interface OwnWords {
  /** Translates a sentence of the catalogue, a run or an error. Text written by others stays unchanged. */
  own(text: string): string;
  /** Translates a term of the product, such as a unit. */
  term(text: string): string;
  /** Names a member or one of its values: `match_reasons` as "Match reasons". */
  nameOf(member: string): string;
}

/** Abbreviations in names that are capitalised. */
const capitals = /\b(?:url|icp|id|eu|gdp)\b/g;

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function capitalised(name: string): string {
  const parts = name.replaceAll(/[_-]+/g, " ").trim();
  const words = parts.replaceAll(capitals, (word) => word.toUpperCase()).replace(/\bemail\b/, "e-mail");
  return upperFirst(words);
}

const inEnglish: OwnWords = { own: (text) => text, term: (text) => text, nameOf: capitalised };

/** Loads the translations, about 30 kB, which readers of English don't need. If that fails, texts stay in English. */
async function read(language: Exclude<Language, "en">): Promise<OwnWords> {
  const book = await import("../../../../products/documents/phrase-book.ts").catch(() => undefined);
  if (!book) return inEnglish;
  const asNamed = (country: string): string => country;
  const said = (text: string, sort: "sentence" | "term"): string | null => book.ownWords(text, sort, language, asNamed);
  const term = (text: string): string => said(text, "term") ?? text;
  return {
    own: (text) => said(text, "sentence") ?? text,
    term,
    // Only names are taken apart: a translation may have hyphens of its own.
    nameOf: (member) => {
      const translated = term(member);
      return translated === member ? capitalised(member) : upperFirst(translated);
    },
  };
}

const readers = new Map<Language, Promise<OwnWords>>();
function readerOf(language: Exclude<Language, "en">): Promise<OwnWords> {
  const known = readers.get(language) ?? read(language);
  readers.set(language, known);
  return known;
}

/** Returns a message about an input as a sentence. The API phrases it to follow the name of the field. */
export function asSentence(message: string): string {
  const text = upperFirst(message);
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

/** Returns the translations for the reader's language. Suspends the component until they are loaded. */
export function useOwnWords(): OwnWords {
  const { language } = useLanguage();
  return language === "en" ? inEnglish : use(readerOf(language));
}
