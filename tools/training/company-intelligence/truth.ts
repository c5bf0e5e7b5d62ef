import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Site } from "../../../src/products/capabilities/company-intelligence/facts.ts";
import { decode, readPage } from "../../../src/products/capabilities/company-intelligence/page.ts";
import { placeOf } from "../../../src/products/capabilities/company-intelligence/site.ts";
import { key, stem } from "../../../src/products/capabilities/company-intelligence/text.ts";

/** Stored home pages with their labels: a folder's `truth.jsonl` has a line for each of its pages. */

export interface Truth {
  readonly file: string;
  readonly url: string;
  readonly company_name: string;
  readonly aliases: readonly string[];
  /** The firm's offers, as a company register would list them. */
  readonly products_services: readonly string[];
  /** Other offers that the page names; absent from some labels. */
  readonly also?: readonly string[];
}

/** Returns a folder's labels. */
export const truthsIn = (folder: string): Truth[] =>
  readFileSync(join(folder, "truth.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Returns the host name of a label's site, without `www.`. */
export const siteNameOf = ({ url }: Truth): string => new URL(url).hostname.replace(/^www\./, "");

const small = new Set("a and the of na i und et".split(" "));
const tokens = (text: string): string[] =>
  key(text)
    .split(" ")
    .filter((word) => !small.has(word))
    .map(stem);

/** Whether two texts name the same offer: one contains all words of the other, or they share half of all words. */
export function sameOffer(one: string, other: string): boolean {
  const a = tokens(one);
  const b = tokens(other);
  const shared = a.filter((word) => b.includes(word)).length;
  return shared > 0 && (shared === Math.min(a.length, b.length) || shared / new Set([...a, ...b]).size >= 0.5);
}

/** Returns a stored page as a site of one page, or null if it can't be read. */
export function siteOf(folder: string, { file, url }: Truth): Site | null {
  const page = readPage(decode(readFileSync(join(folder, file)), "text/html"), url);
  return page && { pages: [page], ...placeOf(page) };
}
