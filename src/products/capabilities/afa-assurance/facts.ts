import type { Rule } from "./packs.ts";
import { matches, type Pattern, parsePattern } from "./pattern.ts";
import type { Word } from "./reading.ts";
import type { Safeguards } from "./safeguards.ts";
import type { Searched, Stretch, Vocabulary } from "./vocabulary.ts";

/** Figures fixed by law, compared with those that a sentence gives on the same topic. */
export interface Fact {
  readonly topic: Pattern;
  readonly wrong: (words: readonly Word[]) => readonly number[];
}

const units: readonly (readonly [RegExp, "d" | "m" | "p" | "M", number])[] = [
  [/^(?:den|dni|dny|dnu|dnech|dnum|days?|denni)$/, "d", 1],
  [/^(?:tyden|tydn\p{L}*|weeks?|tyzd\p{L}*)$/u, "d", 7],
  [/^(?:mesic\p{L}*|months?)$/u, "m", 1],
  [/^(?:rok|roky|roku|rokem|let|lety|letech|years?|rocni|letni)$/, "m", 12],
  [/^(?:stran\p{L}*|pages?|sides?)$/u, "p", 1],
  [/^(?:milion\p{L}*|million|mil)$/u, "M", 1],
];

/** Unit kinds that a kind of fact refers to. */
const spokenOf: Readonly<Record<string, readonly string[]>> = {
  day: ["d", "m"],
  year: ["m"],
  page: ["p"],
  million: ["M"],
};
const perUnit: Readonly<Record<string, readonly [string, number]>> = {
  d: ["d", 1],
  w: ["d", 7],
  m: ["m", 1],
  y: ["m", 12],
};

interface Quantity {
  readonly kind: string;
  readonly value: number;
  readonly at: number;
}

/** Returns the quantity at a unit: the number before it, or one for a bare unit ("a week", "rok"). Null if neither. */
function quantityAt(words: readonly Word[], at: number): Quantity | null {
  const word = words[at];
  const unit = word && units.find(([pattern]) => pattern.test(word.form));
  if (!unit) return null;
  const [, kind, factor] = unit;
  const before = words[at - 1];
  const number = before?.value ?? words[at - 2]?.value;
  if (number !== null && number !== undefined) return { kind, value: number * factor, at };
  const bare = /^(?:tyden|tydne|mesic|mesice|rok|roku|week|month|year|den|day)$/.test(word.form);
  return bare ? { kind, value: factor, at } : null;
}

function rightValues(right: readonly string[], unit: string): Set<string> {
  return new Set(
    right.map((written) => {
      const [, number = "", letter = ""] = /^(\d+)([a-z]?)$/.exec(written) ?? [];
      const [kind, factor] = perUnit[letter] ?? [unit === "page" ? "p" : "M", 1];
      return `${kind}${Number(number) * factor}`;
    }),
  );
}

/** Parses a rule's facts. */
export function factsOf({ facts = [] }: Rule, vocabulary: Vocabulary): Fact[] {
  return facts.map(({ topic, unit, right = [], at_most }) => {
    const allowed = rightValues(right, unit);
    return {
      topic: parsePattern(topic, vocabulary),
      wrong(words) {
        if (unit === "section")
          return words.flatMap(({ section, value }, at) =>
            section && (value ?? 0) > (at_most ?? Infinity) ? [at] : [],
          );
        const kinds = spokenOf[unit] ?? [];
        const given = words.flatMap((_, at) => quantityAt(words, at) ?? []).filter(({ kind }) => kinds.includes(kind));
        // One right figure is enough: a sentence that compares gives other figures as well.
        if (given.some(({ kind, value }) => allowed.has(`${kind}${value}`))) return [];
        return given.map(({ at }) => at);
      },
    };
  });
}

/** Returns the places where a sentence contradicts a fact, each with the stretches of its topic. */
export function contradictions(
  fact: Fact,
  searched: Searched,
  asked: readonly Searched[],
  safeguards: Safeguards,
): Stretch[][] {
  const topics = matches(fact.topic, searched, asked, safeguards);
  const [topic] = topics;
  if (!topic) return [];
  return fact
    .wrong(searched.sentence.words)
    .slice(0, 1)
    .map((at) => [...topic, { from: at, to: at }]);
}
