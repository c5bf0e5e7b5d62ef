import type { CheerioAPI } from "cheerio/slim";
import type { Thing } from "./facts.ts";
import { clean } from "./text.ts";

/** Structured data of a page, JSON-LD and microdata. It is the page's own claim and may have any shape. */

/** Limits for one page. More does not describe a company, and may be meant to exhaust the parser. */
const blocksMax = 20;
const blockLengthMax = 200_000;
const thingsMax = 200;
const depthMax = 8;
const valuesMax = 50;
const scopesMax = 60;
const textMax = 500;
const typeMax = 60;
const propertiesMax = 1_000;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]).slice(0, valuesMax);
/** Returns the last part of a type's address. */
const bare = (type: string): string => clean(type.replace(/^.*[/#:]/, "").slice(0, typeMax));

function thingOf(value: Record<string, unknown>, depth: number, budget: { left: number }): Thing | undefined {
  if (depth > depthMax || budget.left-- <= 0) return undefined;
  const properties: Record<string, (string | Thing)[]> = Object.create(null);
  for (const [name, held] of Object.entries(value).slice(0, valuesMax)) {
    if (name.startsWith("@")) continue;
    const values = listed(held).flatMap((one): (string | Thing)[] => {
      if (typeof one === "string" || typeof one === "number") return [clean(String(one)).slice(0, textMax)];
      const inner = isRecord(one) ? thingOf(one, depth + 1, budget) : undefined;
      return inner ? [inner] : [];
    });
    if (values.length > 0) properties[bare(name)] = values;
  }
  const types = listed(value["@type"]).filter((type) => typeof type === "string");
  return { types: types.map(bare), properties, from: "JSON-LD" };
}

function fromJsonLd($: CheerioAPI): Thing[] {
  const budget = { left: thingsMax };
  const things: Thing[] = [];
  for (const script of $('script[type="application/ld+json"]').toArray().slice(0, blocksMax)) {
    const text = $(script).text();
    if (text.length > blockLengthMax) continue;
    let parsed: unknown;
    try {
      // Some pages wrap it once more, as HTML or script.
      parsed = JSON.parse(text.replace(/^\s*(<!--|\/\*<!\[CDATA\[\*\/)|(-->|\/\*\]\]>\*\/)\s*$/g, ""));
    } catch {
      continue;
    }
    for (const root of listed(parsed)) {
      if (!isRecord(root)) continue;
      for (const one of listed(root["@graph"] ?? root)) {
        const thing = isRecord(one) ? thingOf(one, 0, budget) : undefined;
        if (thing) things.push(thing);
      }
    }
  }
  return things;
}

function fromMicrodata($: CheerioAPI): Thing[] {
  const scopes = $("[itemscope]").toArray().slice(0, scopesMax);
  const own = new Map<unknown, typeof scopes>(scopes.map((scope) => [scope, []]));
  for (const element of $("[itemprop]").toArray().slice(0, propertiesMax)) {
    const properties = own.get($(element).parent().closest("[itemscope]").get(0));
    if (properties && properties.length < valuesMax) properties.push(element);
  }
  return scopes.map((scope) => {
    const properties: Record<string, string[]> = Object.create(null);
    for (const element of own.get(scope) ?? []) {
      const { content, href, itemprop = "" } = element.attribs;
      const text = clean(content ?? ($(element).text().trim() || (href ?? ""))).slice(0, textMax);
      if (text) properties[itemprop] = [...(properties[itemprop] ?? []), text];
    }
    return { types: (scope.attribs.itemtype ?? "").split(/\s+/).map(bare), properties, from: "microdata" as const };
  });
}

/** Returns all items of a page, JSON-LD first. Items that can't be parsed or exceed the limits are left out. */
export const structuredData = ($: CheerioAPI): Thing[] => [...fromJsonLd($), ...fromMicrodata($)];

/** Returns the texts of a property, and the names of items given in their place. */
export const textsOf = (thing: Thing, property: string): string[] =>
  (thing.properties[property] ?? []).flatMap((value) =>
    typeof value === "string" ? [value] : (value.properties.name ?? []).filter((name) => typeof name === "string"),
  );

/** Yields the item and everything inside it. */
export function* nested(thing: Thing): Generator<Thing> {
  yield thing;
  for (const values of Object.values(thing.properties))
    for (const value of values) if (typeof value !== "string") yield* nested(value);
}
