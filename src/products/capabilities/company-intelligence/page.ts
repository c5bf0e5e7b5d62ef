import { type CheerioAPI, load } from "cheerio/slim";
import { getDomain } from "tldts";
import { decodeText } from "../../../knowledge/corpus/decode.ts";
import type { PageFacts } from "./facts.ts";
import { structuredData } from "./structured.ts";
import { clean } from "./text.ts";
import { walk } from "./walk.ts";

/** Parses a page: its encoding, its head, and one walk over its elements. */

/** Maximum number of elements open at once. Browsers stop at 512, and every parser slows down far beyond that. */
const nestingMax = 3_000;
const voids = new Set("area base br col embed hr img input link meta param source track wbr !doctype".split(" "));
/** Elements that end the one before of their kind, so that they never nest. */
const selfEnding = new Set("p li td th tr dt dd option optgroup thead tbody".split(" "));

/** Returns the deepest nesting that the tags can produce. */
export function nestingOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  // Each character is scanned once, whatever is left open.
  for (let from = html.indexOf("<"); from >= 0; from = html.indexOf("<", from + 1)) {
    const [, end, name = ""] = html.slice(from, from + 40).match(/^<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/) ?? [];
    const tag = name.toLowerCase();
    if (!tag || voids.has(tag) || selfEnding.has(tag)) continue;
    const to = html.indexOf(">", from);
    if (to < 0) break;
    if (end) depth = Math.max(0, depth - 1);
    else if (html[to - 1] !== "/") deepest = Math.max(deepest, ++depth);
    from = to;
  }
  return deepest;
}

/** Decodes a page by its byte order mark, UTF-8, the header, its own statement, or what fits. Throws `Refused`. */
export function decode(body: Uint8Array, contentType: string | null): string {
  const start = new TextDecoder("latin1").decode(body.subarray(0, 4_096));
  const declared =
    contentType?.match(/charset\s*=\s*["']?([\w:-]+)/i)?.[1] ??
    start.match(/<meta[^<>]+charset\s*=\s*(?:["']\s*)?([\w:-]+)/i)?.[1];
  return decodeText(body, declared);
}

/** Returns the domain whose links are the site's own. If the host has none, the page states where it belongs. */
function ownDomain($: CheerioAPI, url: URL): string {
  const domain = getDomain(url.hostname);
  if (domain) return domain;
  const canonical = $('link[rel="canonical"]').attr("href") ?? $('meta[property="og:url"]').attr("content");
  return getDomain(canonical ?? "") ?? url.hostname;
}

function metaOf($: CheerioAPI): Record<string, string> {
  const meta: Record<string, string> = Object.create(null);
  for (const { attribs } of $("meta[content]").toArray().slice(0, 200)) {
    const name = (attribs.name ?? attribs.property ?? attribs["http-equiv"] ?? "").trim().toLowerCase();
    const content = clean(attribs.content ?? "").slice(0, 1_000);
    if (name && content && !(name in meta)) meta[name] = content;
  }
  return meta;
}

function alternatesOf($: CheerioAPI): string[] {
  const stated = $('link[rel~="alternate"][hreflang]').toArray().slice(0, 100);
  return [...new Set(stated.map(({ attribs }) => (attribs.hreflang ?? "").toLowerCase()))].filter((one) =>
    /^[a-z]{2}(-[a-z]{2})?$/.test(one),
  );
}

function forwardOf($: CheerioAPI, meta: Readonly<Record<string, string>>, base: URL): string | null {
  const refresh = meta.refresh?.match(/^\s*\d+\s*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s]+)/i)?.[1];
  const frame = $("frameset frame[src]").first().attr("src");
  const target = URL.parse(refresh ?? frame ?? "", base.href);
  return (refresh ?? frame) && target && target.href !== base.href ? target.href : null;
}

/** Parses a page. Returns null if it is nested too deeply. */
export function readPage(html: string, address: string): PageFacts | null {
  if (nestingOf(html) > nestingMax) return null;
  // Wrapped in one element, because selecting among very many top-level elements takes quadratic time.
  const $ = load(`<page>${html}</page>`);
  const url = new URL(address);
  const base = URL.parse($("base[href]").first().attr("href") ?? "", url.href) ?? url;
  const meta = metaOf($);
  const language = $("html").attr("lang") ?? meta["og:locale"] ?? meta["content-language"] ?? "";
  return {
    url: address,
    language: language.match(/^[a-z]{2}(?![a-z])/i)?.[0].toLowerCase() ?? null,
    title: clean($("head title").first().text() || $("title").first().text()).slice(0, 1_000),
    meta,
    alternates: alternatesOf($),
    things: structuredData($),
    scripts: $("script").length,
    forward: forwardOf($, meta, base),
    ...walk($.root().get(0)?.children ?? [], base, ownDomain($, url)),
  };
}
