import type { CheerioAPI } from "cheerio";
import { type Selector, parse as selectorsIn } from "css-what";
import type { Element } from "domhandler";
import type { ChildNode, Declaration, Root } from "postcss";
import parse from "postcss-safe-parser";
import { Refused } from "./blocks.ts";
import { type Effect, effectOf, type Look } from "./html-looks.ts";

/** A longer selector is none of a person's, and nested ones grow by those around them. */
const longestSelector = 1_000;
/** Rules inside rules: deeper ones are none of a person's. */
const deepestRule = 100;

/** How much a declaration counts: of two the heavier holds, of equal ones the later. Specificity is below all of these. */
const weight = { layered: 0, unlayered: 1e10, inline: 1e11, important: 1e12 };
const specificity = { id: 1e6, class: 1e3, name: 1 };

/** What a rule is nested in. */
interface Place {
  readonly selectors: readonly string[];
  /** False where it depends on the width of a window or the like: it may then show text, and hides none for sure. */
  readonly isSure: boolean;
  readonly weight: number;
  readonly depth: number;
}

/** What a rule declares for one property. */
interface Declared {
  readonly property: string;
  readonly effect: Effect;
  readonly weight: number;
}

interface Rule {
  readonly selectors: readonly string[];
  readonly declared: readonly Declared[];
}

/** Where a list of media queries holds on a screen: always, never, or on some. */
function mediaHold(list: string): "always" | "sometimes" | "never" {
  const queries = list.split(",").map((query) => query.toLowerCase().split(/\s+/).join(" ").trim());
  if (queries.some((query) => /^(?:(?:only )?(?:all|screen)|not print)?$/.test(query))) return "always";
  const isElsewhere = (query: string) => /^(?:(?:only )?(?:print|speech)\b|not (?:all|screen)$)/.test(query);
  return queries.every(isElsewhere) ? "never" : "sometimes";
}

/** The place inside an at-rule; null where nothing in it counts. */
function placeIn(name: string, params: string, place: Place): Place | null {
  if (name === "layer") return { ...place, weight: weight.layered };
  if (name === "supports" || name === "container") return { ...place, isSure: false };
  const hold = name === "media" ? mediaHold(params) : "never";
  return hold === "never" ? null : { ...place, isSure: place.isSure && hold === "always" };
}

/** A rule's selectors, each with those that it is nested in. */
function selectorsOf(own: readonly string[], around: readonly string[]): string[] {
  const nested = `:is(${around.join(",")})`;
  const whole = own.map((one) => {
    if (around.length === 0) return one;
    return one.includes("&") ? one.replaceAll("&", nested) : `${nested} ${one}`;
  });
  return whole.filter((one) => one !== "" && one.length <= longestSelector);
}

/** What a declaration says of hidden text; nothing where it is of no browser's (`!ie`). */
function declaredIn({ prop, value, important = false }: Declaration, place: Place): Declared[] {
  const found = value.includes("!") ? null : effectOf(prop.toLowerCase(), value.trim().toLowerCase());
  if (!found || (found.effect === "hides" && !place.isSure)) return [];
  return [{ ...found, weight: place.weight + (important ? weight.important : 0) }];
}

/** Collects the rules of a block that may hide or show text, and those nested in it. Throws `Refused`. */
function collect(block: readonly (ChildNode | Root)[], place: Place, rules: Rule[]): void {
  if (place.depth > deepestRule) throw new Refused("broken", `its styles are nested more than ${deepestRule} deep`);
  const declared: Declared[] = [];
  for (const node of block)
    if (node.type === "decl") declared.push(...declaredIn(node, place));
    else if (node.type === "rule") {
      const selectors = selectorsOf(node.selectors, place.selectors);
      collect(node.nodes, { ...place, selectors, depth: place.depth + 1 }, rules);
    } else if (node.type === "atrule") {
      const inside = placeIn(node.name.toLowerCase(), node.params, place);
      if (inside) collect(node.nodes ?? [], { ...inside, depth: place.depth + 1 }, rules);
    }
  if (declared.length > 0) rules.push({ selectors: place.selectors, declared });
}

/** The rules of a style sheet, or of a `style` attribute. Throws `Refused`. */
function rulesOf(css: string, place: Omit<Place, "depth">): Rule[] {
  const rules: Rule[] = [];
  // No source map is looked for: a comment may name a file. Old pages put their sheets into a comment of HTML.
  collect(parse(css.replace(/<!--|-->/g, " "), { map: false }).nodes, { ...place, depth: 0 }, rules);
  return rules;
}

/** How specific a selector is, by the number of its ids, of its classes and attributes, and of its names. */
function specificityOf(selector: readonly Selector[]): number {
  let sum = 0;
  for (const part of selector)
    if (part.type === "attribute")
      sum += part.name === "id" && part.action === "equals" ? specificity.id : specificity.class;
    else if (part.type === "tag") sum += specificity.name;
    else if (part.type === "pseudo" && part.name !== "where")
      sum += Array.isArray(part.data) ? Math.max(0, ...part.data.map(specificityOf)) : specificity.class;
  return sum;
}

/** Chooses elements by selectors. Most rules of a whole framework are for classes that a page never uses. */
class Chooser {
  private readonly names: ReadonlySet<string>;

  constructor(private readonly $: CheerioAPI) {
    const names = new Set<string>();
    for (const { attribs } of $<Element, string>("[class], [id]").toArray())
      for (const name of `${attribs.class ?? ""} ${attribs.id ?? ""}`.split(/\s+/)) names.add(name);
    this.names = names;
  }

  /** None where it is no selector, or one of what is no element (`::before`). */
  chosen(selector: string): { elements: readonly Element[]; weight: number } {
    try {
      const parsed = selectorsIn(selector);
      const isUsed = parsed.some((parts) => parts.every((part) => this.isUsed(part)));
      const elements = isUsed ? this.$<Element, string>(selector).toArray() : [];
      return { elements, weight: Math.max(0, ...parsed.map(specificityOf)) };
    } catch {
      return { elements: [], weight: 0 };
    }
  }

  private isUsed(part: Selector): boolean {
    if (part.type !== "attribute") return true;
    const isName = part.name === "class" ? part.action === "element" : part.name === "id" && part.action === "equals";
    return !isName || this.names.has(part.value);
  }
}

/** The declarations that hold for each element so far. */
class Cascade {
  private readonly held = new Map<Element, Map<string, Declared>>();

  take(element: Element, declared: readonly Declared[], added: number): void {
    const own = this.held.get(element) ?? new Map<string, Declared>();
    this.held.set(element, own);
    for (const one of declared) {
      const heavy = { ...one, weight: one.weight + added };
      if (heavy.weight >= (own.get(one.property)?.weight ?? 0)) own.set(one.property, heavy);
    }
  }

  looks(): ReadonlyMap<Element, Look> {
    const lookOf = (own: ReadonlyMap<string, Declared>): Look =>
      new Map([...own].map(([property, { effect }]) => [property, effect]));
    return new Map([...this.held].map(([element, own]) => [element, lookOf(own)]));
  }
}

/** The rules of a page's own style sheets; linked ones are not read. */
function sheetRules($: CheerioAPI): Rule[] {
  const top = { selectors: [], isSure: true, weight: weight.unlayered, depth: 0 };
  return $("style")
    .not("noscript style, template style")
    .toArray()
    .flatMap((sheet) => {
      const { type = "", media = "" } = sheet.attribs;
      const place = ["", "text/css"].includes(type.trim().toLowerCase()) ? placeIn("media", media, top) : null;
      return place ? rulesOf($(sheet).text(), place) : [];
    });
}

/** How a page's elements look, as far as its style sheets and `style` attributes hide or show text. Throws `Refused`. */
export function looksIn($: CheerioAPI): ReadonlyMap<Element, Look> {
  const cascade = new Cascade();
  const chooser = new Chooser($);
  for (const { selectors, declared } of sheetRules($))
    for (const selector of selectors) {
      const found = chooser.chosen(selector);
      for (const element of found.elements) cascade.take(element, declared, found.weight);
    }
  const inline = { selectors: [], isSure: true, weight: weight.inline };
  const known = new Map<string, readonly Rule[]>();
  for (const element of $<Element, string>("[style]").toArray()) {
    const css = element.attribs.style ?? "";
    const rules = known.get(css) ?? rulesOf(css, inline);
    known.set(css, rules);
    for (const { declared } of rules) cascade.take(element, declared, 0);
  }
  return cascade.looks();
}
