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

/** Cosines of a question and a passage hardly ever fall below. */
const leastLikeness = 0.3;
/** So many passages are judged for their known questions, wherever the words put them. */
const nearestJudged = 10;

/** A question that somebody wrote beside a passage. */
export interface KnownQuestion {
  /** The passage, as the encoder reads it: `passageText` of its chunk. */
  readonly passage: string;
  /** The question's vector, of unit length. */
  readonly vector: Float32Array;
  /** The stretch of the chunk's text that answers, in UTF-16 units; null: the passage nearly answers. */
  readonly answer: { readonly from: number; readonly to: number } | null;
}

/**
 * How alike a question is to the likest that a passage is known to answer. One that has no known questions is taken to
 * have what its own likeness leads to expect, so that neither kind comes first for that: by a line through 53,000 passages
 * that were found for questions on the starter documents.
 */
export const knownLikeness = ({ askedBefore, likeness }: Pick<Chunk, "askedBefore" | "likeness">): number =>
  askedBefore === undefined
    ? 0.08 + 0.78 * (likeness ?? leastLikeness)
    : askedBefore.answered.reduce((most, one) => Math.max(most, one.likeness), 0);

/** A chunk with its passage's first question, and the one after its last. */
type AskedChunk = readonly [chunk: number, questions: readonly [number, number]];

/** The questions of a file. Those of one passage stand side by side. */
interface Held {
  /** As the map takes them. */
  readonly stored: Quantised;
  /** Rows of the map by which two questions are compared. */
  readonly map: Float32Array;
  /** Two numbers for each question: where its answer begins and ends; zeros where there is none. */
  readonly answers: Uint32Array;
  /** A passage's first question, and the one after its last, by the passage's key. */
  readonly ofPassage: ReadonlyMap<bigint, readonly [first: number, after: number]>;
  /** What was looked for in an index: of a large corpus few chunks have known questions. */
  readonly inIndex: WeakMap<SearchIndex, readonly AskedChunk[]>;
}

/** A vector as the map takes it, of unit length. */
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
 * The bytes of a file of known questions, compared by a linear map of their vectors, given in rows.
 * `tools/training/meaning/starter-questions.ts` writes it.
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

/** The chunks of an index that have known questions. */
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

/** A question beside the known ones. */
class Asking {
  readonly #comparison: Comparison;

  constructor(
    private readonly held: Held,
    private readonly runtime: Turns,
    vector: Float32Array,
  ) {
    this.#comparison = new Comparison(held.stored, mapped(held.map, vector));
  }

  /** The chunks that answer the likest of the known questions, the best first, of those that may answer. */
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

  /** A chunk with how alike the known questions of its passage are; as it is where there are none. */
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
 * Questions that were written beside passages: some that the passage answers, some that it nearly answers. What is asked
 * is compared with them, since people who want to know the same ask alike, in words that no document has.
 */
export class KnownQuestions {
  #opening: Promise<Held | null> | undefined;

  /** `file` is read at the first question. */
  constructor(private readonly options: { readonly runtime: Turns; readonly file: string; readonly log: Log }) {}

  /** What is asked, by its vector, beside them; null where the file can't be used. */
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
      log.warn("the known questions can't be used: passages are judged by what they say alone", { error });
      return null;
    }
  }
}
