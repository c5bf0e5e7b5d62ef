import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import type { Readings } from "./computation.ts";
import type { Signals } from "./gate.ts";
import { KnownAnswers, knownShare } from "./known-answers.ts";
import { linesNamed } from "./lines.ts";
import { type AskedWord, askedFor, type Intent, matterOf, suits } from "./question.ts";
import { nameOf } from "./reading.ts";
import { type Rows, rowsBy } from "./rows.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { type Key, type Keys, keysOf, likeness } from "./words.ts";

/** A sentence, and how well it answers. */
export interface Supported {
  readonly sentence: Sentence;
  /** By what it says, 0 to about 1.6. */
  readonly worth: number;
  /** The same, plus what known questions and a reading of it alone add. Sentences are ordered by it. */
  readonly score: number;
  /** Share of the question's weighted words that the sentence itself has, 0 to 1. */
  readonly own: number;
  /** The same with the headings above it. */
  readonly stated: number;
  /** Whether it has, with its headings, each thing asked about the matter: a limit is not a deductible. */
  readonly isToThePoint: boolean;
  readonly keys: Keys;
  /** Stems of the question's words that the sentence itself has, the rarest first. */
  readonly covers: readonly string[];
}

export interface Support {
  /** Best first. Rows of a table that are about something else are left out. */
  readonly sentences: readonly Supported[];
  /** Those of them that are rows of a table in which no row matches. */
  readonly strangers: ReadonlySet<Sentence>;
  /** Share of the question's weighted words that the best chunk has with its headings, 0 to 1. */
  readonly coverage: number;
  /** The signals for the gate. */
  readonly signals: Signals;
}

const wordName = ({ stem, form }: Key): string => `${stem} ${form}`;

/**
 * Compares the words of all texts with those of the question, each pair once: a question may have hundreds of words,
 * and the texts thousands, in hundreds of sentences.
 */
class Likenesses {
  private readonly vocabulary = new Map<string, Key>();
  private readonly alike = new Map<string, readonly (readonly [Key, number])[]>();

  /** Returns the words of a text and registers them for comparison. Must be called before the first comparison. */
  keysOf(text: string, language: string): Keys {
    const keys = keysOf(text, language);
    for (const key of keys.values()) this.vocabulary.set(wordName(key), key);
    return keys;
  }

  /** Returns how surely a word is among the keys, 0 to 1. */
  best(word: Key, keys: Keys): number {
    if (keys.has(word.stem)) return 1;
    let most = 0;
    for (const [{ stem, form }, value] of this.likeThe(word))
      if (value > most && keys.get(stem)?.form === form) most = value;
    return most;
  }

  private likeThe(word: Key): readonly (readonly [Key, number])[] {
    const name = wordName(word);
    const known = this.alike.get(name);
    if (known) return known;
    const all = [...this.vocabulary.values()].map((key) => [key, likeness(word, key)] as const);
    const found = all.filter(([, value]) => value > 0);
    this.alike.set(name, found);
    return found;
  }
}

/** Likeness from which a word counts as present. */
const covered = 0.6;

interface Weighted extends AskedWord {
  readonly weight: number;
}

/** Weights words by their rarity among the chunks found: a word in all of them says little about which one answers. */
function weigh(question: readonly AskedWord[], chunks: readonly Keys[], likenesses: Likenesses): Weighted[] {
  const weighed = question.map((word) => {
    const holding = chunks.filter((keys) => likenesses.best(word, keys) >= covered).length;
    return { ...word, weight: word.share * Math.log(1 + (chunks.length + 1) / (Math.max(0.5, holding) + 0.5)) };
  });
  return weighed.sort((a, b) => b.weight - a.weight);
}

/** Returns the share of the weighted words among the keys; a word that only `around` has counts six tenths. */
function share(words: readonly Weighted[], likenesses: Likenesses, keys: Keys, around?: Keys): number {
  let whole = 0;
  let held = 0;
  for (const word of words) {
    whole += word.weight;
    const inside = likenesses.best(word, keys);
    held += word.weight * (around && inside < 1 ? Math.max(inside, 0.6 * likenesses.best(word, around)) : inside);
  }
  return whole > 0 ? held / whole : 0;
}

/**
 * Returns whether a chunk is about the matter: it, or its document's title, has one of the words that name it. What is
 * asked about the matter must also be in some chunk: a deductible of something else is no answer, nor is the matter
 * alone.
 */
function isOnMatter(
  words: readonly Weighted[],
  likenesses: Likenesses,
  chunks: readonly Keys[],
  { chunk, document }: Chunk,
): boolean {
  const own = likenesses.keysOf(`${document.title}\n${chunk.heading}\n${chunk.text}`, document.language);
  const holds = (keys: Keys) => (word: Weighted) => likenesses.best(word, keys) >= covered;
  const matter = words.filter(({ role }) => role === "matter");
  const aspects = words.filter(({ role }) => role === "aspect");
  return (
    (matter.length === 0 || matter.some(holds(own))) &&
    aspects.every((word) => chunks.some((keys) => holds(keys)(word)))
  );
}

interface Scored {
  readonly language: SearchLanguage;
  readonly words: readonly Weighted[];
  readonly likenesses: Likenesses;
  readonly asked: KnownAnswers;
  readonly held: readonly Keys[];
  readonly scored: readonly Supported[];
  readonly intent: Intent;
  readonly coverage: number;
  readonly lines: ReadonlySet<string>;
  /** The highest likeness in meaning of the chunks found; undefined if none was judged. */
  readonly likest: number | undefined;
  readonly readings: Readings;
}

/** Returns the signals of the best sentence: how much of the question it has, and how far it is ahead. */
function signalsOf(all: Scored): Signals {
  const { language, words, likenesses, asked, held, scored, intent, coverage, lines, likest, readings } = all;
  const [first] = scored;
  const found = first?.sentence.found;
  const rival = scored.find(({ sentence }) => sentence.found.chunk.id !== found?.chunk.id);
  const own = found
    ? likenesses.keysOf(`${found.document.title}\n${found.chunk.heading}\n${found.chunk.text}`, found.document.language)
    : new Map();
  const matter = words.filter(({ role }) => role === "matter");
  const [rarest] = words;
  const whole = words.reduce((sum, { weight }) => sum + weight, 0);
  const exact = words.reduce((sum, { stem, weight }) => sum + (own.has(stem) ? weight : 0), 0);
  const values = {
    coverage,
    stated: first?.stated ?? 0,
    own: first?.own ?? 0,
    on_matter: found && isOnMatter(words, likenesses, held, found) ? 1 : 0,
    margin: (first?.worth ?? 0) - (rival?.worth ?? 0),
    best: first?.worth ?? 0,
    matter: matter.length > 0 ? share(matter, likenesses, own) : 0.5,
    rarest: rarest ? likenesses.best(rarest, own) : 0,
    rarest_said: rarest && first ? likenesses.best(rarest, first.keys) : 0,
    exact: whole > 0 ? exact / whole : 0,
    words: Math.log1p(words.length),
    rank: first ? 1 / (1 + first.sentence.rank) : 0,
    suits: first ? suits(intent, first.sentence.quote) : 0,
    whether: intent.whether ? 1 : 0,
    amount: intent.amount ? 1 : 0,
    time: intent.time ? 1 : 0,
    line: found ? lineShare(lines, found) : 0,
    foreign: found && found.document.language !== language ? 1 : 0,
    likeness: 8 * ((found?.likeness ?? leastLikeness) - leastLikeness),
    likest: 8 * ((likest ?? leastLikeness) - leastLikeness),
    read: first ? sureness(readings.near[nameOf(first.sentence)]) : 0,
    best_read: Math.max(0, ...Object.values(readings.near).map(sureness)),
    alone: first ? sureness(readings.alone[nameOf(first.sentence)]) : 0,
    lead: (first?.score ?? 0) - (rival?.score ?? 0),
    ...asked.signalsOf(first?.sentence),
  };
  return values;
}

/** Returns a reading as a signal, about 0 to 3.3: its bounded logit, since .9 is as far from .99 as .5 from .9. */
function sureness(reading: number | undefined): number {
  if (reading === undefined) return 0;
  const bounded = Math.min(0.993, Math.max(0.007, reading));
  return (Math.log(bounded / (1 - bounded)) + 5) / 3;
}

/** Maximum that a reading with its neighbours adds to a sentence's worth. */
const readingShare = 0.3;
/** Maximum that a reading on its own adds to its score: it shows which of several neighbours answers. */
const aloneShare = 1;

const unread: Readings = { near: {}, alone: {} };

/** Returns how much a chunk's rank in retrieval counts for its sentences. */
const rankShare = (rank: number): number => 1 / (1 + 0.35 * rank);

/** Returns 1 for a chunk of a line that the question names, 0 for another line, and 0.5 if either has no line. */
const lineShare = (lines: ReadonlySet<string>, { document: { product_line } }: Chunk): number =>
  lines.size === 0 || product_line === null ? 0.5 : lines.has(product_line) ? 1 : 0;

/** Cosines of the encoder are hardly ever lower. */
const leastLikeness = 0.3;
/** How much less alike than the most similar chunk one may be before its meaning counts nothing. */
const likenessRange = 0.09;

/** Returns how near a chunk comes to the most similar one in meaning, 0 to 1; 0 if none was judged. */
const meaningShare = (likest: number | undefined, { likeness }: Chunk): number =>
  likest === undefined || likeness === undefined ? 0 : Math.max(0, 1 - (likest - likeness) / likenessRange);

const typeShare: Readonly<Record<string, number>> = { terms: 0.04, ipid: 0.02, methodology: 0 };

const unsuitable = (quote: string): boolean => {
  const words = quote.match(/\p{L}+/gu)?.length ?? 0;
  return words < 4 || quote.length > 1_200;
};

/** Returns the words of a sentence, also with its headings, and of what is around it. */
function keysIn({ found, quote, around }: Sentence, likenesses: Likenesses) {
  const { chunk, document } = found;
  return {
    keys: likenesses.keysOf(quote, document.language),
    headed: likenesses.keysOf(`${chunk.heading}\n${quote}`, document.language),
    around: likenesses.keysOf(around, document.language),
  };
}

/** Returns what the question says about the rows of tables. */
function rowsOf(
  sentences: readonly Sentence[],
  { question, language }: Asked,
  words: readonly Weighted[],
  likenesses: Likenesses,
): Rows {
  return rowsBy(sentences, {
    question,
    language,
    matter: matterOf(question, words),
    holds: (text, { found: { document } }, word) =>
      likenesses.best(word, likenesses.keysOf(text, document.language)) >= covered,
  });
}

interface Asked {
  readonly question: string;
  readonly language: SearchLanguage;
  readonly intent: Intent;
  readonly chunks: readonly Chunk[];
  readonly readings?: Readings | undefined;
}

/**
 * Scores the sentences of the chunks found against the question: by its words in the sentence (in full) and around it
 * (six tenths), the form that the question asks for, and the chunk's rank. The weights were set by hand on the starter
 * corpus; `bun run bench:evidence` shows what they achieve.
 */
export function supportFor(given: Asked): Support {
  const { question, language, intent, chunks, readings = unread } = given;
  const likenesses = new Likenesses();
  for (const { document } of chunks) likenesses.keysOf(document.title, document.language);
  const held = chunks.map(({ chunk, document }) =>
    likenesses.keysOf(`${chunk.heading}\n${chunk.text}`, document.language),
  );
  const all = chunks
    .flatMap((found, rank) => sentencesOf(found, rank))
    .filter(({ quote }) => !unsuitable(quote))
    .map((sentence) => ({ sentence, ...keysIn(sentence, likenesses) }));
  const words = weigh(askedFor(question, language), held, likenesses);
  const aspects = words.filter(({ role }) => role === "aspect");
  const lines = linesNamed(question);
  const asked = new KnownAnswers(chunks);
  const judged = chunks.flatMap(({ likeness }) => likeness ?? []);
  const likest = judged.length > 0 ? Math.max(...judged) : undefined;
  const { others, strangers } = rowsOf(
    all.map(({ sentence }) => sentence),
    given,
    words,
    likenesses,
  );
  const sentences = all.filter(({ sentence }) => !others.has(sentence));
  const scored = sentences.map(({ sentence, keys, headed, around }): Supported => {
    const { document } = sentence.found;
    const own = share(words, likenesses, keys);
    const stated = share(words, likenesses, headed);
    const worth =
      0.75 * share(words, likenesses, keys, around) +
      0.2 * suits(intent, sentence.quote) +
      0.2 * rankShare(sentence.rank) +
      0.25 * lineShare(lines, sentence.found) +
      0.3 * meaningShare(likest, sentence.found) +
      readingShare * (readings.near[nameOf(sentence)] ?? 0) +
      (typeShare[document.document_type ?? ""] ?? 0.02);
    const covers = words.filter((word) => likenesses.best(word, keys) >= covered).map(({ stem }) => stem);
    const isToThePoint = aspects.every((word) => likenesses.best(word, headed) >= covered);
    const score = worth + knownShare * asked.of(sentence) + aloneShare * (readings.alone[nameOf(sentence)] ?? 0);
    return { sentence, worth, score, own, stated, isToThePoint, keys, covers };
  });
  scored.sort((a, b) => b.score - a.score);
  const coverage = held.reduce((most, keys) => Math.max(most, share(words, likenesses, keys)), 0);
  return {
    sentences: scored,
    strangers,
    coverage,
    signals: signalsOf({ language, words, likenesses, asked, held, scored, intent, coverage, lines, likest, readings }),
  };
}
