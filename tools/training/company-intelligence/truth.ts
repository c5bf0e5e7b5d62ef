import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Site } from "../../../src/products/capabilities/company-intelligence/facts.ts";
import { decode, readPage } from "../../../src/products/capabilities/company-intelligence/page.ts";
import { placeOf } from "../../../src/products/capabilities/company-intelligence/site.ts";
import { key, stem } from "../../../src/products/capabilities/company-intelligence/text.ts";

/** Stored home pages with what is true of them: `truth.jsonl` of a folder has a line for each page beside it. */

export interface Truth {
  readonly file: string;
  readonly url: string;
  readonly company_name: string;
  readonly aliases: readonly string[];
  /** The firm's offer, as a register of firms would have it. */
  readonly products_services: readonly string[];
  /** What else the page names as an offer; not all labels have it. */
  readonly also?: readonly string[];
}

/** The labels of a folder. */
export const truthsIn = (folder: string): Truth[] =>
  readFileSync(join(folder, "truth.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** The site that a label is of, whatever its address begins with. */
export const siteNameOf = ({ url }: Truth): string => new URL(url).hostname.replace(/^www\./, "");

const small = new Set("a and the of na i und et".split(" "));
const tokens = (text: string): string[] =>
  key(text)
    .split(" ")
    .filter((word) => !small.has(word))
    .map(stem);

/** The same offer: all words of the shorter are in the longer, or at least half of all words are shared. */
export function sameOffer(one: string, other: string): boolean {
  const a = tokens(one);
  const b = tokens(other);
  const shared = a.filter((word) => b.includes(word)).length;
  return shared > 0 && (shared === Math.min(a.length, b.length) || shared / new Set([...a, ...b]).size >= 0.5);
}

/** A stored page as the site of its firm, without further pages. Null where it can't be read. */
export function siteOf(folder: string, { file, url }: Truth): Site | null {
  const page = readPage(decode(readFileSync(join(folder, file)), "text/html"), url);
  return page && { pages: [page], ...placeOf(page) };
}
