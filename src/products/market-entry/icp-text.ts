import { folded, type Phrases } from "../datasets/phrases.ts";
import { clauseStarts, comparatives, negations, numberWords } from "./icp-words.ts";

/** The words of an ICP, with what was understood and what an exclusion covers. */

export interface Token {
  readonly written: string;
  readonly folded: string;
  /** Like `folded`, but number words are replaced by digits. */
  readonly plain: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** Whether a clause starts here, which also ends the scope of an exclusion. */
  readonly opensClause: boolean;
  /** Whether an exclusion covers it: "no banks". */
  readonly isExcluded: boolean;
  isRead: boolean;
}

/** Something understood, with the original words. */
export interface Found<Value> {
  readonly value: Value;
  readonly words: string;
  readonly isExcluded: boolean;
}

/** Maximum number of words in a name. */
const longestName = 6;
const signs = /^[-–—+<>≤≥~]$/;
const tokenPattern = /\d{1,3}(?:[.,'’\u00a0 ]\d{3})+(?!\d)|\d+|\p{L}[\p{L}\p{M}\p{N}]*|[-–—+<>≤≥~]/gu;
/** A full stop that is not followed by a new sentence belongs to an abbreviation: "max. 50", "est. 1975". */
const endsClause = (gap: string, next: string): boolean =>
  /[,;:()\n]/.test(gap) || (gap.includes(".") && /^\p{Lu}/u.test(next));

const foldedToken = (written: string): string => (/^\d/.test(written) ? written.replace(/\D/g, "") : folded(written));

/** Tokenises a text. An exclusion ends with its clause or where another part of the sentence starts. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let isExcluded = false;
  const matches = [...text.matchAll(tokenPattern)].map(({ 0: written, index }) => ({ written, start: index }));
  for (const [i, { written, start }] of matches.entries()) {
    const word = foldedToken(written);
    const [before, next] = [tokens.at(-1), matches[i + 1]?.written ?? ""];
    const opensClause = before !== undefined && endsClause(text.slice(before.end, start), written);
    if (opensClause) isExcluded = false;
    // "No more than" is a comparison, and "not in Berlin" is a single exclusion.
    if (negations.has(word)) isExcluded ||= !comparatives.has(folded(next));
    else if (clauseStarts.has(word) && !(before && negations.has(before.folded))) isExcluded = false;
    const plain = numberWords.get(word) ?? word;
    const end = start + written.length;
    tokens.push({ written, folded: word, plain, start, end, opensClause, isExcluded, isRead: false });
  }
  return tokens;
}

/** An ICP during parsing: each reader marks the words it understands, and the rest is reported. */
export class IcpText {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  /** The tokens without signs. */
  private readonly words: readonly Token[];
  /**
   * The tokens with numbers as digits, a space before each and a comma between clauses; `offsets` has where each
   * starts.
   */
  private readonly plain: string;
  private readonly offsets: readonly number[];

  constructor(text: string) {
    this.text = text.normalize("NFC");
    this.tokens = tokensOf(this.text);
    this.words = this.tokens.filter(({ written }) => !signs.test(written));
    let plain = "";
    this.offsets = this.tokens.map((token) => {
      plain += token.opensClause ? ", " : " ";
      const at = plain.length;
      plain += token.plain;
      return at;
    });
    this.plain = plain;
  }

  private found<Value>(value: Value, tokens: readonly Token[]): Found<Value> {
    for (const token of tokens) token.isRead = true;
    const [first, last] = [tokens[0], tokens.at(-1)];
    return { value, words: this.text.slice(first?.start, last?.end), isExcluded: last?.isExcluded ?? false };
  }

  /** Returns the list entries that the text names, in order. Words already understood match nothing more. */
  named(phrases: Phrases): Found<string>[] {
    const open = this.words.map((token) => (token.isRead ? "" : token.folded));
    return phrases.in(open).map(({ entry, at, words }) => this.found(entry, this.words.slice(at, at + words)));
  }

  /** Returns a pattern's matches in the folded text, as their groups. */
  matching(pattern: RegExp): Found<RegExpExecArray>[] {
    return [...this.plain.matchAll(pattern)].flatMap((match) => {
      const end = match.index + match[0].length;
      const tokens = this.tokens.filter((_, i) => {
        const at = this.offsets[i] ?? 0;
        return at >= match.index && at < end;
      });
      // Words may count twice, as in "at least 10 brokers", but a number means one thing.
      const isTaken = tokens.some(({ isRead, plain }) => isRead && /^\d/.test(plain));
      return isTaken ? [] : [this.found(match, tokens)];
    });
  }

  /**
   * Runs a name reader over the words not yet understood. At each of them, it receives the words up to the next
   * understood one and the words before it, and returns how many of them form a name, and its value.
   */
  naming<Value>(
    name: (
      ahead: readonly Token[],
      before: readonly Token[],
    ) => { readonly value: Value; readonly count: number } | null,
  ): Found<Value>[] {
    return this.words.flatMap((_, at) => {
      const ahead = this.words.slice(at, at + longestName);
      const taken = ahead.findIndex(({ isRead }) => isRead);
      const open = taken < 0 ? ahead : ahead.slice(0, taken);
      const named = open.length === 0 ? null : name(open, this.words.slice(0, at));
      return named ? [this.found(named.value, open.slice(0, named.count))] : [];
    });
  }

  /** Returns the words outside any exclusion: folded, with their original form. */
  asked(): Map<string, string> {
    return new Map(this.words.filter(({ isExcluded }) => !isExcluded).map((token) => [token.folded, token.written]));
  }

  /**
   * Returns the phrases not understood, verbatim; adjacent words form one phrase. `empty`: words without meaning of
   * their own.
   */
  unread(empty: ReadonlySet<string>): string[] {
    const says = ({ isRead, folded: word, written }: Token) =>
      !isRead && !empty.has(word) && !negations.has(word) && (written.length > 1 || /\d/.test(written));
    const runs: Token[][] = [];
    for (const [i, token] of this.words.entries()) {
      const after = this.words[i + 1];
      // A negation is reported together with what it excludes.
      const leads = negations.has(token.folded) && after !== undefined && !after.opensClause && says(after);
      if (!leads && !says(token)) continue;
      const run = token.opensClause ? undefined : runs.at(-1);
      if (run && run.at(-1) === this.words[i - 1]) run.push(token);
      else runs.push([token]);
    }
    return [...new Set(runs.map((run) => this.text.slice(run[0]?.start, run.at(-1)?.end)))];
  }
}
