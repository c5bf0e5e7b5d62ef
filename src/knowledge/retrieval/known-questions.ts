import { readFile } from "node:fs/promises";
import type { Log } from "../../platform/log.ts";
import type { AskedBefore, Chunk } from "../corpus/corpus.ts";
import { dimensions } from "../meaning/words.ts";
import { type CooperativeYield, cooperativeYield, type Turns } from "./cooperative-yield.ts";
import { decodeIndex, encodeIndex, sectionOf } from "./layout.ts";
import { Comparison } from "./nearest.ts";
import { passageText, textKey, textKeyAt } from "./passage-text.ts";
import type { SearchIndex } from "./search-index.ts";
import { normalise, type Quantised, quantise } from "./vectors.ts";
import { Best } from "./words.ts";

/** Cosines of a question and a passage are rarely lower. */
const leastLikeness = 0.3;
/** Number of passages that are candidates for their known questions, whatever their word scores. */
const nearestJudged = 10;

/** A question written for a passage. */
export interface KnownQuestion {
  /** The passage as the encoder reads it: `passageText` of its chunk. */
  readonly passage: string;
  /** The question's vector, of unit length. */
  readonly vector: Float32Array;
  /** The range of the chunk's text that answers it, in UTF-16 code units; null if the passage only nearly does. */
  readonly answer: { readonly from: number; readonly to: number } | null;
}

/**
 * Returns the highest similarity of a question to those that a passage is known to answer. For a passage without known
 * questions, it is estimated from the passage's own similarity, so that neither kind has an advantage, with a line
 * fitted to 53,000 passages found for questions on the starter documents.
 */
export const knownLikeness = ({ askedBefore, likeness }: Pick<Chunk, "askedBefore" | "likeness">): number =>
  askedBefore === undefined
    ? 0.08 + 0.78 * (likeness ?? leastLikeness)
    : askedBefore.answered.reduce((most, one) => Math.max(most, one.likeness), 0);

/** A chunk with the range of its passage's questions, end exclusive. */
type AskedChunk = readonly [chunk: number, questions: readonly [number, number]];

/** The questions of a file. Those of one passage are adjacent. */
interface Held {
  /** The questions' vectors, transformed by the map. */
  readonly stored: Quantised;
  /** The linear map, in rows, applied to vectors before they are compared. */
  readonly map: Float32Array;
  /** Two numbers per question: start and end of its answer; both 0 if there is none. */
  readonly answers: Uint32Array;
  /** The range of each passage's questions, end exclusive, by the passage's key. */
  readonly ofPassage: ReadonlyMap<bigint, readonly [first: number, after: number]>;
  /** Cache of the chunks with known questions, by index. In a large corpus they are few. */
  readonly inIndex: WeakMap<SearchIndex, readonly AskedChunk[]>;
}

/** Returns a vector transformed by the map, of unit length. */
function mapped(map: Float32Array, vector: Float32Array): Float32Array {
  const width = vector.length;
  const taken = new Float32Array(width);
  for (let row = 0; row < width; row++) {
    let sum = 0;
    for (let at = 0; at < width; at++) sum += (map[row * width + at] ?? 0) * (vector[at] ?? 0);
    taken[row] = sum;
  }
  return normalise(taken);
}

/**
 * Encodes a file of known questions, whose vectors are compared after a linear map, given in rows. Written by
 * `tools/training/meaning/starter-questions.ts`.
 */
export function encodeKnownQuestions(questions: readonly KnownQuestion[], map: Float32Array): Uint8Array[] {
  const keyed = questions.map((question) => ({ ...question, key: textKey(question.passage) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  const count = keyed.length;
  const stored = { vectors: new Int8Array(count * dimensions), scales: new Float32Array(count), dimensions };
  for (const [at, { vector }] of keyed.entries()) quantise(mapped(map, vector), at, stored);
  return encodeIndex(
    {},
    {
      keys: Uint32Array.from(keyed.flatMap(({ key }) => [Number(key >> 32n), Number(key & 0xffff_ffffn)])),
      answers: Uint32Array.from(keyed.flatMap(({ answer }) => [answer?.from ?? 0, answer?.to ?? 0])),
      map,
      vectors: stored.vectors,
      scales: stored.scales,
    },
  );
}

function decodeKnownQuestions(file: Uint8Array): Held {
  const { sections } = decodeIndex(file);
  const keys = sectionOf(sections, "keys", Uint32Array);
  const ofPassage = new Map<bigint, readonly [number, number]>();
  for (let at = 0; at < keys.length / 2; at++) {
    const key = textKeyAt(keys, at);
    ofPassage.set(key, [ofPassage.get(key)?.[0] ?? at, at + 1]);
  }
  const vectors = sectionOf(sections, "vectors", Int8Array);
  const scales = sectionOf(sections, "scales", Float32Array);
  return {
    stored: { vectors, scales, dimensions },
    map: sectionOf(sections, "map", Float32Array),
    answers: sectionOf(sections, "answers", Uint32Array),
    ofPassage,
    inIndex: new WeakMap(),
  };
}

const placesOf = ([first, after]: readonly [number, number]): Uint32Array =>
  Uint32Array.from({ length: after - first }, (_, nth) => first + nth);

/** Returns the chunks of an index that have known questions. */
async function chunksAsked({ ofPassage, inIndex }: Held, index: SearchIndex, yieldTurn: CooperativeYield) {
  const known = inIndex.get(index);
  if (known) return known;
  const found: AskedChunk[] = [];
  for (let chunk = 0; chunk < index.meta.chunks; chunk++) {
    const questions = ofPassage.get(textKeyAt(index.textKeys, chunk));
    if (questions !== undefined) found.push([chunk, questions]);
    await yieldTurn();
  }
  inIndex.set(index, found);
  return found;
}

/** A question, compared with the known ones. */
class Asking {
  readonly #comparison: Comparison;

  constructor(
    private readonly held: Held,
    private readonly runtime: Turns,
    vector: Float32Array,
  ) {
    this.#comparison = new Comparison(held.stored, mapped(held.map, vector));
  }

  /** Returns the allowed chunks that answer the most similar known questions, best first. */
  async nearest(index: SearchIndex, allowed: Uint8Array | null): Promise<readonly number[]> {
    const yieldTurn = cooperativeYield(this.runtime);
    const best = new Best(nearestJudged);
    for (const [chunk, questions] of await chunksAsked(this.held, index, yieldTurn)) {
      const may = allowed === null || allowed[index.chunkDocuments[chunk] ?? 0] === 1;
      if (may) best.offer(chunk, this.#likest(questions));
      await yieldTurn();
    }
    return best.ranked().chunks;
  }

  /** Adds the similarities of the passage's known questions to a chunk; returns it unchanged if there are none. */
  beside(found: Chunk): Chunk {
    const questions = this.held.ofPassage.get(textKey(passageText(found.chunk)));
    return questions === undefined ? found : { ...found, askedBefore: this.#likenessTo(questions) };
  }

  #likest(questions: readonly [number, number]): number {
    const places = placesOf(questions);
    const cosines = this.#comparison.with(places);
    let most = 0;
    for (const [nth, place] of places.entries()) if (this.#isAnswered(place)) most = Math.max(most, cosines[nth] ?? 0);
    return most;
  }

  #isAnswered(place: number): boolean {
    const { answers } = this.held;
    return (answers[2 * place + 1] ?? 0) > (answers[2 * place] ?? 0);
  }

  #likenessTo(questions: readonly [number, number]): AskedBefore {
    const { answers } = this.held;
    const places = placesOf(questions);
    const cosines = this.#comparison.with(places);
    const known = [...places].map((place, nth) => ({
      from: answers[2 * place] ?? 0,
      to: answers[2 * place + 1] ?? 0,
      likeness: cosines[nth] ?? 0,
    }));
    const isAnswered = ({ from, to }: { from: number; to: number }): boolean => to > from;
    return {
      answered: known.filter(isAnswered),
      nearly: Math.max(0, ...known.filter((one) => !isAnswered(one)).map(({ likeness }) => likeness)),
    };
  }
}

/**
 * Questions written for passages, some that the passage answers and some that it nearly answers. A question is compared
 * with them, since people who want to know the same use similar words, which no document contains.
 */
export class KnownQuestions {
  #opening: Promise<Held | null> | undefined;

  /** `file` is read at the first question. */
  constructor(private readonly options: { readonly runtime: Turns; readonly file: string; readonly log: Log }) {}

  /** Returns the comparison for a question's vector; null if the file can't be used. */
  async asking(vector: Float32Array): Promise<Asking | null> {
    this.#opening ??= this.#open();
    const held = await this.#opening;
    return held && new Asking(held, this.options.runtime, vector);
  }

  async #open(): Promise<Held | null> {
    const { file, log } = this.options;
    try {
      return decodeKnownQuestions(new Uint8Array(await readFile(file)));
    } catch (error) {
      log.warn("the known questions can't be used: passages are ranked by their text only", { error });
      return null;
    }
  }
}
