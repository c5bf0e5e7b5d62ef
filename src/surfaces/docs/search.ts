import { createPageIndex } from "../../../db/sqlite/docs.ts";
import type { Page } from "./schema.ts";

/** Matches the index tokeniser's words: runs of letters, digits and marks with at least one letter or digit. */
const words = /\p{M}*[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Quotes each word, so that none is parsed as an operator. The last one matches by prefix. */
const quoted = (found: readonly string[]): string[] =>
  found.map((word, i) => `"${word}"${i === found.length - 1 ? "*" : ""}`);

/**
 * Creates a full-text search over the pages. The page with that exact slug comes first, then pages with all words or,
 * if there are none, with any of them. Any text is a valid query; one without words finds nothing.
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
