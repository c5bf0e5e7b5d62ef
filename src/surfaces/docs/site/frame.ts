import { html, type Markup } from "../../../accounts/pages/html.ts";
import { at, type FileName } from "./assets.ts";
import type { Entry, Section } from "./navigation.ts";
import type { Heading } from "./render.ts";

/** A page of the site. */
export interface SitePage {
  /** Path below the installation's address: `docs/quickstart`. */
  readonly path: string;
  readonly title: string;
  /** A sentence below the title. */
  readonly lead: Markup | string;
  readonly content: Markup;
  readonly headings?: readonly Heading[];
  /** The sidebar's sections. A folded section opens if it contains the page. */
  readonly sections: readonly Section[];
  readonly before?: Entry | undefined;
  readonly after?: Entry | undefined;
  /** Path of the same page as Markdown. */
  readonly markdown?: string;
  /** An additional script that the page loads. */
  readonly script?: FileName;
  /** The text in the search field. */
  readonly query?: string;
}

/** The parts of the site. The top bar highlights the part that a page belongs to. */
const parts = [
  { path: "docs", title: "Guides", isPartOf: (path: string) => !/^docs\/(reference|api)(\/|$)/.test(path) },
  { path: "docs/reference", title: "API reference", isPartOf: (path: string) => /^docs\/reference(\/|$)/.test(path) },
  { path: "docs/api", title: "Try it", isPartOf: (path: string) => /^docs\/api(\/|$)/.test(path) },
  { path: "receipts/check", title: "Check a receipt", isPartOf: () => false },
  { path: "account", title: "Account", isPartOf: () => false },
];

/** Long lists that most readers don't need are folded. */
const folded = new Set(["Error codes", "Use cases", "Capabilities"]);
const isFoldedIn = (path: string, title: string): boolean =>
  /^docs\/(reference|api)(\/|$)/.test(path) ? title !== "Overview" : folded.has(title);

/** Returns the relative path from a page's folder to the installation's root: empty, or `../` for each level. */
export const rootOf = (path: string): string => "../".repeat(path.split("/").length - 1);

const current = (isCurrent: boolean, kind: "page" | "true"): Markup | false =>
  isCurrent && html` aria-current="${kind}"`;

function sectionList({ title, entries }: Section, path: string, isFolding: boolean): Markup {
  const root = rootOf(path);
  const links = html`<ul>
${entries.map((entry) => html`<li><a href="${root}${entry.path}"${current(entry.path === path, "page")}>${entry.title}</a></li>\n`)}</ul>`;
  if (!isFolding) return html`<h2>${title}</h2>\n${links}\n`;
  const isOpen = entries.some((entry) => entry.path === path);
  return html`<details${isOpen && html` open`}><summary>${title}</summary>\n${links}\n</details>\n`;
}

const contents = (headings: readonly Heading[]): Markup => html`<nav class="toc" aria-labelledby="toc-title">
<p id="toc-title">On this page</p>
<ul>
${headings.map(({ id, title, level }) => html`<li class="level-${level}"><a href="#${id}">${title}</a></li>\n`)}</ul>
</nav>
`;

const turn = (root: string, before: Entry | undefined, after: Entry | undefined): Markup =>
  html`<nav class="turn" aria-label="Previous and next page">
${before && html`<a class="before" href="${root}${before.path}" rel="prev"><span>Previous</span>${before.title}</a>\n`}${after && html`<a class="after" href="${root}${after.path}" rel="next"><span>Next</span>${after.title}</a>\n`}</nav>
`;

/** The bar at the top of every page: the site's parts and the search, which works without a script. */
function bar(path: string, query: string): Markup {
  const root = rootOf(path);
  return html`<header class="bar">
<div class="first">
<button type="button" class="menu-button" popovertarget="menu">Menu</button>
<a class="brand" href="${root}docs">Assay <span>Docs</span></a>
<form role="search" action="${root}docs/search" data-search>
<input type="search" name="q" value="${query}" maxlength="200" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
</form>
</div>
<nav class="parts" aria-label="Parts of the documentation">
${parts.map(({ path: to, title, isPartOf }) => html`<a href="${root}${to}"${current(isPartOf(path), "true")}>${title}</a>\n`)}</nav>
</header>
`;
}

const head = (title: string, root: string, more: Markup): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Assay Docs</title>
<link rel="icon" href="${root}${at("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${root}${at("docs.css")}">
${more}</head>
`;

/** Renders a whole page. Links are relative, so that it works below a proxy's path prefix. */
export function frame(page: SitePage): string {
  const { path, title, lead, content, headings = [], sections, before, after, markdown, script, query = "" } = page;
  const root = rootOf(path);
  const alternate = markdown && html`<link rel="alternate" type="text/markdown" href="${root}${markdown}">\n`;
  const scripts = (["docs.js", script] as const).flatMap((name) =>
    name === undefined ? [] : [html`<script type="module" src="${root}${at(name)}"></script>\n`],
  );
  return html`${head(title, root, html`${alternate}${scripts}`)}<body>
<a class="skip" href="#content">Skip to the content</a>
${bar(path, query)}<div class="columns">
<nav class="menu" id="menu" popover aria-label="Pages">
${sections.map((section) => sectionList(section, path, isFoldedIn(path, section.title)))}</nav>
<main id="content" tabindex="-1">
<h1>${title}</h1>
<p class="lead">${lead}</p>
${content}
${(before || after) && turn(root, before, after)}</main>
${headings.length > 1 && contents(headings)}</div>
<footer>${markdown && html`<a href="${root}${markdown}">This page as Markdown</a>\n`}<a href="${root}llms.txt">All pages as text</a>
<a href="${root}openapi-public.json">OpenAPI document</a></footer>
</body>
</html>
`.text;
}
