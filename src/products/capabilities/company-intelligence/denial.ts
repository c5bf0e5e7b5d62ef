import type { PageFacts } from "./facts.ts";
import { key, phrases } from "./text.ts";
import { listed } from "./words.ts";

/** What a site says it does not offer: clauses, headings with all below them, and lists opened by such a clause. */

/** Matches the words between the parts of a phrase: `bieten wir derzeit leider nicht`. */
const gap = "(?: [\\p{L}\\p{N}]+){0,5} ";
const word = "[\\p{L}\\p{N}]";

/** Returns a pattern for a phrase: `|` separates alternatives, and `…` parts with up to five words between them. */
const patternOf = (phrase: string): string =>
  phrase
    .split("…")
    .map((part) => `(?:${part.split("|").map(key).join("|")})`)
    .join(gap);

const denial = new RegExp(`(?<!${word})(?:${listed("denial").map(patternOf).join("|")})(?!${word})`, "gu");
/** Matches a name that is negated: `Keine Krankenversicherung`. */
const denied = new RegExp(`^(?:${listed("denied").map(key).join("|")}) `);
/** Words that keep a denial from being one: `not only life insurance`, `nothing that we do not insure`. */
const merely = new RegExp(`^(?: ${word}+)? (?:${listed("merely").join("|")})(?!${word})`, "u");
const merelyWithin = phrases(listed("merely"));
const nothing = new RegExp(`(?<!${word})(?:${listed("nothing").join("|")})(?: ${word}+){0,3} $`, "u");
/** Words that begin a clause in which a site returns to what it offers. */
const turn = phrases(listed("turn"));
const turnWords = 3;

const deniesClause = (said: string): boolean =>
  denied.test(said) ||
  [...said.matchAll(denial)].some(({ 0: match, index }) => {
    const after = said.slice(index + match.length);
    return match.search(merelyWithin) < 0 && !merely.test(after) && !nothing.test(said.slice(0, index));
  });

/** Splits a text into clauses as far as denials reach: to the end of the sentence, or to a "but". */
const clausesOf = (text: string): string[] =>
  text.split(/(?<=[.!?])\s+/).flatMap((sentence) => {
    const words = sentence.split(/\s+/);
    const starts = words.flatMap((_, at) => {
      const next = key(words.slice(at, at + turnWords).join(" "));
      return at === 0 || next.search(turn) === 0 ? [at] : [];
    });
    return starts.map((start, at) => words.slice(start, starts[at + 1]).join(" "));
  });

/** Returns whether a heading or an entry says that what it names is not offered. */
export const isDenied = (text: string | null): boolean => text !== null && deniesClause(key(text));

/** Returns a text without the clauses that say what is not offered. */
export const withoutDenials = (text: string): string =>
  isDenied(text)
    ? clausesOf(text)
        .filter((clause) => !isDenied(clause))
        .join(" ")
    : text;

/** Returns the headings that say what is not offered, and those below them, unless also used elsewhere. */
function deniedHeadings({ headings }: PageFacts): Set<string> {
  const found = new Set<string>();
  for (const { text, under } of headings) if (isDenied(text) || (under !== null && found.has(under))) found.add(text);
  for (const { text, under } of headings) if (!isDenied(text) && !found.has(under ?? "")) found.delete(text);
  return found;
}

/** Returns the items of lists that a line such as "We do not offer:" opens. */
function deniedItems({ lines, items }: PageFacts): Set<string> {
  const listed = new Set(items.map(({ text }) => text));
  return new Set(
    lines.flatMap(({ text, list }, at) => {
      const first = lines[at + 1];
      if (!text.endsWith(":") || !first || first.list === list || !listed.has(first.text) || !isDenied(text)) return [];
      const after = lines.slice(at + 1);
      const end = after.findIndex((line) => line.list !== first.list);
      return after.slice(0, end < 0 ? undefined : end).map((line) => line.text);
    }),
  );
}

/** Returns a test of whether a place of a page names something that is not offered. */
export function denialsOf(page: PageFacts) {
  const [headings, items] = [deniedHeadings(page), deniedItems(page)];
  return ({
    text,
    quote,
    under,
    within,
  }: Readonly<Record<"text" | "quote", string> & Record<"under" | "within", string | null>>) =>
    items.has(quote) || headings.has(under ?? "") || isDenied(within) || isDenied(text);
}
