import { oneOf, readTable } from "../../../knowledge/language/word-table.ts";
import table from "./menu-phrases.tsv" with { type: "text" };
import { key, phrases } from "./text.ts";

/**
 * Words by which menus, headings and links of company websites are told apart, in English, Czech, Slovak, German,
 * Polish and French. All are compared by `key`: lower case, without diacritics.
 */
const lists = ["offer", "about", "imprint", "contact", "everywhere", "call", "addressed", "part", "offering"] as const;

const entries = readTable(table, ["list", "phrase"]).map((row) => ({
  list: oneOf(row.list, lists),
  phrase: row.phrase,
}));

const listed = (wanted: (typeof lists)[number]): string[] =>
  entries.flatMap(({ list, phrase }) => (list === wanted ? [phrase] : []));

/** Heads what is offered. */
export const offer = phrases(listed("offer"));

/** Segments of a path below which the offer lies. */
export const offerPath =
  /\/(products?|services?|solutions?|practice-areas|areas-of-practice|what-we-do|expertise|produkty?|sluzby|reseni|riesenia|nabidka|ponuka|sortiment|produkte|leistungen|loesungen|losungen|angebote?|uslugi|oferta|rozwiazania|produits|prestations|nos-offres|category|kategorie|product-category|courses|treatments|insurance)[/_-]([^/?#]+)/i;

/** Pages worth a look besides the one that was asked for, the most promising first. */
export const pagesWorthALook = [
  { kind: "offer", pattern: offer, most: 2 },
  { kind: "about", pattern: phrases(listed("about")), most: 1 },
  { kind: "imprint", pattern: phrases(listed("imprint")), most: 1 },
  { kind: "contact", pattern: phrases(listed("contact")), most: 1 },
] as const;

/** Entries that every site has, whatever it sells. */
const everywhere = new Set(listed("everywhere"));

/** Links and headings that ask for something, or speak of the company itself. */
const calls = new RegExp(`^(?:${listed("call").map(key).join("|")})(?: |$)`);

/** Words that address the reader or speak of the speaker: a slogan, not a product. */
const addressed = phrases(listed("addressed"));

/** Parts of an entry that show that it is no product. */
const parts = phrases(listed("part"));

/** What a company sells, as nouns say it: parts of words, in all the languages. */
const offering = new RegExp(`(?:${listed("offering").join("|")})`);

/** Whether a text is an entry that every site has, or a call to the reader, and names no product. */
export function isGeneric(text: string): boolean {
  const said = key(text);
  return everywhere.has(said) || calls.test(said) || said.search(addressed) >= 0 || said.search(parts) >= 0;
}

/** Whether a text names what a company may sell. */
export const isOffering = (text: string): boolean => offering.test(key(text));

/** Whether a label heads the offer: `Our products & services`, not `Why companies choose our services`. */
export function headsOffer(label: string | null | undefined): boolean {
  const said = key(label ?? "");
  return said !== "" && said.split(" ").length <= 5 && said.search(offer) >= 0;
}
