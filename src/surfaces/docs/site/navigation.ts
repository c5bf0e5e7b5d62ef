import type { OpenApi, Operation } from "../../../web/openapi-document.ts";
import type { Page } from "../schema.ts";

/** A link to a page of the site. */
export interface Entry {
  /** Path below the installation's address, without a leading slash: `docs/quickstart`. */
  readonly path: string;
  readonly title: string;
}

/** Entries under a heading of the sidebar. */
export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** An operation with its method and path. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Groups pages under their headings, in order. */
export function guideSections(pages: readonly Page[]): Section[] {
  const groups = Map.groupBy(pages, ({ group }) => group);
  return [...groups].map(([title, members]) => ({
    title,
    entries: members.map((page) => ({ path: `docs/${page.slug}`, title: page.title })),
  }));
}

/** Returns all operations of the document, in the order of its tags. */
export function endpointsOf({ paths, tags }: OpenApi): Endpoint[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return tags.flatMap(({ name }) => all.filter(({ operation }) => operation.tags[0] === name));
}

/** Groups operations under their tags, with addresses in `folder`. */
export function operationSections(endpoints: readonly Endpoint[], folder: string): Section[] {
  const groups = Map.groupBy(endpoints, ({ operation }) => operation.tags[0] ?? "");
  return [...groups].map(([title, members]) => ({
    title,
    entries: members.map(({ operation: { operationId, summary } }) => ({
      path: `${folder}/${operationId}`,
      title: summary,
    })),
  }));
}

/** Returns the entries before and after a page, in the order of its sidebar. */
export function neighbours(
  sections: readonly Section[],
  path: string,
): readonly [Entry | undefined, Entry | undefined] {
  const entries = sections.flatMap((section) => section.entries);
  const at = entries.findIndex((entry) => entry.path === path);
  return at === -1 ? [undefined, undefined] : [entries[at - 1], entries[at + 1]];
}
