import type { Sentence, Word } from "./reading.ts";

/** A stretch of words, as their places in the sentence. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A set of alternatives, any of which may be written. There is one object for each spelling. */
export interface Term {
  readonly written: string;
  readonly alternatives: number;
}

interface Atom {
  readonly text: string;
  readonly prefix: boolean;
  /** Maximum number of other words before it. */
  readonly gap: number;
  /** Whether it must be in the clause of the word before, with no conjunction between. */
  readonly beside: boolean;
}

/** Consecutive words, and the terms that they are an alternative of. */
interface Phrase {
  readonly first: Atom;
  readonly rest: readonly Atom[];
  readonly terms: Set<Term>;
}

/** A sentence with every place of every term that occurs in it. */
export interface Searched {
  readonly sentence: Sentence;
  places(term: Term): readonly Stretch[];
  /** Returns the terms that occur in it. */
  terms(): Iterable<Term>;
}

/** Maximum number of words between those joined by `~`, and between those joined by `+`. */
const phraseGap = 5;
const besideGap = 3;
/** Marks the end of a clause. */
const clauseEnd = "$";
const remembered = 20_000;
const nowhere: readonly Stretch[] = [];

/** Returns a test for membership in a list of words and, with `*`, prefixes of words. */
export function inList(list: string): (form: string) => boolean {
  const all = list.trim().split(/\s+/);
  const whole = new Set(all.filter((one) => !one.endsWith("*")));
  const starts = all.filter((one) => one.endsWith("*")).map((one) => one.slice(0, -1));
  return (form) => whole.has(form) || starts.some((start) => form.startsWith(start));
}

function atomsOf(written: string): Atom[] {
  let joint = "";
  return written.split(/([_~+])/).flatMap((piece) => {
    if (/^[_~+]?$/.test(piece)) {
      joint = piece;
      return [];
    }
    const prefix = piece.endsWith("*");
    const gap = joint === "~" ? phraseGap : joint === "+" ? besideGap : 0;
    return [{ text: prefix ? piece.slice(0, -1) : piece, prefix, gap, beside: joint === "+" }];
  });
}

const holds = ({ text, prefix }: Atom, { form, value }: Word): boolean =>
  text === "#" ? value !== null : prefix ? form.startsWith(text) : form === text;

/** Returns where a phrase ends whose first word is at `from`, or null if it is not there. */
function endOf(
  words: readonly Word[],
  rest: readonly Atom[],
  from: number,
  joins: (form: string) => boolean,
): number | null {
  let at = from;
  for (const atom of rest) {
    if (atom.text === clauseEnd) {
      if (words[at + 1]?.clause === words[at]?.clause) return null;
      continue;
    }
    const latest = at + 1 + atom.gap;
    at += 1;
    for (; at <= latest; at += 1) {
      const word = words[at];
      if (word === undefined) return null;
      if (atom.beside && (word.clause !== words[from]?.clause || joins(word.form))) return null;
      if (holds(atom, word)) break;
    }
    if (at > latest) return null;
  }
  return at;
}

/** Appends a value to the list of a key. */
export function file<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** All words and phrases that the rules look for. One pass over a sentence finds them all. */
export class Vocabulary {
  private readonly terms = new Map<string, Term>();
  private readonly phrases = new Map<string, Phrase>();
  /** Phrases by their first word, or by its prefix. */
  private readonly whole = new Map<string, Phrase[]>();
  private readonly begun = new Map<string, Phrase[]>();
  private longestBeginning = 0;
  private readonly begunBy = new Map<string, readonly Phrase[]>();
  /** Returns whether a word joins a separate statement. */
  private readonly joins: (form: string) => boolean;

  constructor(
    private readonly groups: Readonly<Record<string, string>>,
    conjunctions: string,
  ) {
    this.joins = inList(conjunctions);
  }

  /**
   * Returns a term. Alternatives are separated by `|`; `+` between two lists means one of each, next to each other.
   * Throws if the lexicon lacks a group.
   */
  term(written: string): Term {
    const known = this.terms.get(written);
    if (known) return known;
    const spelt = this.spelt(written);
    const term = { written, alternatives: spelt.length };
    this.terms.set(written, term);
    for (const one of spelt) this.phrase(one)?.terms.add(term);
    return term;
  }

  /** Returns a term for alternatives separated by white space, as the lexicon lists them. */
  list(written: string): Term {
    return this.term(written.trim().split(/\s+/).join("|"));
  }

  private spelt(written: string): string[] {
    const halves = written.split("+").map((half) => this.alternatives(half));
    const [left = [], right] = halves;
    if (right === undefined) return left;
    return left.flatMap((one) => right.flatMap((other) => [`${one}+${other}`, `${other}+${one}`]));
  }

  private alternatives(written: string): string[] {
    return written.split("|").flatMap((one) => {
      if (!one.startsWith("@")) return [one];
      const group = this.groups[one.slice(1)];
      if (group === undefined) throw new Error(`the lexicon has no group ${one}`);
      return group.trim().split(/\s+/);
    });
  }

  private phrase(written: string): Phrase | undefined {
    const known = this.phrases.get(written);
    if (known) return known;
    const [first, ...rest] = atomsOf(written);
    if (!first) return undefined;
    const phrase = { first, rest, terms: new Set<Term>() };
    this.phrases.set(written, phrase);
    file(first.prefix ? this.begun : this.whole, first.text, phrase);
    if (first.prefix) this.longestBeginning = Math.max(this.longestBeginning, first.text.length);
    return phrase;
  }

  /** Returns the phrases that a word may begin. Cached, because most words recur. */
  private candidates(word: Word): readonly Phrase[] {
    const known = this.begunBy.get(word.form);
    if (known) return known;
    // Bounded, so that a server's memory does not grow with its callers' vocabulary.
    if (this.begunBy.size >= remembered) this.begunBy.clear();
    const found = this.lookUp(word);
    this.begunBy.set(word.form, found);
    return found;
  }

  private lookUp({ form, value }: Word): Phrase[] {
    const found = [...(this.whole.get(form) ?? []), ...(value === null ? [] : (this.whole.get("#") ?? []))];
    for (let length = Math.min(form.length, this.longestBeginning); length > 0; length -= 1)
      found.push(...(this.begun.get(form.slice(0, length)) ?? []));
    return found;
  }

  /** Finds all terms in a sentence. */
  search(sentence: Sentence): Searched {
    const { words } = sentence;
    const places = new Map<Term, Stretch[]>();
    for (const [from, word] of words.entries())
      for (const { rest, terms } of this.candidates(word)) {
        const to = endOf(words, rest, from, this.joins);
        if (to !== null) for (const term of terms) file(places, term, { from, to });
      }
    return { sentence, places: (term) => places.get(term) ?? nowhere, terms: () => places.keys() };
  }
}
