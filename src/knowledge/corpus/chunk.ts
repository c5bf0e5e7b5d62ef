import type { Block } from "./blocks.ts";
import { clauseOf } from "./clauses.ts";
import type { Section } from "./structure.ts";

/** A part of a document as it is found and cited: a passage to its readers. */
export interface Chunk {
  readonly page: number | null;
  /** The headings above it and the clauses that it spans, ` > ` between them. */
  readonly heading: string;
  readonly text: string;
  /** Where it begins in the document's text, in UTF-16 units. */
  readonly start: number;
}

/** Words of a chunk: small enough to be about one thing, large enough to say it whole. */
export const wordsAtLeast = 120;
export const wordsAtMost = 220;
/** A rest of a section that is smaller goes with the chunk before it. */
const smallRest = 40;
/** Longer headings are cut: a few sources mark whole sentences as such. */
const headingAtMost = 300;

/** Counted without a list of them: the words of a document that is one paragraph took hundreds of megabytes. */
function wordsIn(text: string): number {
  const word = /\S+/g;
  let count = 0;
  while (word.test(text)) count++;
  return count;
}

function* spacesIn(text: string): Generator<number> {
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) yield at;
}

/** A sentence, or parts of it, as equal as can be, when it is longer than a chunk may be. */
function partsOfSentence(sentence: string): string[] {
  let words = 1;
  for (const _ of spacesIn(sentence)) words++;
  const size = Math.ceil(words / Math.ceil(words / wordsAtMost));
  const parts: string[] = [];
  let [from, passed] = [0, 0];
  for (const at of spacesIn(sentence))
    if (++passed % size === 0) {
      parts.push(sentence.slice(from, at));
      from = at + 1;
    }
  return [...parts, sentence.slice(from)];
}

/** Sentences of a long block, and parts of those when one is longer than a chunk may be. */
const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?…][)"“”’]?)\s+(?=[\p{Lu}\d„"(§])|(?<=;)\s+/u).flatMap(partsOfSentence);

/** A block, or its parts when it is longer than a chunk may be. */
function partsOf(one: Block): Block[] {
  if (wordsIn(one.text) <= wordsAtMost) return [one];
  const parts: string[] = [];
  for (const sentence of sentencesOf(one.text)) {
    const last = parts.at(-1);
    if (last !== undefined && wordsIn(last) + wordsIn(sentence) <= wordsAtMost)
      parts[parts.length - 1] = `${last} ${sentence}`;
    else parts.push(sentence);
  }
  return parts.map((text) => ({ ...one, text }));
}

/** Packs a section's blocks. A chunk ends once it is large enough, or would become too large. */
function packed(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  const sizes: number[] = [];
  for (const part of blocks.flatMap(partsOf)) {
    const size = wordsIn(part.text);
    const held = sizes.at(-1) ?? 0;
    const fits = groups.length > 0 && held + size <= wordsAtMost && held < wordsAtLeast;
    if (fits) {
      groups.at(-1)?.push(part);
      sizes[sizes.length - 1] = held + size;
    } else {
      groups.push([part]);
      sizes.push(size);
    }
  }
  const [rest, before] = [groups.at(-1), groups.at(-2)];
  if (rest && before && (sizes.at(-1) ?? 0) < smallRest && (sizes.at(-2) ?? 0) + smallRest <= wordsAtMost) {
    before.push(...rest);
    groups.pop();
  }
  return groups;
}

/** The numbers of the clauses that a chunk begins and ends with: `3.2–3.5`. */
function spanOf(blocks: readonly Block[]): string[] {
  const labels = blocks.flatMap(({ text }) => {
    const clause = clauseOf(text);
    return clause && clause.rank > 3 && clause.rest !== "" ? [clause.label] : [];
  });
  const [first, last] = [labels[0], labels.at(-1)];
  if (first === undefined) return [];
  return [last === first ? first : `${first}–${last}`];
}

/** Chunks count their place in the document's text as its blocks, a line each. */
const joint = "\n";

/**
 * Cuts sections into chunks: by clause, of about 120 to 220 words, never across a heading. `characters` is the length of
 * the document's text, in UTF-16 units.
 */
export function chunk(sections: readonly Section[]): { chunks: Chunk[]; characters: number } {
  const chunks: Chunk[] = [];
  let at = 0;
  for (const { path, blocks } of sections)
    for (const group of packed(blocks)) {
      const text = group.map((one) => one.text).join(joint);
      const heading = [...path, ...spanOf(group)].join(" > ").slice(0, headingAtMost);
      chunks.push({ page: group[0]?.page ?? null, heading, text, start: at });
      at += text.length + joint.length;
    }
  return { chunks, characters: Math.max(0, at - joint.length) };
}
