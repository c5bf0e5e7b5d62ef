import { type Static, Type as T } from "@sinclair/typebox";
import { detectInMarket } from "../../knowledge/language/detect.ts";
import { isStopWord } from "../../knowledge/language/function-words.ts";
import { stem } from "../../knowledge/language/stem.ts";
import { isoCountry } from "../../platform/countries.ts";
import { closed } from "../../platform/schema.ts";
import { fold } from "../../platform/text.ts";
import { countryName } from "../datasets/places.ts";
import type { Known } from "./blueprint.ts";
import { phrasesIn } from "./phrases.ts";
import lists from "./prose.yaml" with { type: "yaml" };
import type { Design, Product } from "./schema.ts";
import { type ArchitectLanguage, taxonomy, texts } from "./taxonomy.ts";

/**
 * Checks a language model's text for a solution's document: every number and name in it must come from the design, and
 * it must not promise, link or contradict the design. Text that can't be checked is rejected, and the document is
 * delivered without it.
 */

const text = (minLength: number, maxLength: number) => T.String({ minLength, maxLength });
/** The model's output: one text per section except the price, which is figures only. */
export const Prose = closed({
  summary: text(80, 1_500),
  needs: text(20, 700),
  products: text(20, 700),
  flow: text(20, 700),
  control: text(20, 700),
  risks: text(20, 700),
  next: text(20, 700),
});
export type Prose = Static<typeof Prose>;

type ByLanguage<Value> = Readonly<Record<ArchitectLanguage, Value>>;
interface Lists
  extends Readonly<Record<"promises" | "whole" | "approval" | "negation" | "large", ByLanguage<readonly string[]>>> {
  readonly numbers: ByLanguage<Readonly<Record<string, number>>>;
  readonly plain: ByLanguage<string>;
}
const words = lists as Lists;

const wordsIn = (from: string): string[] => from.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
const stemsOf = (from: string, language: ArchitectLanguage): string[] =>
  wordsIn(from).map((word) => stem(fold(word), language));

const ownStems = new Map<ArchitectLanguage, ReadonlySet<string>>();
/** Returns the stems of the product's own texts in a language; a foreign name is not among them. */
function stemsOfOwnTexts(language: ArchitectLanguage): ReadonlySet<string> {
  const known = ownStems.get(language);
  if (known) return known;
  const all = [
    ...Object.values(texts).map((said) => said[language]),
    ...Object.values(taxonomy.needs).map(({ titles }) => titles[language]),
    words.plain[language],
  ];
  const made = new Set(all.flatMap((one) => stemsOf(one, language)));
  ownStems.set(language, made);
  return made;
}

/** The facts that a text is checked against. */
interface Facts {
  readonly language: ArchitectLanguage;
  readonly country: string;
  readonly design: Design;
  /** The chosen products, without duplicates. */
  readonly products: readonly Product[];
  /** Names allowed verbatim, longest first, each with the private-use character that masks it. */
  readonly names: readonly { readonly name: string; readonly mark: string; readonly product?: Product }[];
  /** Folded names and slugs of products that were not chosen. */
  readonly others: readonly string[];
  readonly counts: ReadonlySet<number>;
  readonly stems: ReadonlySet<string>;
}

const firstMark = 0xe000;

function factsOf({ intake, reading, products: sold }: Known, design: Design): Facts {
  const { language, needs } = reading;
  const chosen = new Set(design.chosen.map(({ product }) => product));
  const products = sold.filter(({ slug }) => chosen.has(slug));
  const named = [
    ...products.flatMap((product) => [
      { name: product.name, product },
      { name: product.slug, product },
    ]),
    ...needs.filter(({ known }) => known).map(({ title }) => ({ name: title })),
    { name: intake.company.trim() },
  ];
  const copy = products.flatMap(({ name, outcome, description, limitations, evidence_freshness, inputs }) => [
    ...[name, outcome, description, evidence_freshness, ...limitations],
    ...inputs.map((input) => input.description ?? ""),
  ]);
  const place = [intake.country, countryName(isoCountry(intake.country), language)];
  const own = [...copy, ...place, ...intake.channels, ...intake.data_sources];
  return {
    language,
    country: intake.country,
    design,
    products,
    names: named
      .filter(({ name }) => name.length > 2)
      .sort((a, b) => b.name.length - a.name.length)
      .map((one, i) => ({ ...one, mark: String.fromCharCode(firstMark + i) })),
    others: sold.filter(({ slug }) => !chosen.has(slug)).flatMap(({ name, slug }) => [fold(name), slug]),
    counts: new Set([
      ...[needs.length, needs.length - design.unserved.length, design.unserved.length],
      ...[products.length, design.approvals.length],
    ]),
    stems: new Set(own.flatMap((one) => stemsOf(one, language))),
  };
}

const masked = (written: string, { names }: Facts): string =>
  names.reduce((left, { name, mark }) => left.replaceAll(name, mark), written);

const plainCharacters = /^[\p{L}\p{M}\p{Nd} .,;:!?()'"„“”‚‘’–—%/&+\ue000-\uf8ff-]*$/u;

/** Returns the error for markup, addresses and anything else that is not a plain sentence. */
function markupIn(sentence: string): string | null {
  if (!plainCharacters.test(sentence)) return "Write plain sentences: no markup, no marks, no new lines.";
  if (/[\p{L}\d]\.[\p{L}]|:\/|\/\//u.test(sentence)) return "Write no address and no abbreviation with dots inside.";
  return null;
}

/** Returns the error for a capitalised word that neither the design nor the product's texts contain. */
function nameIn(sentence: string, { language, stems, others }: Facts): string | null {
  const folded = fold(sentence);
  const other = others.find((name) => folded.includes(name));
  if (other !== undefined) return `The design has no ${other}.`;
  const strange = (sentence.match(/\p{Lu}[\p{L}\p{M}]*/gu) ?? []).find((word) => {
    const form = fold(word);
    const root = stem(form, language);
    return !isStopWord(form, language) && !stems.has(root) && !stemsOfOwnTexts(language).has(root);
  });
  return strange === undefined ? null : `“${strange}” is no name of the design: leave it out, or write the word small.`;
}

const isCredits = (word: string): boolean => /^[ck]redit/.test(fold(word));

/** Returns each number in a sentence, as figures or words, and whether it counts credits. */
function numbersIn(sentence: string, language: ArchitectLanguage): { value: number; isPrice: boolean }[] {
  const joined = sentence.replace(/(\d)[ \u00a0\u202f.,](?=\d{3}(?!\d))/g, "$1");
  const parts = joined.match(/\d+(?:[.,]\d+)?|\p{L}[\p{L}\p{M}]*/gu) ?? [];
  return parts.flatMap((part, i) => {
    const value = /^\d/.test(part) ? Number(part.replace(",", ".")) : words.numbers[language][fold(part)];
    return value === undefined ? [] : [{ value, isPrice: isCredits(parts[i + 1] ?? "") }];
  });
}

/** Returns the error for a number that is not in the design or does not belong to the sentence's subject. */
function numberIn(sentence: string, facts: Facts): string | null {
  const { design, products, names, counts, language } = facts;
  const large = phrasesIn(sentence, words.large[language])[0];
  if (large !== undefined) return `Write no number in words like “${large}”.`;
  const about = names.flatMap(({ mark, product }) => (product && sentence.includes(mark) ? [product] : []));
  const isOfAll = about.length === 0 || products.every((product) => about.includes(product));
  const prices = new Set([
    ...about.map(({ maximum_credits }) => maximum_credits),
    ...(isOfAll ? [design.price.maximum_credits] : []),
  ]);
  const wrong = numbersIn(sentence, language).find(
    ({ value, isPrice }) => !prices.has(value) && (isPrice || !counts.has(value)),
  );
  return wrong ? `${wrong.value} is no number of what the sentence is about.` : null;
}

/** Returns the error for a product paired with a need that it was not chosen for. */
function pairIn(sentence: string, { names, design }: Facts, needs: Known["reading"]["needs"]): string | null {
  const here = names.filter(({ mark }) => sentence.includes(mark));
  const about = needs.filter(({ title }) => here.some(({ name }) => name === title));
  const wrong = here.find(
    ({ product }) =>
      product &&
      about.length > 0 &&
      !about.some(({ id }) => design.chosen.some((one) => one.need === id && one.product === product.slug)),
  );
  return wrong ? `${wrong.name} was not chosen for the need that the sentence names.` : null;
}

/** Returns the error for a claim that the design does not make or contradicts. */
function claimIn(sentence: string, { language, design }: Facts): string | null {
  const has = (list: "promises" | "whole" | "approval" | "negation") => phrasesIn(sentence, words[list][language])[0];
  const promise = has("promises");
  if (promise !== undefined) return `Promise nothing: “${promise}” is not the design's.`;
  const whole = has("whole");
  if (design.unserved.length > 0 && whole !== undefined) return `Some needs are unserved: leave out “${whole}”.`;
  const approval = has("approval");
  if (approval === undefined) return null;
  if (design.approvals.length === 0) return `The design has no approval: leave out “${approval}”.`;
  return has("negation") === undefined ? null : "Deny no approval.";
}

function permissionIn(sentence: string, { design }: Facts): string | null {
  const scopes = sentence.split(/[^\p{L}:-]/u).filter((part) => /\p{L}:\p{L}/u.test(part));
  const strange = scopes.find((scope) => !design.permissions.includes(scope));
  return strange === undefined ? null : `The design does not need ${strange}.`;
}

const marked = /[\ue000-\uf8ff]/u;

/** Returns what is wrong with a model's text, worded for the model; `null` if nothing is. */
export function flawInProse(prose: Prose, known: Known, design: Design): string | null {
  const facts = factsOf(known, design);
  const { language, country } = facts;
  const whole = Object.values(prose).join(" ");
  if (detectInMarket(whole, country) !== language) return "Write in the language asked for.";
  for (const [section, written] of Object.entries(prose)) {
    if (marked.test(written)) return `${section}: write plain sentences.`;
    for (const sentence of masked(written, facts).split(/(?<=[.!?])\s+/)) {
      const flaw =
        markupIn(sentence) ??
        permissionIn(sentence, facts) ??
        nameIn(sentence, facts) ??
        numberIn(sentence, facts) ??
        pairIn(sentence, facts, known.reading.needs) ??
        claimIn(sentence, facts);
      if (flaw !== null) return `${section}: ${flaw}`;
    }
  }
  return null;
}
