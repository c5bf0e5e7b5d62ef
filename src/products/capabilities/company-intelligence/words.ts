import { oneOf, readTable } from "../../../knowledge/language/word-table.ts";
import table from "./menu-phrases.tsv" with { type: "text" };
import { key, phrases } from "./text.ts";

/**
 * Words that distinguish menus, headings and links of company websites, in English, Czech, Slovak, German, Polish and
 * French, and words that deny an offer in Hungarian too. All are compared by `key`: lower case, without diacritics.
 */
const lists = [
  "offer",
  "about",
  "imprint",
  "contact",
  "everywhere",
  "call",
  "addressed",
  "part",
  "ending",
  "elsewhere",
  "praise",
  "credit",
  "offering",
  "denial",
  "denied",
  "turn",
  "merely",
  "nothing",
] as const;

const entries = readTable(table, ["list", "phrase"]).map((row) => ({
  list: oneOf(row.list, lists),
  phrase: row.phrase,
}));

/** Returns the phrases of a list. */
export const listed = (wanted: (typeof lists)[number]): string[] =>
  entries.flatMap(({ list, phrase }) => (list === wanted ? [phrase] : []));

/** Matches a label that heads the offer. */
export const offer = phrases(listed("offer"));

/** Matches a path with a segment below which the offer is. */
export const offerPath =
  /\/(products?|services?|solutions?|practice-areas|areas-of-practice|what-we-do|expertise|produkty?|sluzby|reseni|riesenia|nabidka|ponuka|sortiment|produkte|leistungen|loesungen|losungen|angebote?|uslugi|oferta|rozwiazania|produits|prestations|nos-offres|category|kategorie|product-category|courses|treatments|insurance)[/_-]([^/?#]+)/i;

/** Pages worth reading besides the requested one, the most promising first. */
export const pagesWorthALook = [
  { kind: "offer", pattern: offer, most: 2 },
  { kind: "about", pattern: phrases(listed("about")), most: 1 },
  { kind: "imprint", pattern: phrases(listed("imprint")), most: 1 },
  { kind: "contact", pattern: phrases(listed("contact")), most: 1 },
] as const;

/** Entries that every site has, whatever it sells. */
const everywhere = new Set(listed("everywhere"));

/** Links and headings that ask for an action, or are about the company itself. */
const calls = new RegExp(`^(?:${listed("call").map(key).join("|")})(?: |$)`);

/** Endings of entries about the company, or about something to read. */
const endings = new RegExp(`(?:^| )(?:${listed("ending").map(key).join("|")})$`);

/** Headings of what is no offer: places, people, references, reasons, steps, news. */
const elsewhere = new RegExp(`^(?:our )?(?:${listed("elsewhere").map(key).join("|")})(?: |$)`);

/** Words that only praise what follows them. */
const praise = new RegExp(`^(?:(?:${listed("praise").map(key).join("|")}) (?:(?:a|and|und|et|i) )?)+`);

/** Words before the name of the site's designer, which is not the company's. */
const credit = phrases(listed("credit"));
const creditLabel =
  /^(?:web ?design|design|grafika|gestaltung|umsetzung|realisierung|realizacja|wykonanie|conception|réalisation|tvorba)(?: \S+)?:/i;

/** Words that address the reader or refer to the speaker: a slogan, not a product. */
const addressed = phrases(listed("addressed"));

/** Parts of an entry that show that it is not a product. */
const parts = phrases(listed("part"));

/** Parts of nouns for what a company sells, in all the languages. */
const offering = new RegExp(`(?:${listed("offering").join("|")})`);

/** Returns whether a text is an entry that every site has, or a call to the reader, and names no product. */
export function isGeneric(text: string): boolean {
  const said = key(text);
  return (
    everywhere.has(said) ||
    calls.test(said) ||
    endings.test(said) ||
    said.search(addressed) >= 0 ||
    said.search(parts) >= 0 ||
    // The English `I`, which in lower case means "and" in Czech, Slovak and Polish.
    /(?<![\p{L}\p{N}])I(?![\p{L}\p{N}.])/u.test(text) ||
    said.replace(offer, "").trim() === ""
  );
}

/** Returns whether a text promises something to its reader instead of naming someone. */
export const isSlogan = (text: string): boolean =>
  /[!?]$/.test(text) || calls.test(key(text)) || key(text).search(addressed) >= 0;

/** Returns a text without leading words of praise: `Loving, Customized Pet Care` is pet care. */
export function withoutPraise(text: string): string {
  const said = key(text);
  const left = said.match(praise)?.[0] ?? "";
  const words = left.split(" ").length - 1;
  const rest = text.split(/[\s,]+/).slice(words);
  return words > 0 && rest.length > 0 && key(rest.join(" ")) === said.slice(left.length) ? rest.join(" ") : text;
}

/** Returns a footer line up to the words that say who made the site. */
export function beforeCredit(line: string): string {
  if (key(line).search(credit) < 0 && !line.includes(":")) return line;
  const words = line.split(/\s+/);
  const at = words.findIndex((_, from) => {
    const next = words.slice(from, from + 4).join(" ");
    return creditLabel.test(next) || key(next).search(credit) === 0;
  });
  return at < 0 ? line : words.slice(0, at).join(" ");
}

/** Returns whether a text names something that a company may sell. */
export const isOffering = (text: string): boolean => offering.test(key(text));

/** Returns whether a label heads places, people, reasons or news, below which nothing is an offer. */
export const headsElsewhere = (label: string | null | undefined): boolean =>
  !headsOffer(label) && elsewhere.test(key(label ?? ""));

/** Returns whether a label heads the offer: `Our products & services`, not `Why companies choose our services`. */
export function headsOffer(label: string | null | undefined): boolean {
  const said = key(label ?? "");
  return said !== "" && said.split(" ").length <= 5 && said.search(offer) >= 0;
}
