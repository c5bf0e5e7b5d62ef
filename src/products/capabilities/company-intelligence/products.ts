import type { Link, PageFacts, Site } from "./facts.ts";
import { isLegalForm, withoutForm } from "./legal-forms.ts";
import { titleParts } from "./name.ts";
import { placesOf } from "./places.ts";
import type { Evidence, Finding } from "./profile.ts";
import { nested, textsOf } from "./structured.ts";
import { clean, excerpt, key, stem, wordsOf } from "./text.ts";
import { headsElsewhere, headsOffer, isGeneric, isOffering, offerPath, withoutPraise } from "./words.ts";

/**
 * What the company offers. Structured data, menus below "products" or "services", other menus, headings, the title and
 * keywords name candidates; each place has a weight, and agreement between places and with the page's own summary adds.
 */

interface Candidate {
  readonly text: string;
  readonly kind: string;
  readonly weight: number;
  readonly url: string;
  readonly place: string;
  /** The page and list that a link is in. */
  readonly list?: string;
}

const longest = 60;
const wordsMax = 6;
const most = 10;
const threshold = 0.58;
/** Where nothing reaches the threshold, so many of what names a trade and reaches this. */
const least = 0.4;
const fewest = 3;
/** Each further family of places that names the same. */
const agreement = 0.2;
/** All its words are in the title, description, keywords or first heading. */
const coherence = 0.35;
const offeringWord = 0.15;
/** For each word of a heading beyond four: it is rather a sentence. */
const perWord = 0.1;
/** Is in a list with several that are offers. */
const mates = 0.2;

const small = new Set(
  "a an and the of for in on to with by at from or our your pro na v ve s se z ze k o u pri und der die das fur mit von im in de la le les des du et pour en dla w z i".split(
    " ",
  ),
);

/** A text without what dresses it up: bullets, arrows, what stands in brackets for a count or the current page. */
function bare(text: string): string {
  return clean(text)
    .replace(/^[\s»›>•·*✓✔→\-–—|:]+|(?<![\s»›>•·*→|:;,.\-–—!…])[\s»›>•·*→|:;,.\-–—!…]+$/gu, "")
    .replace(/\((?:\d+|current)\)$/, "")
    .replace(/[™®]/g, "")
    .trim();
}

/** What a label says beside the company's name: `Acme - Trout Flies`, `Flies | Acme`. */
function withoutName(text: string, named: readonly string[]): string {
  const parts = text.split(/ [-–—|:] /);
  const rest = parts.filter((part) => !named.includes(key(part)));
  return rest.length > 0 && rest.length < parts.length ? rest.join(", ") : text;
}

const isName = (text: string): boolean =>
  text.length >= 3 &&
  text.length <= longest &&
  text.split(/\s+/).length <= wordsMax &&
  /\p{L}{2}/u.test(text) &&
  !/[?!@©…]|https?:|www\.|\.(com|org|net|cz|sk|de|pl|fr|eu)\b|\b(19|20)\d\d\b|\d{3}[\s.-]\d{3}|\$|€|£/.test(text) &&
  !isLegalForm(text) &&
  !isGeneric(text);

function fromLinks({ links, url }: PageFacts, weightOfPage: number): Candidate[] {
  const byHref = Map.groupBy(links, ({ href }) => href);
  return links.flatMap((link) => {
    if (!link.own || link.href === url || /\.(jpe?g|png|gif|zip|docx?)$/i.test(link.href)) return [];
    if (/\/(blog|news|aktualit|clank|press|category\/news|events?|author|tag)(\/|$)|\/\d{4}\/\d{2}\//i.test(link.href))
      return [];
    if (headsElsewhere(link.within.at(-1) ?? link.under)) return [];
    const { kind, weight } = weightOf(link);
    const repeated = (byHref.get(link.href)?.length ?? 1) > 1 ? 0.05 : 0;
    return [
      {
        text: link.text,
        kind,
        weight: weight * weightOfPage + repeated,
        url,
        place: placeOf(link),
        list: `${url} ${link.list}`,
      },
    ];
  });
}

const placeOf = ({ within, under, region }: Link): string =>
  within.length > 0
    ? `menu below ${within.at(-1)}`
    : under && headsOffer(under)
      ? `below ${under}`
      : `link in ${region}`;

function weightOf(link: Link): { readonly kind: string; readonly weight: number } {
  const above = link.within.findLastIndex((label) => headsOffer(label));
  if (above >= 0) return { kind: "offer menu", weight: above === link.within.length - 1 ? 1 : 0.6 };
  if (headsOffer(link.under)) return { kind: "below offer", weight: link.listed || link.heading ? 0.9 : 0.6 };
  const [, , last] = new URL(link.href).pathname.match(offerPath) ?? [];
  const deep = new URL(link.href).pathname.split("/").filter(Boolean).length > 2;
  if (last && link.text) return { kind: "offer path", weight: deep ? 0.6 : link.listed ? 0.8 : 0.65 };
  const parent = link.within.at(-1) ?? (link.listed ? link.under : null) ?? "";
  if (parent && isOffering(parent) && !isGeneric(parent))
    return { kind: "submenu", weight: link.within.length > 0 ? 0.6 : 0.5 };
  if (link.within.length > 0) return { kind: "submenu", weight: link.region === "footer" ? 0.3 : 0.45 };
  if (link.region === "navigation") return { kind: "menu", weight: 0.5 };
  if (link.region === "footer") return { kind: "footer", weight: 0.3 };
  if (link.heading) return { kind: "card", weight: 0.45 };
  return link.listed ? { kind: "list of links", weight: 0.4 } : { kind: "link", weight: 0.2 };
}

function fromHeadings({ headings, items, url }: PageFacts, isOfferPage: boolean): Candidate[] {
  const told = headings.flatMap(({ level, text, under, region }) => {
    if (region === "footer" || level > 4 || headsElsewhere(under)) return [];
    const below = headsOffer(under);
    const beside = !below && under !== null && isOffering(under) && !isGeneric(under);
    const length = Math.max(0, text.split(" ").length - 4);
    const full = below ? 0.8 : beside ? 0.5 : isOfferPage ? 0.6 : level === 1 ? 0.35 : level === 2 ? 0.3 : 0.25;
    const kind = below ? "below offer" : "heading";
    const weight = full - perWord * length;
    const place = below ? `heading below ${under}` : `h${level}`;
    return [{ text, kind, weight, url, place, list: `${url} h${level} ${under}` }];
  });
  const listed = items.flatMap(({ text, under, region }) =>
    headsOffer(under) && region !== "footer"
      ? [{ text, kind: "list below offer", weight: 0.75, url, place: `list below ${under}` }]
      : [],
  );
  return [...told, ...listed];
}

/** What a title or keyword is about, without for whom and where. */
const core = (text: string): string =>
  text.split(" ").length > 3
    ? (text.split(/\s(?:for|with|in|by|from|near|pro|v|ve|für|mit|pour|dla|w)\s/i)[0] ?? text)
    : text;

function fromHead({ title, meta, url }: PageFacts): Candidate[] {
  const keywords = (meta.keywords ?? "").split(/[,;]/).map(clean).filter(Boolean);
  const parts = titleParts(title).flatMap((whole) => {
    const part = withoutPraise(whole);
    const members = part.split(/,\s+/);
    return members.length > 1 && members.every((one) => one.split(" ").length <= 3) ? members : [part];
  });
  return [
    ...parts.map((text) => ({
      text: core(text),
      kind: "title",
      weight: parts.length > 4 ? 0.3 : 0.5,
      url,
      place: "title",
    })),
    ...keywords.slice(0, 15).map((text) => ({ text, kind: "keywords", weight: 0.05, url, place: "meta keywords" })),
    ...enumerated(meta.description ?? "").map((text) => ({
      text,
      kind: "description",
      weight: 0.5,
      url,
      place: "meta description",
    })),
  ];
}

const introduction =
  /(?:speciali[sz](?:ing|es|e) in|(?:we )?(?:offers?|offering|provid(?:es?|ing)) |nabízíme|nabízí|specializujeme se na|zabýváme se|ponúkame|špecializujeme sa na|wir bieten|spezialisiert auf|oferujemy|specjalizujemy się w|nous proposons|spécialisée? dans)\s*:?\s*([^.;:!?|]+)/giu;

/** The members of a list such as `specializing in boat insurance, flood insurance and health insurance`. */
const enumerated = (sentence: string): string[] =>
  [...sentence.matchAll(introduction)].flatMap(([, list = ""]) => {
    const members = list.split(/,|\s(?:and|a|und|i|et|&)\s/).map((one) => core(clean(one)));
    return members.length > 1 ? members.filter((one) => one.split(" ").length <= 4) : [];
  });

function fromThings({ things, url }: PageFacts): Candidate[] {
  return things
    .flatMap((thing) => [...nested(thing)])
    .flatMap((thing) => {
      const type = thing.types.find((one) =>
        /^(Product|Service|Offer|.*Product|FinancialService|Course|MenuItem)$/.test(one),
      );
      const told = type ? [...textsOf(thing, "name"), ...textsOf(thing, "serviceType")] : [];
      const offered = ["makesOffer", "hasOfferCatalog", "itemOffered"].flatMap((property) => textsOf(thing, property));
      const place = `${thing.from} ${type ?? thing.types[0] ?? "item"}`;
      const stated = (text: string, weight: number) => ({ text, kind: "structured", weight, url, place });
      return [
        ...[...told, ...offered].map((text) => stated(text, 1.2)),
        // What somebody knows of is often long, and more than what is sold.
        ...textsOf(thing, "knowsAbout").map((text) => stated(text, 0.5)),
      ];
    });
}

/** The words that tell two offers apart, stemmed; those of the company's own name don't. */
function signature(text: string, own: ReadonlySet<string>): string[] {
  const words = wordsOf(text).filter((word) => !small.has(word) && !/^\p{L}$/u.test(word));
  return words.filter((word) => !own.has(word)).map(stem);
}

const summaryOf = ({ title, meta, headings }: PageFacts): ReadonlySet<string> =>
  new Set(
    wordsOf(
      [
        title,
        meta.description,
        meta.keywords,
        ...headings.filter(({ level }) => level === 1).map(({ text }) => text),
      ].join(" "),
    )
      .filter((word) => !small.has(word))
      .map(stem),
  );

/** A link in the menu and again in the footer says one thing. */
const familyOf = new Map(
  ["offer menu", "below offer", "offer path", "submenu", "menu", "footer", "card", "list of links", "link"].map(
    (kind) => [kind, "link"],
  ),
);

interface Ranked {
  readonly text: string;
  readonly score: number;
  readonly words: readonly string[];
  readonly best: Candidate;
  readonly lists: ReadonlySet<string>;
}

function rank(candidates: readonly Candidate[], summary: ReadonlySet<string>, own: ReadonlySet<string>): Ranked[] {
  const groups = Map.groupBy(candidates, ({ text }) => signature(text, own).toSorted().join(" "));
  return [...groups.values()].flatMap((members) => {
    const [best] = members.toSorted((a, b) => b.weight - a.weight);
    if (!best) return [];
    const words = signature(best.text, own);
    if (words.length === 0) return [];
    const families = new Set(members.map(({ kind }) => familyOf.get(kind) ?? kind)).size;
    const known = words.filter((word) => summary.has(word)).length / Math.max(1, words.length);
    const score =
      best.weight +
      agreement * Math.min(3, families - 1) +
      coherence * known +
      (isOffering(best.text) ? offeringWord : 0);
    return [{ text: best.text, score, words, best, lists: new Set(members.flatMap(({ list }) => list ?? [])) }];
  });
}

/** Lifts what is in one list with offers: a menu of five services and a sixth name has six services. */
function withMates(ranked: readonly Ranked[]): Ranked[] {
  const lists = new Map<string, { all: number; sure: number }>();
  for (const { score, lists: own } of ranked)
    for (const list of own) {
      const counted = lists.get(list) ?? { all: 0, sure: 0 };
      lists.set(list, { all: counted.all + 1, sure: counted.sure + (score >= threshold ? 1 : 0) });
    }
  const isMenu = (list: string): boolean => {
    const { all, sure } = lists.get(list) ?? { all: 0, sure: 0 };
    return sure >= 3 && sure >= 0.4 * all;
  };
  return ranked.map((one) => ([...one.lists].some(isMenu) ? { ...one, score: one.score + mates } : one));
}

/** Leaves out what only says more, or less, of what is in already: `Nitro for Jive` beside `Nitro`. */
function distinct(ranked: readonly Ranked[]): Ranked[] {
  const kept: Ranked[] = [];
  for (const one of ranked) {
    const repeats = kept.some(({ words }) => {
      const shared = one.words.filter((word) => words.includes(word)).length;
      return shared === one.words.length || (shared === words.length && words.length > 1);
    });
    if (!repeats) kept.push(one);
  }
  return kept;
}

/** The products and services that the pages name, the surest first, at most ten. The engine asks once it has the name. */
export function findProducts(site: Site, name: string | null): Finding<string[]> {
  const { pages, label } = site;
  const [first] = pages;
  const { isPlace, without } = placesOf(site);
  const named = [name ?? "", withoutForm(name ?? "")].map(key).filter(Boolean);
  const own = new Set([...wordsOf(withoutForm(name ?? "")), ...(label ? [label] : [])]);
  const candidates = pages
    .flatMap((page, at) => [
      ...fromThings(page),
      ...fromLinks(page, at === 0 ? 1 : 0.8),
      ...fromHeadings(page, at > 0 && offerPath.test(`${new URL(page.url).pathname}/x`)),
      ...(at === 0 ? fromHead(page) : []),
    ])
    .map((one) => ({ ...one, text: without(withoutPraise(withoutName(bare(one.text), named))) }))
    .filter(({ text }) => isName(text) && !isPlace(text) && !named.includes(key(text)));
  const all = withMates(rank(candidates, summaryOf(first), own)).toSorted((a, b) => b.score - a.score);
  const sufficient = all.filter(({ score }) => score >= threshold);
  // A page that says little of its offer: what is surely a trade's word, with less agreement.
  const ranked =
    sufficient.length > 0
      ? sufficient
      : all.filter(({ text, score }) => score >= least && isOffering(text)).slice(0, fewest);
  // Where the site has a menu of its offer, that is the offer.
  const menu = ranked.filter(({ best }) => best.weight >= 0.9).length >= 4;
  const chosen = distinct(ranked.filter(({ score, best }) => !menu || best.weight >= 0.75 || score >= 0.85)).slice(
    0,
    most,
  );
  const evidence: Evidence[] = chosen.map(({ text, best }) => ({
    field: "products_services",
    value: text,
    url: best.url,
    place: best.place,
    excerpt: excerpt(best.text),
  }));
  const sure = chosen.some(({ best }) => best.kind === "structured");
  return {
    value: chosen.map(({ text }) => text),
    confidence: chosen.length === 0 ? 0 : sure ? 1 : (chosen[0]?.score ?? 0) >= 0.9 ? 0.7 : 0.4,
    evidence,
  };
}
