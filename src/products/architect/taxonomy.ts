import { ByFirstWord } from "../../platform/first-word.ts";
import { fold } from "../../platform/text.ts";
import model from "./taxonomy.yaml" with { type: "yaml" };
import said from "./texts.yaml" with { type: "yaml" };

/** What `taxonomy.yaml` and `texts.yaml` say. A test holds them to the catalogue and to each other. */

export const languages = ["en", "cs", "sk", "de"] as const;
export type ArchitectLanguage = (typeof languages)[number];
type InLanguages = Readonly<Record<ArchitectLanguage, string>>;

/** How much of a need a product delivers. */
export type Fit = "full" | "part";

export interface NeedKind {
  readonly titles: InLanguages;
  readonly words: readonly string[];
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

const matchesWord = (form: string, wanted: string): boolean =>
  wanted.endsWith("*") ? form.startsWith(wanted.slice(0, -1)) : form === wanted;

/**
 * Whether the words of a phrase follow each other from a place on, with so many others between two of them at most, as in
 * "enter the German market".
 */
function follows(forms: readonly string[], from: number, wanted: readonly string[], between: number): boolean {
  const [word, ...rest] = wanted;
  if (word === undefined) return true;
  const last = Math.min(from + between, forms.length - 1);
  for (let i = from; i <= last; i++)
    if (matchesWord(forms[i] ?? "", word) && follows(forms, i + 1, rest, between)) return true;
  return false;
}

/** The words of a text, folded. Words fold to twice their length at most; a sign of eighteen letters is none. */
const formsOf = (text: string): readonly string[] =>
  fold(text)
    .slice(0, 2 * text.length)
    .match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [];

/** The phrases of a list that a text has, in the list's order. */
export function phrasesIn(text: string, phrases: readonly string[]): string[] {
  const forms = formsOf(text);
  const found = phrases.filter((phrase) => forms.some((_, at) => follows(forms, at, phrase.split(" "), 0)));
  return [...new Set(found)];
}

type Kinds = Readonly<Record<string, { readonly words: readonly string[] }>>;

interface KindPhrase {
  readonly kind: string;
  readonly phrase: string;
  /** Its words after the first. */
  readonly rest: readonly string[];
}

const indexes = new WeakMap<Kinds, ByFirstWord<KindPhrase>>();

/** All phrases of a table by their first words: a text is read once, and not for each kind. */
function indexOf(kinds: Kinds): ByFirstWord<KindPhrase> {
  const known = indexes.get(kinds);
  if (known) return known;
  const index = new ByFirstWord(
    Object.entries(kinds).flatMap(([kind, { words }]) =>
      words.map((phrase) => {
        const [first = "", ...rest] = phrase.split(" ");
        return [first, { kind, phrase, rest }] as const;
      }),
    ),
  );
  indexes.set(kinds, index);
  return index;
}

/** The kinds of a table whose phrases a text has, with these: both in the table's order. */
export function kindsIn(text: string, kinds: Kinds, between = 0): { kind: string; phrases: string[] }[] {
  const forms = formsOf(text);
  const index = indexOf(kinds);
  const found = new Set<KindPhrase>();
  for (const [at, form] of forms.entries())
    for (const one of index.of(form)) if (!found.has(one) && follows(forms, at + 1, one.rest, between)) found.add(one);
  const phrasesOf = Map.groupBy(found, ({ kind }) => kind);
  return Object.entries(kinds).flatMap(([kind, { words }]) => {
    const own = new Set(phrasesOf.get(kind)?.map(({ phrase }) => phrase));
    return own.size === 0 ? [] : [{ kind, phrases: [...new Set(words)].filter((phrase) => own.has(phrase)) }];
  });
}

/** The first kind of a table whose words the text has; null where none has. */
export const kindOf = (text: string, kinds: Kinds): string | null => kindsIn(text, kinds)[0]?.kind ?? null;
