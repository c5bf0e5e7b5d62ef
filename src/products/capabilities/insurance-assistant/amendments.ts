import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import { isRepeal } from "../../../knowledge/faithfulness/statement/beside.ts";
import { readStatement } from "../../../knowledge/faithfulness/statement/read.ts";
import { isLater } from "../../../knowledge/retrieval/versions.ts";
import { namesClauseOf, tellsChange } from "./clauses.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";

/** A sentence, and the one of a later document that deletes or replaces its clause. */
export interface Amendment {
  readonly quoted: Sentence;
  readonly by: Sentence;
}

/** Returns whether a sentence repeals what another says, by their words, for documents without clause numbers. */
function repeals(change: Sentence, quoted: Sentence): boolean {
  const read = ({ own, found: { document } }: Sentence) => readStatement(own, document.language);
  return isRepeal(read(quoted), read(change));
}

/**
 * Returns what later documents change in the quoted sentences. `compose.ts` handles different figures; a deleted clause
 * has none.
 */
export function amendmentsOf(quoted: readonly Sentence[], later: readonly Chunk[]): Amendment[] {
  const changes = later.flatMap((found) => sentencesOf(found, 0)).filter(({ quote }) => tellsChange(quote));
  return quoted.flatMap((one) => {
    const { document } = one.found;
    const by = changes.find(
      (change) =>
        isLater(change.found.document, document) &&
        change.found.document.carrier === document.carrier &&
        (namesClauseOf(change, one) ?? repeals(change, one)),
    );
    return by ? [{ quoted: one, by }] : [];
  });
}
