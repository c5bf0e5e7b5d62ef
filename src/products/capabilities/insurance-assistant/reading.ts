import type { Sentence } from "./sentences.ts";

/** Sentences that are read beside the question: each takes a tenth of a second. */
const mostRead = 3;
/** Characters of a sentence with its neighbours; with more, the reader ranked questions on the starter documents no better. */
const longest = 360;

/** A sentence's name in one answer. */
export const nameOf = ({ found, start }: Sentence): string => `${found.chunk.id}:${start}`;

/** Characters of a title that are read: more of it says no more of what the document is. */
const longestTitle = 120;

/** What kind of document it is, of which product or country; without a remark in brackets. */
function titled({ document: { title } }: Sentence["found"]): string {
  const whole = title.trim();
  const remark = whole.endsWith(")") ? whole.lastIndexOf("(") : -1;
  return (remark > 0 ? whole.slice(0, remark) : whole).slice(0, longestTitle).trim();
}

/** The last heading above that says something: a number alone does not. */
const headed = ({ chunk: { heading } }: Sentence["found"]): string =>
  heading
    .split(" > ")
    .findLast((one) => /\p{L}{3}/u.test(one))
    ?.trim() ?? "";

/** The sentence between its neighbours, under its heading, in the document of that title. */
function passageOf({ found, quote, near }: Sentence): string {
  const said = near.length <= longest ? near.replace(/\s+/g, " ").trim() : quote;
  return [titled(found), headed(found), said].filter((part) => part !== "").join(": ");
}

/** What is to be read of the sentences, the best first: no two that stand side by side. */
export function toRead(sentences: readonly Sentence[]): { name: string; passage: string }[] {
  const picked: Sentence[] = [];
  for (const one of sentences) {
    if (picked.length === mostRead) break;
    const isBeside = ({ found, near }: Sentence) => found.chunk.id === one.found.chunk.id && near.includes(one.near);
    if (!picked.some(isBeside)) picked.push(one);
  }
  return picked.map((sentence) => ({ name: nameOf(sentence), passage: passageOf(sentence) }));
}
