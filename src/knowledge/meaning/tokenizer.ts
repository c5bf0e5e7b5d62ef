/**
 * The tokenizer of the multilingual models: a unigram model as in SentencePiece, which splits a word into the most
 * probable sequence of known pieces. Libraries for it weigh tens of megabytes or read 17 MB of JSON; this implements
 * the one case needed.
 */

/** Marks the start of a word. */
const wordMark = "\u2581";
/** Ids that are not pieces of text. */
export const special = { begin: 0, pad: 1, end: 2, unknown: 3 } as const;
/** Score penalty of an unknown character relative to the least probable piece. */
const unknownPenalty = 10;
/** Maximum size of the cache of split words; texts repeat their words. */
const mostKept = 20_000;
/** Maximum length of a word in characters. Longer runs are split, so that the time stays linear. */
const longestWord = 64;

/** Converts texts to token ids. */
export class Tokenizer {
  private readonly known = new Map<string, readonly number[]>();
  private readonly ids = new Map<string, number>();
  private readonly longest: number;
  private readonly unknownScore: number;

  constructor(
    pieces: readonly string[],
    private readonly scores: Float32Array,
  ) {
    let longest = 1;
    let least = 0;
    for (const [id, piece] of pieces.entries()) {
      if (id <= special.unknown) continue;
      this.ids.set(piece, id);
      longest = Math.max(longest, piece.length);
      least = Math.min(least, scores[id] ?? 0);
    }
    this.longest = longest;
    this.unknownScore = least - unknownPenalty;
  }

  /** Returns a text's token ids, at most `limit`, without begin and end marks. */
  encode(text: string, limit: number): number[] {
    const ids: number[] = [];
    for (const word of text.normalize("NFKC").split(/[\s\p{Cc}]+/u)) {
      for (let at = 0; at < word.length; at += longestWord) {
        if (ids.length >= limit) return ids.slice(0, limit);
        ids.push(...this.cut((at === 0 ? wordMark : "") + word.slice(at, at + longestWord)));
      }
    }
    return ids.slice(0, limit);
  }

  private cut(word: string): readonly number[] {
    const known = this.known.get(word);
    if (known) return known;
    const ids = this.mostProbable(word);
    if (this.known.size >= mostKept) this.known.clear();
    this.known.set(word, ids);
    return ids;
  }

  /** Viterbi: finds the best path to each position, then walks back. Adjacent unknown characters become one token. */
  private mostProbable(word: string): number[] {
    const best = new Float64Array(word.length + 1).fill(Number.NEGATIVE_INFINITY);
    const from = new Int32Array(word.length + 1);
    const piece = new Int32Array(word.length + 1);
    best[0] = 0;
    for (let start = 0; start < word.length; start++) {
      const reached = best[start] ?? Number.NEGATIVE_INFINITY;
      if (reached === Number.NEGATIVE_INFINITY) continue;
      const take = (end: number, score: number, id: number): void => {
        if (reached + score <= (best[end] ?? 0)) return;
        best[end] = reached + score;
        from[end] = start;
        piece[end] = id;
      };
      for (let end = start + 1; end <= Math.min(word.length, start + this.longest); end++) {
        const id = this.ids.get(word.slice(start, end));
        if (id !== undefined) take(end, this.scores[id] ?? 0, id);
      }
      take(start + ((word.codePointAt(start) ?? 0) > 0xffff ? 2 : 1), this.unknownScore, special.unknown);
    }
    const ids: number[] = [];
    for (let at = word.length; at > 0; at = from[at] ?? 0) {
      const id = piece[at] ?? special.unknown;
      if (id !== special.unknown || ids.at(-1) !== special.unknown) ids.push(id);
    }
    return ids.reverse();
  }
}
