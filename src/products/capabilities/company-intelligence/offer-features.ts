import { hashedPlace } from "../../../knowledge/learning/hashed.ts";
import type { PageFacts } from "./facts.ts";
import type { Mention } from "./mentions.ts";
import { key, stem, wordsOf } from "./text.ts";
import { headsOffer, isOffering } from "./words.ts";

/** The features that the offer scorer sees of a text and of the places that name it. */

/** Size of the hashed feature space. */
export const places = 65_536;

/** A text that may be an offer, with all its mentions. */
export interface Candidate {
  readonly text: string;
  /** The words that distinguish it, stemmed. */
  readonly words: readonly string[];
  readonly mentions: readonly Mention[];
}

/** What the first page says about itself, in stems, and how often its text has each of them. */
export interface Summary {
  readonly said: ReadonlySet<string>;
  readonly counts: ReadonlyMap<string, number>;
}

const small = new Set(
  "a an and the of for in on to with by at from or our your pro na v ve s se z ze k o u pri und der die das fur mit von im in de la le les des du et pour en dla w z i".split(
    " ",
  ),
);

/** Returns the words that distinguish two offers, stemmed, without those of the company's own name. */
export const tellingWords = (text: string, own: ReadonlySet<string>): string[] =>
  wordsOf(text)
    .filter((word) => !small.has(word) && !/^\p{L}$/u.test(word) && !own.has(word))
    .map(stem);

/** Extracts the summary from the first page of a site. */
export function summaryOf({ title, meta, headings, text }: PageFacts): Summary {
  const first = headings.filter(({ level }) => level === 1).map((heading) => heading.text);
  const said = [title, meta.description, meta.keywords, ...first].join(" ");
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(stem(word), (counts.get(stem(word)) ?? 0) + 1);
  return { said: new Set(tellingWords(said, new Set())), counts };
}

/** Returns what is above a mention: a heading of the offer, the name of an offer, anything else, or nothing. */
const above = (label: string | null): string => {
  if (label === null) return "nothing";
  if (headsOffer(label)) return "the offer";
  return isOffering(label) ? "an offer" : "something";
};

const weightOfLabel = 0.5;
const weightOfGrams = 4;
const gramsOf = [3, 4, 5];
const labelWordsMax = 8;

/** Returns the sort of a mention. Mentions of one sort count once, such as links in the menu and in the footer. */
const sortOf = (kind: string): string => (/link|menu|card/.test(kind) ? "link" : kind.replace(/^h\d$/, "heading"));

function ofMention({ kind, under, within, traits, depth }: Mention): [string, number][] {
  const label = (text: string | null, mark: string): [string, number][] =>
    wordsOf(text ?? "")
      .slice(0, labelWordsMax)
      .map((word) => [`${mark} ${stem(word)}`, weightOfLabel]);
  return [
    [kind, 1],
    [`${kind} under ${above(under)}`, 1],
    [`${kind} within ${above(within)}`, 1],
    [`${kind} quarter ${Math.floor(depth * 4)}`, 1],
    ...traits.flatMap((trait): [string, number][] => [
      [trait, 1],
      [`${kind} ${trait}`, 1],
    ]),
    ...label(under, "under"),
    ...label(within, "within"),
  ];
}

const flag = (is: boolean, name: string): [string, number][] => (is ? [[name, 1]] : []);

function ofText(text: string): [string, number][] {
  const words = text.split(/\s+/);
  const framed = ` ${key(text)} `;
  const grams = gramsOf.flatMap((length) =>
    Array.from({ length: Math.max(0, framed.length - length + 1) }, (_, at) => framed.slice(at, at + length)),
  );
  const distinct = new Set(grams);
  return [
    [`words ${words.length}`, 1],
    ...flag(/\d/.test(text), "digits"),
    ...flag(/^\p{Ll}/u.test(text), "small letter"),
    ...flag(/^[^\p{Ll}]+$/u.test(text), "capitals"),
    ...flag(words.length > 1 && words.every((word) => /^\p{Lu}/u.test(word)), "title case"),
    ...flag(isOffering(text), "offering"),
    ...[...distinct].map((gram): [string, number] => [`=${gram}`, weightOfGrams / Math.sqrt(distinct.size)]),
  ];
}

const placed = (named: readonly [string, number][]): Map<number, number> =>
  new Map(named.map(([name, value]) => [hashedPlace(name, places), value]));

/** Returns a text's features without a place. Used in training for texts that are not from a page. */
export const phraseFeatures = (text: string): Map<number, number> => placed(ofText(text));

/** Returns a candidate's features by their places in the hashed space. */
export function featuresOf({ text, words, mentions }: Candidate, { said, counts }: Summary): Map<number, number> {
  const sorts = new Set(mentions.map(({ kind }) => sortOf(kind))).size;
  const known = words.filter((word) => said.has(word)).length / words.length;
  const often = words.reduce((sum, word) => sum + Math.log1p(counts.get(word) ?? 0), 0) / words.length;
  return placed([
    ...mentions.flatMap(ofMention),
    ...ofText(text),
    [`sorts ${Math.min(5, sorts)}`, 1],
    ["sorts", sorts / 3],
    [`mentions ${Math.min(6, mentions.length)}`, 1],
    ["known", known],
    ...flag(known === 1, "known all"),
    ["often", often / 3],
  ]);
}
