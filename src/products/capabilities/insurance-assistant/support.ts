import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import { type AskedWord, askedFor, type Intent, suits } from "./question.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { type Key, type Keys, keysOf, likeness } from "./words.ts";

/** A sentence with how much it answers, 0 to about 1.3. */
export interface Supported {
  readonly sentence: Sentence;
  readonly score: number;
  /** Share of the question's weighted words that the sentence itself has, 0 to 1. */
  readonly own: number;
  /** The same with the headings above it. */
  readonly stated: number;
  readonly keys: Keys;
  /** Stems of the question's words that the sentence itself has, the rarest first. */
  readonly covers: readonly string[];
}

export interface Support {
  /** The best first. */
  readonly sentences: readonly Supported[];
  /** Share of the question's weighted words that the best chunk has with its headings, 0 to 1. */
  readonly coverage: number;
  /** Whether the chunk of the best sentence speaks of what the question asks about. */
  readonly isOnMatter: boolean;
}

/** How surely the words hold this one. */
function best(key: Key, keys: Keys): number {
  if (keys.has(key.stem)) return 1;
  let most = 0;
  for (const other of keys.values()) most = Math.max(most, likeness(key, other));
  return most;
}

/** From this likeness on a word counts as held. */
const covered = 0.6;

interface Weighted extends AskedWord {
  readonly weight: number;
}

/** Words by their rarity among the chunks found: what all of them have says little of which one answers. */
function weigh(question: readonly AskedWord[], chunks: readonly Keys[]): Weighted[] {
  const weighed = question.map((word) => {
    const holding = chunks.filter((keys) => best(word, keys) >= covered).length;
    return { ...word, weight: word.share * Math.log(1 + (chunks.length + 1) / (Math.max(0.5, holding) + 0.5)) };
  });
  return weighed.sort((a, b) => b.weight - a.weight);
}

/** The share of the weighted words that the keys hold; a word that `around` alone holds counts six tenths. */
function share(words: readonly Weighted[], keys: Keys, around?: Keys): number {
  let whole = 0;
  let held = 0;
  for (const word of words) {
    whole += word.weight;
    const inside = best(word, keys);
    held += word.weight * (around && inside < 1 ? Math.max(inside, 0.6 * best(word, around)) : inside);
  }
  return whole > 0 ? held / whole : 0;
}

/**
 * Whether a chunk speaks of the matter: it, or its document's title, holds one of the words that name it. And whether
 * what is asked of the matter is anywhere at all: a deductible of something else is no answer, nor is the matter alone.
 */
function isOnMatter(words: readonly Weighted[], chunks: readonly Keys[], { chunk, document }: Chunk): boolean {
  const own = keysOf(`${document.title}\n${chunk.heading}\n${chunk.text}`, document.language);
  const matter = words.filter(({ role }) => role === "matter");
  const aspects = words.filter(({ role }) => role === "aspect");
  return (
    (matter.length === 0 || matter.some((word) => best(word, own) >= covered)) &&
    aspects.every((word) => chunks.some((keys) => best(word, keys) >= covered))
  );
}

/** How far a chunk's place in the order of retrieval speaks for its sentences. */
const rankShare = (rank: number): number => 1 / (1 + 0.35 * rank);

const typeShare: Readonly<Record<string, number>> = { terms: 0.04, ipid: 0.02, methodology: 0 };

const unsuitable = (quote: string): boolean => {
  const words = quote.match(/\p{L}+/gu)?.length ?? 0;
  return words < 4 || quote.length > 1_200;
};

/**
 * Scores the sentences of the chunks found against the question: its words in the sentence (whole), around it (six
 * tenths), the form that the question asks for, and the chunk's rank. The weights were set by hand on the starter
 * corpus; `bun run bench:evidence` shows what they achieve.
 */
export function supportFor(
  question: string,
  language: SearchLanguage,
  intent: Intent,
  chunks: readonly Chunk[],
): Support {
  const held = chunks.map(({ chunk, document }) => keysOf(`${chunk.heading}\n${chunk.text}`, document.language));
  const words = weigh(askedFor(question, language), held);
  const sentences = chunks.flatMap((found, rank) => sentencesOf(found, rank)).filter(({ quote }) => !unsuitable(quote));
  const scored = sentences.map((sentence): Supported => {
    const { document } = sentence.found;
    const keys = keysOf(sentence.quote, document.language);
    const own = share(words, keys);
    const stated = share(words, keysOf(`${sentence.found.chunk.heading}\n${sentence.quote}`, document.language));
    const around = keysOf(sentence.around, document.language);
    const score =
      0.75 * share(words, keys, around) +
      0.2 * suits(intent, sentence.quote) +
      0.2 * rankShare(sentence.rank) +
      (typeShare[document.document_type ?? ""] ?? 0.02);
    const covers = words.filter((word) => best(word, keys) >= covered).map(({ stem }) => stem);
    return { sentence, score, own, stated, keys, covers };
  });
  scored.sort((a, b) => b.score - a.score);
  const [first] = scored;
  return {
    sentences: scored,
    isOnMatter: first !== undefined && isOnMatter(words, held, first.sentence.found),
    coverage: held.reduce((most, keys) => Math.max(most, share(words, keys)), 0),
  };
}
