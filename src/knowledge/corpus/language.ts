import { detectSearchLanguage } from "../retrieval/languages.ts";

/** So many characters decide. */
const looked = 20_000;
/** Letters of languages that are none of those told apart: text that has many of them is of another. */
const elsewhere = /[őűășțøåñãõđ]|[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/giu;
const foreignAtMost = 0.01;

/**
 * The language of a text, ISO 639-1, as the search tells it; null: it can't be told. Where nothing tells, the search
 * answers what it was given: two answers mean none.
 */
export function languageOf(text: string): string | null {
  const head = text.slice(0, looked);
  const [one, other] = [detectSearchLanguage(head, "en"), detectSearchLanguage(head, "cs")];
  const foreign = head.match(elsewhere)?.length ?? 0;
  return one === other && foreign <= head.length * foreignAtMost ? one : null;
}
