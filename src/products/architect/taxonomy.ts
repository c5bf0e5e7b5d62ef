import sayings from "./goals.yaml" with { type: "yaml" };
import { phrasesIn } from "./phrases.ts";
import model from "./taxonomy.yaml" with { type: "yaml" };
import said from "./texts.yaml" with { type: "yaml" };

/** What `taxonomy.yaml`, `goals.yaml` and `texts.yaml` say. A test holds them to the catalogue and to each other. */

export const languages = ["en", "cs", "sk", "de"] as const;
export type ArchitectLanguage = (typeof languages)[number];
type InLanguages = Readonly<Record<ArchitectLanguage, string>>;

/** How much of a need a product delivers. */
export type Fit = "full" | "part";

export interface NeedKind {
  readonly titles: InLanguages;
  /** By slug. None: nothing that is sold serves it. */
  readonly products: Readonly<Record<string, Fit>>;
  /** Kinds of sources that it works from. */
  readonly needs_sources: readonly string[];
  /** The one country that it is about, whichever the company's own is. */
  readonly country?: string;
}

export interface ChannelKind {
  readonly words: readonly string[];
  /** The surface of the products that serves it. */
  readonly surface: "web" | "rest" | "mcp" | "cli";
  /** What has to be built for it. */
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

/** The phrases of a goal that speak for a need, whichever language the goal is in. By need. */
export const goalPhrases: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(sayings as Readonly<Record<string, Readonly<Record<ArchitectLanguage, readonly string[]>>>>).map(
    ([need, said]) => [need, Object.values(said).flatMap((lines) => lines.flatMap((line) => line.split(", ")))],
  ),
);
export const texts = said as Readonly<Record<string, InLanguages>>;

/** A text in a language with its values filled in. Throws for a text that there is none of: a mistake of ours. */
export function say(
  language: ArchitectLanguage,
  name: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = texts[name];
  if (!text) throw new Error(`texts.yaml has no ${name}`);
  return text[language].replaceAll(/\{(\w+)\}/g, (_, value: string) => String(values[value] ?? ""));
}

/** The first kind of a table whose words the text has; null where none has. */
export const kindOf = (text: string, kinds: Readonly<Record<string, { readonly words: readonly string[] }>>) =>
  Object.keys(kinds).find((name) => phrasesIn(text, kinds[name]?.words ?? []).length > 0) ?? null;
