import sayings from "./goals.yaml" with { type: "yaml" };
import { phrasesIn } from "./phrases.ts";
import model from "./taxonomy.yaml" with { type: "yaml" };
import said from "./texts.yaml" with { type: "yaml" };

/**
 * The contents of `taxonomy.yaml`, `goals.yaml` and `texts.yaml`. A test checks them against the catalogue and each
 * other.
 */

export const languages = ["en", "cs", "sk", "de"] as const;
export type ArchitectLanguage = (typeof languages)[number];
type InLanguages = Readonly<Record<ArchitectLanguage, string>>;

/** How much of a need a product delivers. */
export type Fit = "full" | "part";

export interface NeedKind {
  readonly titles: InLanguages;
  /** By slug. Empty if nothing on sale serves the need. */
  readonly products: Readonly<Record<string, Fit>>;
  /** Kinds of sources that it requires. */
  readonly needs_sources: readonly string[];
  /** The country that the need is about, regardless of the company's own. */
  readonly country?: string;
}

export interface ChannelKind {
  readonly words: readonly string[];
  /** The product surface that serves it. */
  readonly surface: "web" | "rest" | "mcp" | "cli";
  /** What must be built for it. */
  readonly template?: string;
}

interface Taxonomy {
  readonly needs: Readonly<Record<string, NeedKind>>;
  readonly constraints: Readonly<Record<string, { readonly words: readonly string[]; readonly enforced?: boolean }>>;
  readonly contradictions: readonly (readonly [string, string])[];
  readonly channels: Readonly<Record<string, ChannelKind>>;
  readonly sources: Readonly<Record<string, { readonly words: readonly string[] }>>;
  readonly european_union: readonly string[];
}

export const taxonomy = model as Taxonomy;

/** The phrases of goals that indicate a need, in all languages, by need. */
export const goalPhrases: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(sayings as Readonly<Record<string, Readonly<Record<ArchitectLanguage, readonly string[]>>>>).map(
    ([need, said]) => [need, Object.values(said).flatMap((lines) => lines.flatMap((line) => line.split(", ")))],
  ),
);
export const texts = said as Readonly<Record<string, InLanguages>>;

/**
 * Returns a text in a language with its values filled in. Throws if there is no such text, which is an internal error.
 */
export function say(
  language: ArchitectLanguage,
  name: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = texts[name];
  if (!text) throw new Error(`texts.yaml has no ${name}`);
  return text[language].replaceAll(/\{(\w+)\}/g, (_, value: string) => String(values[value] ?? ""));
}

/** Returns the first kind of a table whose words occur in the text; `null` if none do. */
export const kindOf = (text: string, kinds: Readonly<Record<string, { readonly words: readonly string[] }>>) =>
  Object.keys(kinds).find((name) => phrasesIn(text, kinds[name]?.words ?? []).length > 0) ?? null;
