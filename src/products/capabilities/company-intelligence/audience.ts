import type { PageFacts, Site } from "./facts.ts";
import { type Evidence, type Finding, keysOf, statementsOf } from "./profile.ts";
import signals from "./signals.json" with { type: "json" };
import { nested, textsOf } from "./structured.ts";
import { clean, excerpt, key, phrases } from "./text.ts";

/** Whom the company addresses, by its structured data and headings and by phrases that speak to firms or people. */

const businessTerms = Object.values(signals.b2b).flat();
const consumer = phrases(Object.values(signals.b2c).flat());
/** Returns a text as `key` does, with a separator between its parts that no phrase matches across. */
const partsKeyed = (text: string): string =>
  text
    .split(/[.,;:!?|\n–—]|\s-\s/)
    .map(key)
    .join(" · ");
/** Returns a pattern for phrases such as `for independent brokers`, for texts from `partsKeyed`. */
const addressed = (terms: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:for|pro|pre|fur|pour|dla)(?: [\\p{L}\\p{N}]+){0,2} ${phrases(terms).source}`, "gu");
const groups = Object.entries(signals.audiences).map(([name, terms]) => ({
  name: name.replaceAll("_", " "),
  terms,
  pattern: phrases(terms),
  addressed: addressed(terms),
  isTrade: signals.trades.includes(name),
}));
type Group = (typeof groups)[number];

/** Weight of a phrase in a title, heading or menu relative to running text, and how often a phrase counts at most. */
const statementWeight = 3;
const repeatsMax = 3;
/** Balance above which only one side is addressed, rather than both. */
const clear = 0.25;
/** Minimum number of votes for a statement. */
const votesMin = 3;
const groupVotesMin = 3;
const phraseWordsMax = 6;

interface Votes {
  readonly count: number;
  readonly quotes: readonly string[];
}

function count(pattern: RegExp, keyed: string): Votes {
  const found = Map.groupBy(keyed.match(pattern) ?? [], (phrase) => phrase);
  return {
    count: [...found.values()].reduce((sum, all) => sum + Math.min(repeatsMax, all.length), 0),
    quotes: [...found.keys()],
  };
}

/** Counts the votes in a page's statements and text, both keyed. */
function votesIn(pattern: RegExp, { statements, text }: ReturnType<typeof keysOf>): Votes {
  const strong = count(pattern, statements);
  const weak = count(pattern, text);
  return { count: statementWeight * strong.count + weak.count, quotes: [...strong.quotes, ...weak.quotes] };
}

const votes = (pattern: RegExp, page: PageFacts): Votes => votesIn(pattern, keysOf(page));
const addressedVotes = (pattern: RegExp, page: PageFacts): Votes =>
  votesIn(pattern, { statements: partsKeyed(statementsOf(page)), text: partsKeyed(page.text) });

const aimed = /(?:^|\s)(?:for|pro|pre|für|pour|dla)\s+((?:[\p{L}\p{N}&'-]+[ ,]*){1,8})/iu;
/** Matches a phrase after "for" that names an audience. */
const someone =
  /(business|compan|firm|enterprise|team|professional|famil|home|owner|student|develop|broker|agent|advis|driver|patient|child|kids|women|men\b|senior|people|parent|teacher|school|employ|manager|retail|restaurant|hotel|clinic|lawyer|investor|entrepreneur|start-?up|contractor|designer|creative|farmer|zemedel|rolnik|polnohospod|landwirt|agricult|lekar|arzt|doctor|dentist|freelanc|podnikatel|zivnostnik|rodin|deti|deln|maklere|makler|poradc|ridic|obce|skol|zamestnan|klient|zakaznik|unternehmen|kunden|firmen|familien|kinder|makler|vermittler|handwerk|mittelstand|schulen|entreprise|particulier|famille|enfant|courtier|professionnel|artisan|firm|rodzin|dzieci|przedsiebior|klient)/;

/** Returns an audience as a heading, title or description names it: `for small businesses`. */
function literal({
  headings,
  title,
  meta,
  url,
}: PageFacts): { readonly phrase: string; readonly evidence: Evidence } | null {
  const statements = [
    ...headings
      .filter(({ level, region }) => level <= 2 && region !== "footer")
      .map(({ text }) => ({ text, place: "heading" })),
    { text: title, place: "title" },
    { text: meta.description ?? "", place: "meta description" },
  ];
  for (const { text, place } of statements)
    for (const part of text.split(/[.|!?:;–—]|\s-\s/)) {
      const phrase = clean(
        part.match(aimed)?.[1]?.split(/,|\s(?:who|that|which|in|with|by|to|kteří|které|die|qui)\s/i)[0] ?? "",
      );
      if (!phrase || phrase.split(" ").length > phraseWordsMax || !someone.test(key(phrase))) continue;
      return { phrase, evidence: { field: "target_audience", value: phrase, url, place, excerpt: excerpt(part) } };
    }
  return null;
}

const stated = (page: PageFacts): Evidence[] =>
  page.things
    .flatMap((thing) => [...nested(thing)])
    .flatMap((thing) =>
      [...textsOf(thing, "audience"), ...textsOf(thing, "serviceAudience"), ...textsOf(thing, "audienceType")].map(
        (value) => ({
          field: "target_audience" as const,
          value,
          url: page.url,
          place: `${thing.from} ${thing.types[0] ?? "item"}`,
          excerpt: excerpt(value),
        }),
      ),
    );

/** Returns whether the site's title or first heading places the company in a group: `Marine insurance brokers`. */
const isOwnTrade = (
  { pages: [{ title, headings, meta }] }: Site,
  { isTrade, pattern, addressed: toThem }: Group,
): boolean =>
  isTrade &&
  [title, meta["og:site_name"] ?? "", ...headings.flatMap(({ level, text }) => (level === 1 ? [text] : []))].some(
    (text) => partsKeyed(text).replace(toThem, "").search(pattern) >= 0,
  );

/** Returns a phrase such as `businesses: advisers, for independent brokers`, or null if the pages address no one. */
export function findAudience(site: Site): Finding<string | null> {
  const { pages } = site;
  const [structured] = pages.flatMap(stated);
  if (structured) return { value: structured.value, confidence: 1, evidence: [structured] };
  const [first] = pages;
  const tally = (pattern: RegExp, votesOf = votes) => {
    const all = pages.map((page) => votesOf(pattern, page));
    return {
      count: all.reduce((sum, one) => sum + one.count, 0),
      quotes: [...new Set(all.flatMap(({ quotes }) => quotes))],
    };
  };
  // The company's own trade is not its audience: a broker's "our brokers" doesn't count, "for brokers" does.
  const own = groups.filter((group) => isOwnTrade(site, group));
  const ownTerms = new Set(own.flatMap(({ terms }) => terms).map(key));
  const firms = tally(phrases(businessTerms.filter((term) => !ownTerms.has(key(term)))));
  const people = tally(consumer);
  const said = literal(first);
  const sum = firms.count + people.count;
  const balance = (firms.count - people.count) / (sum + 2);
  const side =
    sum < votesMin
      ? null
      : balance > clear
        ? "businesses"
        : balance < -clear
          ? "consumers"
          : "businesses and consumers";
  const special = groups
    .map((group) => ({
      name: group.name,
      ...(own.includes(group) ? tally(group.addressed, addressedVotes) : tally(group.pattern)),
    }))
    .filter(({ count }) => count >= groupVotesMin)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 2);
  const value = [
    [side, special.map(({ name }) => name).join(" and ")].filter(Boolean).join(": "),
    said && `“${said.phrase}”`,
  ]
    .filter(Boolean)
    .join("; ");
  const quoted = (about: string, quotes: readonly string[]): Evidence => ({
    field: "target_audience",
    value: about,
    url: first.url,
    place: "phrases on the pages",
    excerpt: excerpt(quotes.slice(0, 8).join(", ")),
  });
  const evidence = [
    ...(said ? [said.evidence] : []),
    ...(side && firms.count > 0 ? [quoted("businesses", firms.quotes)] : []),
    ...(side && people.count > 0 ? [quoted("consumers", people.quotes)] : []),
    ...special.map(({ name, quotes }) => quoted(name, quotes)),
  ];
  return { value: value || null, confidence: !value ? 0 : said && side ? 0.7 : 0.4, evidence };
}
