import type { CheerioAPI } from "cheerio";
import { type Selector, parse as selectorsIn } from "css-what";
import type { Element } from "domhandler";
import type { ChildNode, Declaration, Root } from "postcss";
import parse from "postcss-safe-parser";
import { Refused } from "./blocks.ts";
import { type Effect, effectOf, type Look } from "./html-looks.ts";

/** Maximum characters of a selector. Longer ones are not written by hand, and nesting multiplies the length. */
const longestSelector = 1_000;
/** Maximum nesting of rules. Deeper ones are not written by hand. */
const deepestRule = 100;

/** Cascade weights of declarations: the highest wins, then the last. Specificity adds less than any of these. */
const weight = { layered: 0, unlayered: 1e10, inline: 1e11, important: 1e12 };
const specificity = { id: 1e6, class: 1e3, name: 1 };

/** The context in which a rule is nested. */
interface Place {
  readonly selectors: readonly string[];
  /** False if it depends on the window's width or similar; declarations that hide text are then ignored. */
  readonly isSure: boolean;
  readonly weight: number;
  readonly depth: number;
}

/** A declaration's effect on one property. */
interface Declared {
  readonly property: string;
  readonly effect: Effect;
  readonly weight: number;
}

interface Rule {
  readonly selectors: readonly string[];
  readonly declared: readonly Declared[];
}

/** Returns whether a list of media queries holds on all, some or no screens. */
function mediaHold(list: string): "always" | "sometimes" | "never" {
  const queries = list.split(",").map((query) => query.toLowerCase().split(/\s+/).join(" ").trim());
  if (queries.some((query) => /^(?:(?:only )?(?:all|screen)|not print)?$/.test(query))) return "always";
  const isElsewhere = (query: string) => /^(?:(?:only )?(?:print|speech)\b|not (?:all|screen)$)/.test(query);
  return queries.every(isElsewhere) ? "never" : "sometimes";
}

/** Returns the context inside an at-rule; null if its contents never apply. */
function placeIn(name: string, params: string, place: Place): Place | null {
  if (name === "layer") return { ...place, weight: weight.layered };
  if (name === "supports" || name === "container") return { ...place, isSure: false };
  const hold = name === "media" ? mediaHold(params) : "never";
  return hold === "never" ? null : { ...place, isSure: place.isSure && hold === "always" };
}

/** Returns a rule's selectors, combined with those of the enclosing rules. */
function selectorsOf(own: readonly string[], around: readonly string[]): string[] {
  const nested = `:is(${around.join(",")})`;
  const whole = own.map((one) => {
    if (around.length === 0) return one;
    return one.includes("&") ? one.replaceAll("&", nested) : `${nested} ${one}`;
  });
  return whole.filter((one) => one !== "" && one.length <= longestSelector);
}

/** Returns a declaration's effect on the visibility of text; empty if no browser applies it (`!ie`). */
function declaredIn({ prop, value, important = false }: Declaration, place: Place): Declared[] {
  const found = value.includes("!") ? null : effectOf(prop.toLowerCase(), value.trim().toLowerCase());
  if (!found || (found.effect === "hides" && !place.isSure)) return [];
  return [{ ...found, weight: place.weight + (important ? weight.important : 0) }];
}

/** Collects the rules of a block, and those nested in it, that may hide or show text. Throws `Refused`. */
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

/** Parses the rules of a style sheet or of a `style` attribute. Throws `Refused`. */
function rulesOf(css: string, place: Omit<Place, "depth">): Rule[] {
  const rules: Rule[] = [];
  // Source maps are not loaded, since a comment could name any file. Old pages wrap their style sheets in an HTML
  // comment.
  collect(parse(css.replace(/<!--|-->/g, " "), { map: false }).nodes, { ...place, depth: 0 }, rules);
  return rules;
}

/** Returns a selector's specificity: the number of its ids, of its classes and attributes, and of its names. */
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

/** Selects elements. Skips selectors with classes that the page does not use, as most in a framework are. */
class Chooser {
  private readonly names: ReadonlySet<string>;

  constructor(private readonly $: CheerioAPI) {
    const names = new Set<string>();
    for (const { attribs } of $<Element, string>("[class], [id]").toArray())
      for (const name of `${attribs.class ?? ""} ${attribs.id ?? ""}`.split(/\s+/)) names.add(name);
    this.names = names;
  }

  /** Selects nothing for an invalid selector or a pseudo-element (`::before`). */
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

/** The winning declarations of each element so far. */
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

/** Returns the rules of the style sheets in the page; linked ones are not loaded. */
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

/** Returns how style sheets and `style` attributes hide or show a page's elements. Throws `Refused`. */
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
