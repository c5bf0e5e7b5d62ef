import type { Block } from "./blocks.ts";
import { clauseOf } from "./clauses.ts";
import type { Section } from "./structure.ts";

/** A part of a document that is found and cited as a unit; readers see it as a passage. */
export interface Chunk {
  readonly page: number | null;
  /** The headings above it and the clauses that it spans, joined by ` > `. */
  readonly heading: string;
  readonly text: string;
  /** Offset in the document's text, in UTF-16 code units. */
  readonly start: number;
}

/** Size of a chunk in words: small enough for one subject, large enough to cover it. */
export const wordsAtLeast = 120;
export const wordsAtMost = 220;
/** A remainder of a section with fewer words is merged into the preceding chunk. */
const smallRest = 40;
/** Maximum length of a heading in characters. Some sources mark whole sentences as headings. */
const headingAtMost = 300;

/** Counts words without listing them: the list for a document of a single paragraph took hundreds of megabytes. */
function wordsIn(text: string): number {
  const word = /\S+/g;
  let count = 0;
  while (word.test(text)) count++;
  return count;
}

function* spacesIn(text: string): Generator<number> {
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) yield at;
}

/** Splits a sentence that is longer than a chunk into parts of nearly equal length. */
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

/** Splits a long block into sentences, and those longer than a chunk into parts. */
const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?…][)"“”’]?)\s+(?=[\p{Lu}\d„"(§])|(?<=;)\s+/u).flatMap(partsOfSentence);

/** Returns the block, or its parts if it is longer than a chunk. */
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

/** Groups a section's blocks into chunks. A chunk ends when it is large enough or the next block would not fit. */
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

/** Returns the numbers of a chunk's first and last clauses, such as `3.2–3.5`. */
function spanOf(blocks: readonly Block[]): string[] {
  const labels = blocks.flatMap(({ text }) => {
    const clause = clauseOf(text);
    return clause && clause.rank > 3 && clause.rest !== "" ? [clause.label] : [];
  });
  const [first, last] = [labels[0], labels.at(-1)];
  if (first === undefined) return [];
  return [last === first ? first : `${first}–${last}`];
}

/** Separates the blocks of a document's text, to which chunk offsets refer. */
const joint = "\n";

/**
 * Splits sections into chunks by clause, of about 120 to 220 words and never across a heading. `characters` is the
 * length of the document's text in UTF-16 code units.
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
