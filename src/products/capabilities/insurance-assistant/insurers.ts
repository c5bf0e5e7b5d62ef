import type { Chunk } from "../../../knowledge/corpus/corpus.ts";
import { readTable } from "../../../knowledge/language/word-table.ts";
import { fold } from "../../../platform/text.ts";
import table from "./insurers.tsv" with { type: "text" };

/** Names of insurers that people ask about, folded, in the forms that they have in a question. Written by hand. */
const names = readTable(table, ["name"]).map(({ name }) => ` ${name} `);

const spelled = (text: string): string => ` ${(fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;

/**
 * Returns whether a question names an insurer that no passage mentions: another insurer's terms are no answer to it.
 */
export function asksOfStranger(question: string, chunks: readonly Chunk[]): boolean {
  const asked = spelled(question);
  const named = names.filter((name) => asked.includes(name)).map(stemOf);
  if (named.length === 0) return false;
  const held = chunks.map(({ chunk, document }) =>
    spelled(`${document.carrier ?? ""} ${document.title} ${chunk.heading} ${chunk.text}`),
  );
  return !named.some((name) => held.some((text) => text.includes(name)));
}

/** Returns a name without its case ending: `kooperativu` and `kooperativy` are one insurer. */
const stemOf = (name: string): string => (name.length > 7 ? name.trimEnd().replace(/(?:ou|[aeiuy])$/, "") : name);
