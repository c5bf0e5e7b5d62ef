import { ByFirstWord } from "../../platform/first-word.ts";
import { remembered } from "../../platform/once.ts";
import { fold } from "../../platform/text.ts";

/** Phrases as `goals.yaml` and `taxonomy.yaml` write them, and looking for them in a text. */

/** Where `..` stands between two words of a phrase, so many others may. */
const farthest = 6;

const anyOf = (words: string): string => words.replaceAll("*", "\\S*");

/** A phrase as an expression of a text's words, each with a space before it. `between`: see `phrasesIn`. */
function expressionOf(phrase: string, between: number): RegExp {
  let source = "";
  let gap: number | undefined;
  for (const part of phrase.split(" ")) {
    if (part === "^") source = "^";
    else if (part === "..") gap = farthest;
    else {
      const isFirst = source === "" || source === "^";
      source += `${isFirst ? "" : `(?: \\S+){0,${gap ?? between}}?`} (${anyOf(part)})(?= )`;
      gap = undefined;
    }
  }
  return new RegExp(source, "u");
}

/** By the phrase, for each distance: an intake is read again whenever its solution is asked about. */
const expressions = new Map<string, RegExp>();

function compiled(phrase: string, between: number): RegExp {
  const key = `${between} ${phrase}`;
  const expression = expressions.get(key) ?? expressionOf(phrase, between);
  expressions.set(key, expression);
  return expression;
}

/** The words that a phrase may begin with. */
const firstOf = (phrase: string): string[] => (phrase.split(" ").find((part) => part !== "^") ?? "").split("|");

const indexes = new WeakMap<readonly string[], ByFirstWord<string>>();

/** A list's phrases by their first words: a text is searched for those alone that may be in it. */
function indexOf(phrases: readonly string[]): ByFirstWord<string> {
  const known = indexes.get(phrases);
  const index =
    known ?? new ByFirstWord(phrases.flatMap((phrase) => firstOf(phrase).map((first) => [first, phrase] as const)));
  indexes.set(phrases, index);
  return index;
}

interface Words {
  readonly distinct: ReadonlySet<string>;
  /** In their order, each with a space before and behind it. */
  readonly spaced: string;
}

/** A text's words, folded: known while one list of phrases after the other is looked for in it. */
const wordsOf = remembered(4, (text): Words => {
  // Words fold to twice their length at most; a sign of eighteen letters is none.
  const folded = fold(text).slice(0, 2 * text.length);
  const words = folded.match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [];
  return { distinct: new Set(words), spaced: ` ${words.join(" ")} ` };
});

/**
 * The words of a text by which it has phrases of a list, in the list's order and folded. `between`: so many other words may
 * stand between two words of a phrase, as in "enter the German market".
 */
export function phrasesIn(text: string, phrases: readonly string[], between = 0): string[] {
  const { distinct, spaced } = wordsOf(text);
  const index = indexOf(phrases);
  const may = new Set([...distinct].flatMap((word) => index.of(word)));
  const found = phrases.flatMap((phrase) => {
    const match = may.has(phrase) ? compiled(phrase, between).exec(spaced) : null;
    return match ? [match.slice(1).join(" ")] : [];
  });
  return [...new Set(found)];
}
