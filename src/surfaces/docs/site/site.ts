import { html, type Markup } from "../../../accounts/pages/html.ts";
import { type Prerendered, prerender } from "../../../web/prerendered.ts";
import type { Page } from "../schema.ts";
import { frame, rootOf, type SitePage } from "./frame.ts";
import { type Endpoint, neighbours, type Section } from "./navigation.ts";
import { formsHome, home, missingPage, referenceHome, searchPage } from "./overviews.ts";
import { type Links, render } from "./render.ts";
import { requestForm } from "./request-form.ts";
import type { Shelf } from "./shelf.ts";

/** The content security policy: only our own files, nothing inline, and no framing. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

function asPage(text: string): Prerendered {
  const page = prerender(text, "text/html; charset=utf-8");
  page.headers.set("content-security-policy", policy);
  page.headers.set("x-content-type-options", "nosniff");
  page.headers.set("referrer-policy", "same-origin");
  return page;
}

const asMarkdown = ({ title, summary, body }: Page): Prerendered =>
  prerender(`# ${title}\n\n${summary}\n\n${body}\n`, "text/markdown; charset=utf-8");

/** Caches results, so that no page is rendered twice. */
function kept<T>(make: (name: string) => T | undefined): (name: string) => T | undefined {
  const made = new Map<string, T>();
  return (name) => {
    const found = made.get(name) ?? make(name);
    if (found !== undefined) made.set(name, found);
    return found;
  };
}

/**
 * Returns the link resolver for pages in a folder. `root` is the relative path from there to the installation's root.
 */
function linksFrom(root: string, pages: ReadonlyMap<string, Page>, endpoints: readonly Endpoint[]): Links {
  const byPlace = new Map(endpoints.map(({ method, path, operation }) => [`${method} ${path}`, operation.operationId]));
  const pageAt = (target: string): string | undefined => {
    const [, slug = "", rest = ""] = /^(?:\/v1\/docs\/)?([\w-]+)(#.*)?$/.exec(target) ?? [];
    return pages.has(slug) ? `${root}docs/${slug}${rest}` : undefined;
  };
  return {
    of: (target) => pageAt(target) ?? (target.startsWith("/") ? root + target.slice(1) : target),
    ofCode(text) {
      const operation = byPlace.get(text);
      if (operation !== undefined) return `${root}docs/reference/${operation}`;
      if (text.startsWith("/v1/docs/") || pages.get(text)?.kind === "error") return pageAt(text);
      return undefined;
    },
  };
}

const overviews = new Map([
  ["docs", home],
  ["docs/reference", referenceHome],
  ["docs/api", formsHome],
]);

/** Creates the documentation site. Pages are rendered when they are first requested. */
export function createSite(shelf: Shelf) {
  const { bySlug, byOperation, endpoints } = shelf;
  const shown = (page: SitePage): Prerendered => asPage(frame(page));

  /** Renders a page, without links from its text to itself. */
  function written(page: Page, path: string, sections: readonly Section[], lead: SitePage["lead"]): Prerendered {
    const links = linksFrom(rootOf(path), bySlug, endpoints);
    const ofCode = (text: string) => (text === page.slug ? undefined : links.ofCode(text));
    const { content, headings } = render(page.body, { ...links, ofCode });
    const [before, after] = neighbours(sections, path);
    return shown({ path, title: page.title, lead, content, headings, sections, before, after, markdown: `${path}.md` });
  }
  /** An operation's method and path, with a link to its other page. */
  const leadOf = ({ method, path }: Endpoint, to: string, words: string): Markup =>
    html`<span class="method">${method}</span> <code>${path}</code> <a class="try" href="../../${to}">${words}</a>`;

  return {
    /** The page of a guide, a capability, a use case or an error, by slug. */
    guide: kept((slug) => {
      const page = bySlug.get(slug);
      return page && written(page, `docs/${slug}`, shelf.guides, page.summary);
    }),
    /** The page of an operation, by its id. */
    operation: kept((id) => {
      const found = byOperation.get(id);
      const lead = found && leadOf(found.endpoint, `docs/api/${id}`, "Try it");
      return lead && written(found.page, `docs/reference/${id}`, shelf.reference, lead);
    }),
    /** The form that sends an operation's request. */
    tryIt: kept((id) => {
      const found = byOperation.get(id);
      if (!found) return undefined;
      const path = `docs/api/${id}`;
      const lead = leadOf(found.endpoint, `docs/reference/${id}`, "Reference");
      const content = requestForm(found.endpoint, rootOf(path));
      return shown({ path, title: found.page.title, lead, content, sections: shelf.forms, script: "api.js" });
    }),
    /** A guide as Markdown. */
    markdown: kept((slug) => {
      const page = bySlug.get(slug);
      return page && asMarkdown(page);
    }),
    /** An operation's page as Markdown. */
    operationMarkdown: kept((id) => {
      const found = byOperation.get(id);
      return found && asMarkdown(found.page);
    }),
    /** The overviews: the home page, the reference and the forms. */
    whole: kept((path) => {
      const make = overviews.get(path);
      return make && shown(make(shelf));
    }),
    search: (text: string): Prerendered => shown(searchPage(shelf, text)),
    missing: (path: string, name: string): Prerendered => shown(missingPage(shelf, path, name)),
  };
}

/** The documentation site. */
export type Site = ReturnType<typeof createSite>;
