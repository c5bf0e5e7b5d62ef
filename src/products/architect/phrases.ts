import { ByFirstWord } from "../../platform/first-word.ts";
import { remembered } from "../../platform/once.ts";
import { fold } from "../../platform/text.ts";

/** Matches the phrases of `goals.yaml` and `taxonomy.yaml` in a text. */

/** Maximum number of words that `..` in a phrase stands for. */
const farthest = 6;

const anyOf = (words: string): string => words.replaceAll("*", "\\S*");

/**
 * Compiles a phrase to a regular expression over words that each have a space before them. `between`: see `phrasesIn`.
 */
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

/** Cache by phrase and distance, since an intake is parsed whenever its solution is read. */
const expressions = new Map<string, RegExp>();

function compiled(phrase: string, between: number): RegExp {
  const key = `${between} ${phrase}`;
  const expression = expressions.get(key) ?? expressionOf(phrase, between);
  expressions.set(key, expression);
  return expression;
}

/** Returns the words that a phrase may start with. */
const firstOf = (phrase: string): string[] => (phrase.split(" ").find((part) => part !== "^") ?? "").split("|");

const indexes = new WeakMap<readonly string[], ByFirstWord<string>>();

/** Returns an index of a list's phrases by first word, so that only possible matches are tried. */
function indexOf(phrases: readonly string[]): ByFirstWord<string> {
  const known = indexes.get(phrases);
  const index =
    known ?? new ByFirstWord(phrases.flatMap((phrase) => firstOf(phrase).map((first) => [first, phrase] as const)));
  indexes.set(phrases, index);
  return index;
}

interface Words {
  readonly distinct: ReadonlySet<string>;
  /** The words in order, each between spaces. */
  readonly spaced: string;
}

/** Returns a text's folded words, cached while several phrase lists are matched against it. */
const wordsOf = remembered(4, (text): Words => {
  // Folding at most doubles the length of words; longer expansions are signs (one expands to 18 letters), not words.
  const folded = fold(text).slice(0, 2 * text.length);
  const words = folded.match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [];
  return { distinct: new Set(words), spaced: ` ${words.join(" ")} ` };
});

/**
 * Returns the folded words of a text that match phrases of a list, in list order. `between` other words may come
 * between two words of a phrase, as in "enter the German market".
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
