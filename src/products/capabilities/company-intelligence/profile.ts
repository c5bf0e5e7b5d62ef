import type { PageFacts } from "./facts.ts";
import type { CompanyEvidence } from "./schema.ts";
import { key } from "./text.ts";

/** One piece of evidence: what it supports, where it is, and its words. */
export type Evidence = CompanyEvidence;

/** A field of the profile with its evidence. */
export interface Finding<Value> {
  readonly value: Value;
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
}

/** Returns a page's own short statements, which weigh more than running text. */
export const statementsOf = ({ title, meta, headings, links }: PageFacts): string =>
  [
    title,
    meta.description,
    meta["og:description"],
    ...headings.filter(({ level }) => level <= 3).map(({ text }) => text),
    ...links.map(({ text }) => text),
  ]
    .filter(Boolean)
    .join("\n");

interface Keys {
  readonly statements: string;
  readonly text: string;
}
const keysRead = new WeakMap<PageFacts, Keys>();

/** Returns a page's statements and text in the form of `key`, cached because many patterns search them. */
export function keysOf(page: PageFacts): Keys {
  const known = keysRead.get(page);
  if (known) return known;
  const keys = { statements: key(statementsOf(page)), text: key(page.text) };
  keysRead.set(page, keys);
  return keys;
}
