import { Database } from "bun:sqlite";

/** The searchable parts of a page. */
export interface IndexedPage {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly body: string;
}

export interface PageIndex {
  /** Returns the slugs of the pages that match an FTS5 expression, best first. */
  matching(expression: string, limit: number): string[];
}

/**
 * Creates a full-text index in memory, built from the given pages. A word in the title weighs as much as twenty in the
 * body, one in the summary as much as four.
 */
export function createPageIndex(pages: readonly IndexedPage[]): PageIndex {
  const database = new Database(":memory:", { strict: true });
  database.run(
    "create virtual table pages using fts5 (slug, title, summary, body, tokenize = 'unicode61 remove_diacritics 2')",
  );
  const insert = database.query(
    "insert into pages (slug, title, summary, body) values ($slug, $title, $summary, $body)",
  );
  database.transaction(() => {
    for (const { slug, title, summary, body } of pages) insert.run({ slug, title, summary, body });
  })();
  const find = database.query<{ slug: string }, { expression: string; limit: number }>(
    "select slug from pages where pages match $expression order by bm25(pages, 20, 20, 4, 1), slug limit $limit",
  );
  return { matching: (expression, limit) => find.all({ expression, limit }).map((row) => row.slug) };
}
