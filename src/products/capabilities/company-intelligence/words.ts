import { oneOf, readTable } from "../../../knowledge/language/word-table.ts";
import table from "./menu-phrases.tsv" with { type: "text" };
import { key, phrases } from "./text.ts";

/**
 * Words by which menus, headings and links of company websites are told apart, in English, Czech, Slovak, German,
 * Polish and French; what denies an offer in Hungarian too. All are compared by `key`: lower case, without diacritics.
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

/** The phrases of a list. */
export const listed = (wanted: (typeof lists)[number]): string[] =>
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

/** What an entry that ends so is about: the company, or something to read. */
const endings = new RegExp(`(?:^| )(?:${listed("ending").map(key).join("|")})$`);

/** Heads what is no offer: places, people, references, reasons, steps, news. */
const elsewhere = new RegExp(`^(?:our )?(?:${listed("elsewhere").map(key).join("|")})(?: |$)`);

/** Words that only praise what follows them. */
const praise = new RegExp(`^(?:(?:${listed("praise").map(key).join("|")}) (?:(?:a|and|und|et|i) )?)+`);

/** What comes after such words names who made the site, not whose it is. */
const credit = phrases(listed("credit"));
const creditLabel =
  /^(?:web ?design|design|grafika|gestaltung|umsetzung|realisierung|realizacja|wykonanie|conception|réalisation|tvorba)(?: \S+)?:/i;

/** Words that address the reader or speak of the speaker: a slogan, not a product. */
const addressed = phrases(listed("addressed"));

/** Parts of an entry that show that it is no product. */
const parts = phrases(listed("part"));

/** What a company sells, as nouns say it: parts of words, in all the languages. */
const offering = new RegExp(`(?:${listed("offering").join("|")})`);

/** Whether a text is an entry that every site has, or a call to the reader, and names no product. */
export function isGeneric(text: string): boolean {
  const said = key(text);
  return (
    everywhere.has(said) ||
    calls.test(said) ||
    endings.test(said) ||
    said.search(addressed) >= 0 ||
    said.search(parts) >= 0 ||
    // `I`, which in lower case is "and" in Czech, Slovak and Polish.
    /(?<![\p{L}\p{N}])I(?![\p{L}\p{N}.])/u.test(text) ||
    said.replace(offer, "").trim() === ""
  );
}

/** Whether a text promises something to its reader in place of naming somebody. */
export const isSlogan = (text: string): boolean =>
  /[!?]$/.test(text) || calls.test(key(text)) || key(text).search(addressed) >= 0;

/** A text without the words of praise at its beginning: `Loving, Customized Pet Care` is pet care. */
export function withoutPraise(text: string): string {
  const said = key(text);
  const left = said.match(praise)?.[0] ?? "";
  const words = left.split(" ").length - 1;
  const rest = text.split(/[\s,]+/).slice(words);
  return words > 0 && rest.length > 0 && key(rest.join(" ")) === said.slice(left.length) ? rest.join(" ") : text;
}

/** A line of a footer up to the words that say who made the site. */
export function beforeCredit(line: string): string {
  if (key(line).search(credit) < 0 && !line.includes(":")) return line;
  const words = line.split(/\s+/);
  const at = words.findIndex((_, from) => {
    const next = words.slice(from, from + 4).join(" ");
    return creditLabel.test(next) || key(next).search(credit) === 0;
  });
  return at < 0 ? line : words.slice(0, at).join(" ");
}

/** Whether a text names what a company may sell. */
export const isOffering = (text: string): boolean => offering.test(key(text));

/** Whether a label heads places, people, reasons or news, below which nothing is an offer. */
export const headsElsewhere = (label: string | null | undefined): boolean =>
  !headsOffer(label) && elsewhere.test(key(label ?? ""));

/** Whether a label heads the offer: `Our products & services`, not `Why companies choose our services`. */
export function headsOffer(label: string | null | undefined): boolean {
  const said = key(label ?? "");
  return said !== "" && said.split(" ").length <= 5 && said.search(offer) >= 0;
}
