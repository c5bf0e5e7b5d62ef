import { readFile } from "node:fs/promises";
import type { Log } from "../../platform/log.ts";
import type { AskedBefore, Chunk } from "../corpus/corpus.ts";
import { dimensions } from "../meaning/words.ts";
import { decodeIndex, encodeIndex, sectionOf } from "./layout.ts";
import { Comparison } from "./nearest.ts";
import { passageText, textKey, textKeyAt } from "./passage-text.ts";
import { type Quantised, quantise } from "./vectors.ts";

/** A question that somebody wrote beside a passage. */
export interface KnownQuestion {
  /** The passage, as the encoder reads it: `passageText` of its chunk. */
  readonly passage: string;
  /** The question's vector, of unit length. */
  readonly vector: Float32Array;
  /** The stretch of the chunk's text that answers, in UTF-16 units; null: the passage nearly answers. */
  readonly answer: { readonly from: number; readonly to: number } | null;
}

/** The questions of a file. Those of one passage stand side by side. */
interface Held {
  readonly stored: Quantised;
  /** Two numbers for each question: where its answer begins and ends; zeros where there is none. */
  readonly answers: Uint32Array;
  /** A passage's first question, and the one after its last, by the passage's key. */
  readonly ofPassage: ReadonlyMap<bigint, readonly [first: number, after: number]>;
}

/** The bytes of a file of known questions. `tools/training/meaning/starter-questions.ts` writes it. */
export function encodeKnownQuestions(questions: readonly KnownQuestion[]): Uint8Array[] {
  const keyed = questions.map((question) => ({ ...question, key: textKey(question.passage) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  const count = keyed.length;
  const stored = { vectors: new Int8Array(count * dimensions), scales: new Float32Array(count), dimensions };
  for (const [at, { vector }] of keyed.entries()) quantise(vector, at, stored);
  return encodeIndex(
    {},
    {
      keys: Uint32Array.from(keyed.flatMap(({ key }) => [Number(key >> 32n), Number(key & 0xffff_ffffn)])),
      answers: Uint32Array.from(keyed.flatMap(({ answer }) => [answer?.from ?? 0, answer?.to ?? 0])),
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
  return { stored: { vectors, scales, dimensions }, answers: sectionOf(sections, "answers", Uint32Array), ofPassage };
}

/** How alike a question is to the known ones of a passage. */
function likenessTo({ answers }: Held, comparison: Comparison, [first, after]: readonly [number, number]): AskedBefore {
  const places = Uint32Array.from({ length: after - first }, (_, nth) => first + nth);
  const cosines = comparison.with(places);
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

/**
 * Questions that were written beside passages: some that the passage answers, some that it nearly answers. What is asked
 * is compared with those of the passages found, since people who want to know the same ask alike, in words that no
 * document has.
 */
export class KnownQuestions {
  #opening: Promise<Held | null> | undefined;

  /** `file` is read at the first comparison. */
  constructor(private readonly options: { readonly file: string; readonly log: Log }) {}

  /** The same chunks, those that have known questions with how alike they are to the one whose vector is `asked`. */
  async compare(asked: Float32Array, found: readonly Chunk[]): Promise<readonly Chunk[]> {
    this.#opening ??= this.#open();
    const held = await this.#opening;
    if (held === null) return found;
    const comparison = new Comparison(held.stored, asked);
    return found.map((one) => {
      const questions = held.ofPassage.get(textKey(passageText(one.chunk)));
      return questions === undefined ? one : { ...one, askedBefore: likenessTo(held, comparison, questions) };
    });
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
