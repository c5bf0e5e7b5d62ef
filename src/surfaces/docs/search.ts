import { createPageIndex } from "../../../db/sqlite/docs.ts";
import type { Page } from "./schema.ts";

/** Runs of letters, digits and marks with at least one letter or digit: what the index's tokeniser takes for words. */
const words = /\p{M}*[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Each word in quotes, so that none is an operator; the last one also matches longer words that begin with it. */
const quoted = (found: readonly string[]): string[] =>
  found.map((word, i) => `"${word}"${i === found.length - 1 ? "*" : ""}`);

/**
 * Full-text search over the pages: the one that is called so, then those with every word, or, where there are none,
 * those with some of them. Any text is a query; one without a word finds nothing.
 */
export function createSearch(pages: readonly Page[]) {
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  const index = createPageIndex(pages);

  return (text: string, limit: number): Page[] => {
    const terms = quoted(text.match(words) ?? []);
    if (terms.length === 0) return [];
    const all = index.matching(terms.join(" AND "), limit);
    const slugs = all.length > 0 ? all : index.matching(terms.join(" OR "), limit);
    return [...new Set([text.trim().toLowerCase(), ...slugs])]
      .flatMap((slug) => bySlug.get(slug) ?? [])
      .slice(0, limit);
  };
}
