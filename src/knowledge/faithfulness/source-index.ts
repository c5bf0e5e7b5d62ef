import { detectLanguage } from "../language/detect.ts";
import type { Language } from "../language/languages.ts";
import { synonymGroupsOf } from "../language/synonyms.ts";
import { type Token, tokenize } from "../language/tokens.ts";
import { splitSentences } from "./claims.ts";

/** One sentence of one source. `from` and `to` are the range of its tokens in the index's flat list. */
export interface SourceSentence {
  readonly source: number;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** Where a claim's word occurs: the source keys that it equals or resembles, each with a strength in (0, 1]. */
export interface Match {
  readonly strength: number;
  readonly keys: readonly (readonly [string, number])[];
  /** Keys of the same word negated (`byl` and `nebyl`, `able` and `unable`). */
  readonly negated: readonly string[];
}

// Below this similarity, two stems are different words more often than two forms of one.
const leastResemblance = 0.55;
// A synonym supports, but less surely than the word itself.
const synonymStrength = 0.6;
const verbPrefix = /^(?:vy|za|na|po|do|od|pre|pri|roz|vz|u|z|s|o)/;
const negatedPrefix = /^(?:un|in|im|ir|il|dis|non|mis)/;

const idOf = ({ key, form }: Token): string => `${key} ${form}`;

const trigramsOf = (key: string): string[] => {
  const padded = `^${key}`;
  const grams: string[] = [];
  for (let i = 0; i + 3 <= padded.length; i += 1) grams.push(padded.slice(i, i + 3));
  return grams;
};

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

/** The tokens of all sources with the lookups that alignment needs. Built once per check, then only read. */
export class SourceIndex {
  readonly sentences: SourceSentence[] = [];
  readonly tokens: Token[] = [];
  /** The sentence index of each token, by position. */
  readonly sentenceOf: number[] = [];
  private readonly positions = new Map<string, number[]>();
  private readonly forms = new Map<string, number[]>();
  private readonly keys: string[] = [];
  private readonly byTrigram = new Map<string, number[]>();
  private readonly bySynonym = new Map<number, Set<string>>();
  private readonly found = new Map<string, ReadonlyMap<number, number>>();
  private readonly matches = new Map<string, Match>();

  private constructor(readonly sources: readonly string[]) {}

  /** Indexes all sources, each in its own language. `check` is called for each sentence and each word and may throw. */
  static of(
    sources: readonly string[],
    check: () => void,
    languageOf: (text: string) => Language = detectLanguage,
  ): SourceIndex {
    const index = new SourceIndex(sources);
    for (const [source, text] of sources.entries()) index.add(text, source, languageOf(text), check);
    for (const key of index.positions.keys()) {
      if (/^[#@¤]/.test(key) || key.length < 3) continue;
      const id = index.keys.push(key) - 1;
      for (const gram of new Set(trigramsOf(key))) push(index.byTrigram, gram, id);
      check();
    }
    return index;
  }

  private add(text: string, source: number, language: Language, check: () => void): void {
    for (const { start, end } of splitSentences(text)) {
      check();
      const from = this.tokens.length;
      for (const token of tokenize(text.slice(start, end), language, start)) {
        const position = this.tokens.push(token) - 1;
        this.sentenceOf.push(this.sentences.length);
        push(this.positions, token.key, position);
        if (!this.forms.has(token.form)) this.addSynonyms(token);
        push(this.forms, token.form, position);
      }
      this.sentences.push({ source, start, end, from, to: this.tokens.length });
    }
  }

  private addSynonyms(token: Token): void {
    if (token.empty || token.kind !== "word") return;
    for (const group of synonymGroupsOf(token.form)) {
      const known = this.bySynonym.get(group);
      if (known === undefined) this.bySynonym.set(group, new Set([token.key]));
      else known.add(token.key);
    }
  }

  /** Returns the positions of a key, ascending; empty if the sources lack it. */
  positionsOf(key: string): readonly number[] {
    return this.positions.get(key) ?? [];
  }

  /** Returns the positions of a folded form, ascending. */
  positionsOfForm(form: string): readonly number[] {
    return this.forms.get(form) ?? [];
  }

  /** Returns how a claim's token is found in the sources; cached for the next claim with the same word. */
  match(token: Token): Match {
    const id = idOf(token);
    const known = this.matches.get(id);
    if (known !== undefined) return known;
    const found =
      token.kind === "word" && !token.key.startsWith("¤") ? this.matchWord(token) : this.matchExact(token.key);
    this.matches.set(id, found);
    return found;
  }

  /** Returns the sentences that have a claim's token, with the match strength in each; cached like `match`. */
  sentencesWith(token: Token): ReadonlyMap<number, number> {
    const id = idOf(token);
    const known = this.found.get(id);
    if (known !== undefined) return known;
    const strengths = new Map<number, number>();
    for (const [key, strength] of this.match(token).keys)
      for (const position of this.positionsOf(key)) {
        const sentence = this.sentenceOf[position] ?? 0;
        if ((strengths.get(sentence) ?? 0) < strength) strengths.set(sentence, strength);
      }
    this.found.set(id, strengths);
    return strengths;
  }

  private matchExact(key: string): Match {
    return this.positions.has(key)
      ? { strength: 1, keys: [[key, 1]], negated: [] }
      : { strength: 0, keys: [], negated: [] };
  }

  private matchWord(token: Token): Match {
    const keys: [string, number][] = [];
    if (this.positions.has(token.key)) keys.push([token.key, 1]);
    else for (const at of this.positionsOfForm(token.form).slice(0, 1)) keys.push([this.tokens[at]?.key ?? "", 1]);
    for (const [key, strength] of this.resembling(token.key)) if (key !== keys[0]?.[0]) keys.push([key, strength]);
    for (const group of synonymGroupsOf(token.form))
      for (const key of this.bySynonym.get(group) ?? [])
        if (!keys.some(([k]) => k === key)) keys.push([key, synonymStrength]);
    return { strength: keys.reduce((best, [, s]) => Math.max(best, s), 0), keys, negated: this.negationsOf(token) };
  }

  // Dice's coefficient over character trigrams, the share of a common prefix, or a shared root, whichever is highest.
  private resembling(key: string): [string, number][] {
    if (key.length < 4) return [];
    const grams = new Set(trigramsOf(key));
    const shared = new Map<number, number>();
    for (const gram of grams)
      for (const id of this.byTrigram.get(gram) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
    const result: [string, number][] = [];
    for (const [id, count] of shared) {
      const other = this.keys[id] ?? "";
      if (other === key || other.length < 4) continue;
      const dice = (2 * count) / (grams.size + other.length - 1);
      const prefix = commonPrefix(key, other);
      const beginning = prefix >= 4 ? prefix / Math.max(key.length, other.length) : 0;
      const bare = key.replace(verbPrefix, "");
      const root = bare.length >= 4 && bare === other.replace(verbPrefix, "") ? 0.75 : 0;
      const strength = Math.max(dice, beginning, root);
      if (strength >= leastResemblance && !isNegationOf(key, other)) result.push([other, Math.min(0.95, strength)]);
    }
    return result.sort((a, b) => b[1] - a[1]).slice(0, 4);
  }

  private negationsOf(token: Token): string[] {
    const { key } = token;
    if (key.length < 3) return [];
    const candidates = [`ne${key}`, `un${key}`, `in${key}`, `dis${key}`, `non${key}`];
    if (key.startsWith("ne") && key.length > 4) candidates.push(key.slice(2));
    const bare = key.replace(negatedPrefix, "");
    if (bare !== key && bare.length > 3) candidates.push(bare);
    return candidates.filter((candidate) => this.positions.has(candidate));
  }
}

function isNegationOf(a: string, b: string): boolean {
  return a === `ne${b}` || b === `ne${a}` || a === `un${b}` || b === `un${a}` || a === `in${b}` || b === `in${a}`;
}

function push<K>(map: Map<K, number[]>, key: K, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
