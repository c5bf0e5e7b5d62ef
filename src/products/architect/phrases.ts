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

/**
 * The words of a text by which it has phrases of a list, in the list's order and folded. `between`: so many other words may
 * stand between two words of a phrase, as in "enter the German market".
 */
export function phrasesIn(text: string, phrases: readonly string[], between = 0): string[] {
  const words = fold(text).match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [];
  const spaced = ` ${words.join(" ")} `;
  const found = phrases.flatMap((phrase) => {
    const match = compiled(phrase, between).exec(spaced);
    return match ? [match.slice(1).join(" ")] : [];
  });
  return [...new Set(found)];
}
