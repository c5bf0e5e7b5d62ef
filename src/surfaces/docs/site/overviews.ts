import { html, type Markup } from "../../../accounts/pages/html.ts";
import { suggestions } from "../../../platform/suggest.ts";
import { rootOf, type SitePage } from "./frame.ts";
import { addressOf, type Shelf } from "./shelf.ts";

const card = (root: string, path: string, title: string, summary: string): Markup =>
  html`<li><a href="${root}${path}"><strong>${title}</strong><span>${summary}</span></a></li>\n`;

/** The documentation's home page: all guides with their summaries. */
export function home({ guides, bySlug }: Shelf): SitePage {
  const root = rootOf("docs");
  const shown = guides.filter(({ title }) => title !== "Error codes");
  const groups = shown.map(({ title, entries }) => {
    const cards = entries.map(({ path, title: name }) =>
      card(root, path, name, bySlug.get(path.slice("docs/".length))?.summary ?? ""),
    );
    return html`<h2>${title}</h2>\n<ul class="cards">\n${cards}</ul>\n`;
  });
  const lead = "Run priced, governed checks and analyses through one API, and keep a signed receipt of each.";
  return { path: "docs", title: "Documentation", lead, content: html`${groups}`, sections: guides };
}

/** Tables of all operations by tag, with links into `folder`. */
function operationTables({ document, endpoints }: Shelf, folder: string): Markup {
  const root = rootOf(folder);
  const words = new Map(document.tags.map(({ name, description }) => [name, description]));
  const groups = [...Map.groupBy(endpoints, ({ operation: { tags } }) => tags[0] ?? "")].map(([tag, members]) => {
    const rows = members.map(
      ({ method, path, operation: { operationId, summary } }) =>
        html`<tr><td><a href="${root}${folder}/${operationId}">${summary}</a></td><td><span class="method">${method}</span> <code>${path}</code></td></tr>\n`,
    );
    return html`<h2>${tag}</h2>\n<p>${words.get(tag)}</p>\n<div class="table" tabindex="0"><table class="operations">
<thead><tr><th scope="col">Operation</th><th scope="col">Request</th></tr></thead>\n<tbody>\n${rows}</tbody></table></div>\n`;
  });
  return html`${groups}`;
}

/** The overview of the request forms. */
export function formsHome(shelf: Shelf): SitePage {
  const lead = "Send requests to this installation from here, with your own key. Runs that they start are charged.";
  return {
    path: "docs/api",
    title: "Try it",
    lead,
    content: operationTables(shelf, "docs/api"),
    sections: shelf.forms,
  };
}

/** The overview of the reference. */
export function referenceHome(shelf: Shelf): SitePage {
  const path = "docs/reference";
  const lead = html`Every operation with its parameters, responses, errors and an example. Version ${shelf.document.info.version}.`;
  return { path, title: "API reference", lead, content: operationTables(shelf, path), sections: shelf.reference };
}

/** The search results page. The search-as-you-type list is extracted from it. */
export function searchPage(shelf: Shelf, text: string): SitePage {
  const query = text.trim().slice(0, 200);
  const found = query.length < 2 ? [] : shelf.search(query, 20);
  const root = rootOf("docs/search");
  const list = html`<ol class="found">\n${found.map(
    (page) =>
      html`<li><a href="${root}${addressOf(shelf, page)}"><strong>${page.title}</strong><small>${page.group}</small><span>${page.summary}</span></a></li>\n`,
  )}</ol>`;
  const none = query.length < 2 ? "Enter at least two letters." : "No results. Try other words, or fewer.";
  const content = found.length > 0 ? list : html`<p class="none">${none}</p>`;
  const lead = found.length > 0 ? html`Results for “${query}”, best first.` : "";
  return { path: "docs/search", title: "Search", lead, content, sections: shelf.guides, query };
}

/** The page for an unknown address, with suggestions. */
export function missingPage(shelf: Shelf, path: string, name: string): SitePage {
  const root = rootOf(path);
  // Names are compared in lower case, but operation ids are mixed case.
  const all = new Map(
    [...shelf.pages, ...[...shelf.byOperation.values()].map((operation) => operation.page)].map((page) => [
      page.slug.toLowerCase(),
      page,
    ]),
  );
  const meant = suggestions(name, all.keys()).flatMap((slug) => {
    const page = all.get(slug);
    return page ? [card(root, addressOf(shelf, page), page.title, page.summary)] : [];
  });
  const lead = meant.length > 0 ? "Did you mean one of these?" : "Search for it, or choose a page.";
  const content = html`${meant.length > 0 && html`<ul class="cards">\n${meant}</ul>`}`;
  return { path, title: "Page not found", lead, content, sections: shelf.guides };
}
