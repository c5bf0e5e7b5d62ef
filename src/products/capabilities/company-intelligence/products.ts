import type { Site } from "./facts.ts";
import { withoutForm } from "./legal-forms.ts";
import { bare, type Mention, mayBeOffer, mentionsOf, withoutName } from "./mentions.ts";
import { type Candidate, type Summary, summaryOf, tellingWords } from "./offer-features.ts";
import learned from "./offers.json" with { type: "json" };
import { offerProbabilities, unpackOffers } from "./offers.ts";
import { placesOf } from "./places.ts";
import type { Evidence, Finding } from "./profile.ts";
import { excerpt, key, wordsOf } from "./text.ts";
import { withoutPraise } from "./words.ts";

/** What the company offers: everything on its pages that a learned scorer takes for an offer. */

/** Maximum number of offers returned. */
const most = 15;
/** Minimum probability of an offer. */
const threshold = 0.35;
/** If none reaches it, the maximum number and minimum probability for a page that says little about its offer. */
const fewest = 3;
const least = 0.25;

const model = unpackOffers(learned);

/** Returns all candidate offers of a site, and the summary of its first page. Also used in training. */
export function candidatesOf(site: Site, name: string | null): { candidates: Candidate[]; summary: Summary } {
  const { pages, label } = site;
  const { isPlace, without } = placesOf(site);
  const named = [name ?? "", withoutForm(name ?? "")].map(key).filter(Boolean);
  const own = new Set([...wordsOf(withoutForm(name ?? "")), ...(label ? [label] : [])]);
  const mentions = pages
    .flatMap((page, at) => mentionsOf(page, at === 0))
    .map((one): Mention => ({ ...one, text: without(withoutPraise(withoutName(bare(one.text), named))) }))
    .filter(({ text }) => mayBeOffer(text) && !isPlace(text) && !named.includes(key(text)));
  const groups = Map.groupBy(mentions, ({ text }) => tellingWords(text, own).toSorted().join(" "));
  groups.delete("");
  const candidates = [...groups.values()].flatMap((members): Candidate[] => {
    const [shortest] = members.toSorted((a, b) => a.text.length - b.text.length);
    return shortest ? [{ text: shortest.text, words: tellingWords(shortest.text, own), mentions: members }] : [];
  });
  return { candidates, summary: summaryOf(pages[0]) };
}

/** A candidate, and the probability that it is an offer. */
export interface Judged extends Candidate {
  readonly probability: number;
}

/** Leaves out candidates that only say more, or less, than one already kept: `Nitro for Jive` next to `Nitro`. */
function distinct<One extends Candidate>(surestFirst: readonly One[], count: number): One[] {
  const kept: One[] = [];
  for (const one of surestFirst) {
    if (kept.length === count) break;
    const repeats = kept.some(({ words }) => {
      const shared = one.words.filter((word) => words.includes(word)).length;
      return shared === one.words.length || (shared === words.length && words.length > 1);
    });
    if (!repeats) kept.push(one);
  }
  return kept;
}

/** Returns the offers to give, the most probable first, and whether there are more. Also used in training. */
export function givenOf<One extends Judged>(judged: readonly One[], from = threshold) {
  const surestFirst = judged.toSorted((a, b) => b.probability - a.probability);
  const reaching = (probability: number) => surestFirst.filter((one) => one.probability >= probability);
  const sure = distinct(reaching(from), most + 1);
  return {
    given: sure.length > 0 ? sure.slice(0, most) : distinct(reaching(least), fewest),
    isMore: sure.length > most,
  };
}

function evidenceOf({ text, mentions: [first] }: Judged): Evidence[] {
  return first
    ? [
        {
          field: "products_services",
          value: text,
          url: first.url,
          place: excerpt(first.place),
          excerpt: excerpt(first.quote),
        },
      ]
    : [];
}

/** The offers of the pages, with a note on what is missing. */
export interface ProductsFound extends Finding<string[]> {
  readonly note: string | null;
}

/** Returns the products and services that the pages name, the most probable first. Needs the company's name. */
export function findProducts(site: Site, name: string | null): ProductsFound {
  const { candidates, summary } = candidatesOf(site, name);
  const probabilities = offerProbabilities(model, candidates, summary);
  const { given, isMore } = givenOf(
    candidates.map((candidate, at) => ({ ...candidate, probability: probabilities[at] ?? 0 })),
  );
  const sum = given.reduce((total, { probability }) => total + probability, 0);
  const more = isMore
    ? "The pages name more products and services than the fifteen most certain, which are given."
    : null;
  return {
    value: given.map(({ text }) => text),
    confidence: given.length === 0 ? 0 : Math.round((100 * sum) / given.length) / 100,
    evidence: given.flatMap(evidenceOf),
    note: given.length === 0 ? "The pages name no products or services that can be distinguished." : more,
  };
}
