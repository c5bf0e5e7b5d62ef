import { denialsOf, withoutDenials } from "./denial.ts";
import type { Line, Link, PageFacts, Region } from "./facts.ts";
import { isLegalForm } from "./legal-forms.ts";
import { titleParts } from "./name.ts";
import { nested, textsOf } from "./structured.ts";
import { clean, key } from "./text.ts";
import { headsElsewhere, headsOffer, isGeneric, offerPath, withoutPraise } from "./words.ts";

/** All places of a page that may name an offer of the company. `offers.ts` judges them. */

/** A text and its place on a page. */
export interface Mention {
  readonly text: string;
  /** The page's own words that the text comes from. */
  readonly quote: string;
  /** The kind of place: `h2`, `submenu`, `item`. */
  readonly kind: string;
  readonly url: string;
  /** The place, as shown to people. */
  readonly place: string;
  /** Identifies the list, menu or line; its mentions share it. */
  readonly list: string;
  /** The heading above it. */
  readonly under: string | null;
  /** The menu entry around it. */
  readonly within: string | null;
  /** Further features of its place. */
  readonly traits: readonly string[];
  /** Its relative position among its like, 0 to 1. */
  readonly depth: number;
}

const longest = 60;
const wordsMax = 6;
const keywordsMax = 25;
/** Minimum number of parts of a line that may be a list of offers, and maximum words per part. */
const partsMin = 3;
const partWordsMax = 4;
/** Maximum number of characters of a line that are inspected. */
const lineMax = 1_000;
/** Maximum number of mentions per kind of source. A page with more is not made for people. */
const mentionsMax = 1_500;

/** Returns a text without decoration: bullets, arrows, and a count or "current" in brackets. */
export const bare = (text: string): string =>
  clean(text)
    .replace(/^[\s»›>•·*✓✔→\-–—|:]+|(?<![\s»›>•·*→|:;,.\-–—!…])[\s»›>•·*→|:;,.\-–—!…]+$/gu, "")
    .replace(/\((?:\d+|current)\)$/, "")
    .replace(/[™®]/g, "")
    .trim();

/** Returns whether a text can name an offer at all. */
export const mayBeOffer = (text: string): boolean =>
  text.length >= 3 &&
  text.length <= longest &&
  text.split(/\s+/).length <= wordsMax &&
  /\p{L}{2}/u.test(text) &&
  !/[?!@©…<>]|https?:|www\.|\.(com|org|net|cz|sk|de|pl|fr|eu|html?|php|aspx?|pdf)\b|\b(19|20)\d\d\b|\d{3}[\s.-]\d{3}|\d{6}|\$|€|£/.test(
    text,
  ) &&
  // A town with its state: `Dover, OH`.
  !/, [A-Z]{2}$/.test(text) &&
  !isLegalForm(text) &&
  !isGeneric(text);

const inNews = /\/(blog|news|aktualit|clank|press|category\/news|events?|author|tag)(\/|$)|\/\d{4}\/\d{2}\//i;
const isFile = /\.(jpe?g|png|gif|zip|docx?)$/i;

function sortOf({ within, region, heading, listed }: Link): string {
  if (within.length > 0) return "submenu";
  if (region === "navigation") return "menu";
  if (heading) return "card";
  return listed ? "link of a list" : "link";
}

const placeOfLink = ({ within, under, region }: Link): string =>
  within.length > 0
    ? `menu below ${within.at(-1)}`
    : under && headsOffer(under)
      ? `below ${under}`
      : `link in ${region}`;

function fromLinks({ links, url }: PageFacts): Mention[] {
  return links.flatMap((link, at): Mention[] => {
    const { text, href, under, region, list } = link;
    const within = link.within.at(-1) ?? null;
    if (!link.own || href === url || isFile.test(href) || inNews.test(href) || headsElsewhere(within ?? under))
      return [];
    const { pathname, hash } = new URL(href);
    const traits = [
      `in ${region}`,
      hash ? "anchor" : "page",
      `deep ${Math.min(4, pathname.split("/").filter(Boolean).length)}`,
      ...(offerPath.test(pathname) ? ["path of offers"] : []),
    ];
    const where = { url, place: placeOfLink(link), list: `${url} links ${list}`, under, within };
    return [{ text, quote: text, kind: sortOf(link), ...where, traits, depth: at / links.length }];
  });
}

/** Returns what a page of offers calls itself. Its text without a better heading counts as below that. */
function pageOfOffers({ url }: PageFacts): string | null {
  const { pathname } = new URL(url);
  const last = pathname
    .split("/")
    .filter(Boolean)
    .at(-1)
    ?.replace(/\.\w+$/, "")
    .replaceAll(/[-_]/g, " ");
  return offerPath.test(`${pathname}/x`) ? (last ?? null) : null;
}

const belowOr = (under: string | null, other: string): string =>
  under && headsOffer(under) ? `${other} below ${under}` : other;

function fromHeadings({ headings, url }: PageFacts, page: string | null): Mention[] {
  return headings.flatMap(({ level, text, region, ...heading }, at): Mention[] => {
    if (headsElsewhere(heading.under)) return [];
    const under = page && !headsOffer(heading.under) ? page : heading.under;
    const place = under && headsOffer(under) ? `heading below ${under}` : `h${level}`;
    const where = { url, place, list: `${url} h${level} ${under}`, under, within: null };
    return [{ text, quote: text, kind: `h${level}`, ...where, traits: [`in ${region}`], depth: at / headings.length }];
  });
}

/** Creates a mention from a line or an item. */
function block(
  text: string,
  kind: "item" | "line" | "part" | "introduced",
  where: Pick<Mention, "quote" | "under" | "url" | "list" | "depth"> & { readonly region: Region },
): Mention {
  const { region, ...rest } = where;
  const place = belowOr(rest.under, kind === "item" ? "list" : "text");
  return { text, kind, place, within: null, traits: [`in ${region}`], ...rest };
}

function fromItems({ items, url }: PageFacts, page: string | null): Mention[] {
  return items.flatMap(({ text, under, region }): Mention[] =>
    headsElsewhere(under)
      ? []
      : [
          block(text, "item", {
            quote: text,
            under: under ?? page,
            region,
            url,
            list: `${url} items ${under}`,
            depth: 0,
          }),
        ],
  );
}

const introduction =
  /(?:speciali[sz](?:ing|es|e) in|(?:we )?(?:offers?|offering|provid(?:es?|ing)) |nabízíme|nabízí|specializujeme se na|zabýváme se|ponúkame|špecializujeme sa na|wir bieten|spezialisiert auf|oferujemy|specjalizujemy się w|nous proposons|spécialisée? dans)\s*:?\s*([^.;:!?|]+)/giu;

/** Returns what a title or a member of a list is about, without the audience and the place. */
const core = (text: string): string =>
  text.split(" ").length > 3
    ? (text.split(/\s(?:for|with|in|by|from|near|pro|v|ve|für|mit|pour|dla|w)\s/i)[0] ?? text)
    : text;

/** Returns the members of a list such as `specializing in boat insurance, flood insurance and health insurance`. */
const introduced = (sentence: string): string[] =>
  [...sentence.matchAll(introduction)].flatMap(([, list = ""]) => {
    const members = list.split(/,|\s(?:and|a|und|i|et|&)\s/).map((one) => core(clean(one)));
    return members.length > 1 ? members.filter((one) => one.split(" ").length <= partWordsMax) : [];
  });

const joints = /[,.;|•:()]|\s(?:and|or|a|nebo|und|oder|sowie|i|oraz|et|ou|y|e|és|&)\s/;

/** Returns the short parts of a text that may be a list. */
const partsOf = (text: string): string[] =>
  text
    .split(joints)
    .map(clean)
    .filter((part) => part !== "" && part.split(" ").length <= partWordsMax);

const fromLines = ({ lines, url }: PageFacts): Mention[] =>
  lines.flatMap(({ text: whole, under, region, list }: Line, at): Mention[] => {
    if (headsElsewhere(under)) return [];
    const text = withoutDenials(whole.slice(0, lineMax));
    if (text === "") return [];
    const where = { under, region, url, depth: at / lines.length };
    if (whole.length <= longest) return [block(text, "line", { ...where, quote: text, list: `${url} box ${list}` })];
    const parts = (whole.match(/[,;•|]/g)?.length ?? 0) >= partsMin - 1 ? partsOf(text) : [];
    const said = { ...where, list: `${url} said ${at}` };
    return [
      ...introduced(text).map((one) => block(one, "introduced", { ...said, quote: one })),
      ...(parts.length >= partsMin
        ? parts.map((one) => block(one, "part", { ...said, quote: one, list: `${url} parts ${at}` }))
        : []),
    ];
  });

function fromHead({ title, meta, url }: PageFacts): Mention[] {
  const parts = titleParts(title).flatMap((whole) => {
    const part = withoutPraise(whole);
    const members = part.split(/,\s+/);
    return members.length > 1 && members.every((one) => one.split(" ").length <= 3) ? members : [part];
  });
  const head = (text: string, quote: string, kind: string, place: string, traits: readonly string[] = []): Mention => ({
    ...{ text, quote, kind, url, place, traits, list: `${url} ${kind}`, under: null, within: null, depth: 0 },
  });
  const { keywords = "" } = meta;
  const description = withoutDenials(meta.description ?? "");
  return [
    ...parts.map((text) => head(core(text), title, "title", "title", parts.length > 4 ? ["many parts"] : [])),
    ...keywords
      .split(/[,;]/)
      .slice(0, keywordsMax)
      .map((text) => head(clean(text), text, "keyword", "meta keywords")),
    ...introduced(description).map((text) => head(text, text, "described", "meta description")),
    ...partsOf(description).map((text) => head(text, text, "part of description", "meta description")),
  ];
}

const sold = /^(Product|Service|Offer|.*Product|FinancialService|Course|MenuItem)$/;

function fromThings({ things, url }: PageFacts): Mention[] {
  return things
    .flatMap((thing) => [...nested(thing)])
    .flatMap((thing) => {
      const type = thing.types.find((one) => sold.test(one));
      const names = type ? [...textsOf(thing, "name"), ...textsOf(thing, "serviceType")] : [];
      const offered = ["makesOffer", "hasOfferCatalog", "itemOffered"].flatMap((property) => textsOf(thing, property));
      const mention = (text: string, kind: string): Mention => ({
        ...{ text, quote: text, kind, url, list: `${url} ${kind}`, under: null, within: null, traits: [], depth: 0 },
        place: `${thing.from} ${type ?? thing.types[0] ?? "item"}`,
      });
      return [
        ...[...names, ...offered].map((text) => mention(text, "structured")),
        ...textsOf(thing, "knowsAbout").map((text) => mention(text, "known about")),
      ];
    });
}

/** Returns a label without the company's name: `Acme - Trout Flies`, `Flies | Acme`. */
export function withoutName(text: string, named: readonly string[]): string {
  const parts = text.split(/ [-–—|:] /);
  const rest = parts.filter((part) => !named.includes(key(part)));
  return rest.length > 0 && rest.length < parts.length ? rest.join(", ") : text;
}

/**
 * Returns the mentions on a page, without what it says is not offered. On a further page of the site these are its
 * menus, its structured data, and its headings and lists if it is a page of offers.
 */
export function mentionsOf(page: PageFacts, isFirst: boolean): Mention[] {
  const offers = isFirst ? null : pageOfOffers(page);
  const bySource = [
    fromThings(page),
    fromLinks(page),
    ...(isFirst || offers ? [fromHeadings(page, offers), fromItems(page, offers)] : []),
    ...(isFirst ? [fromLines(page), fromHead(page)] : []),
  ];
  const isNotOffered = denialsOf(page);
  return bySource.flatMap((mentions) => mentions.slice(0, mentionsMax)).filter((mention) => !isNotOffered(mention));
}
