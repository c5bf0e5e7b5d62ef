import { fold } from "../../platform/text.ts";
import { isStopWord } from "../language/function-words.ts";
import type { SearchLanguage } from "../language/languages.ts";
import { stem } from "../language/stem.ts";

/** A word of a text as it is indexed. */
export interface Term {
  /** Lower case, without accents. */
  readonly form: string;
  readonly stem: string;
  /** Whether it is a function word: kept for phrases, not searched for on its own. */
  readonly isStop: boolean;
}

const pattern = /\d{1,3}(?:[  \u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{M}]*/gu;
/** `1.300.000`, `1 300 000` and `1,300,000` are one number; a single separator is a decimal one. */
const number = (written: string): string =>
  /^\d{1,3}(?:[.,  \u202f]\d{3})+$/.test(written) ? written.replace(/\D/g, "") : written.replaceAll(",", ".");

function numberTerm(written: string): Term {
  const stem = number(written);
  return { form: stem, stem, isStop: false };
}

/** Maximum size of the cache of terms per language; texts repeat their words. */
const rememberedAtMost = 50_000;
const remembered = new Map<SearchLanguage, Map<string, Term>>();

function termOf(written: string, language: SearchLanguage, known: Map<string, Term>): Term {
  const found = known.get(written);
  if (found !== undefined) return found;
  const folded = fold(written);
  const term = { form: folded, stem: stem(folded, language), isStop: isStopWord(folded, language) };
  if (known.size >= rememberedAtMost) known.clear();
  if (written.length <= 40) known.set(written, term);
  return term;
}

/** Returns the terms of a text, in order. Used for both chunks and questions, so that their terms match. */
export function analyse(text: string, language: SearchLanguage): Term[] {
  const known = remembered.get(language) ?? new Map<string, Term>();
  remembered.set(language, known);
  const terms: Term[] = [];
  for (const [written] of text.matchAll(pattern))
    terms.push(/^\d/.test(written) ? numberTerm(written) : termOf(written, language, known));
  return terms;
}
