import { complementOf, type Denial, howOf, touchedBy } from "../../datasets/denials.ts";
import { type Asked, joins, type Named } from "./question.ts";

/** What a question denies or excludes. The data have only the opposite's figure, which does not answer the question. */

/** Kinds that can be denied. Filler words can't. */
const deniable = new Set(["term", "line", "place", "firm", "absent", "group"]);

/** Maximum number of words quoted for a denial that concerns nothing known: "without a licence". */
const mostQuoted = 3;

const endOf = ({ at, written }: Named): number => at + written.split(" ").length;

function denialOf({ entry, at, written }: Named): Denial | undefined {
  const isWithin = entry === "within";
  const how = isWithin ? "clause" : howOf(entry);
  return how && { entry, at, words: written.split(" ").length, how, isWithin };
}

/** Returns the range of the clause that contains a word: start inclusive, end exclusive. */
function clauseOf(asked: Asked, at: number): readonly [from: number, to: number] {
  const isEnd = (word: string): boolean => joins(asked, word);
  const to = asked.words.findIndex((word, i) => i > at && isEnd(word));
  return [asked.words.findLastIndex((word, i) => i < at && isEnd(word)) + 1, to < 0 ? asked.words.length : to];
}

/** Returns a denial and what it denies as one entry, which says how they relate to what is asked next to them. */
function deniedBy(asked: Asked, denial: Denial, own: Named, touched: readonly Named[]): Named {
  const [, end] = clauseOf(asked, denial.at);
  const from = Math.min(own.at, ...touched.map(({ at }) => at));
  const to = touched.length > 0 ? Math.max(endOf(own), ...touched.map(endOf)) : Math.min(end, own.at + mostQuoted);
  const entry = touched.length === 0 ? "all" : denial.how === "instead" ? "instead" : "some";
  return { kind: "denied", entry, at: from, written: asked.written.slice(from, to).join(" ") };
}

/** Resolves one denial: what it removes from the question, and what replaces that. */
function resolved(asked: Asked, own: Named): { readonly gone: readonly Named[]; readonly made: readonly Named[] } {
  const denial = denialOf(own);
  if (denial === undefined) return { gone: [], made: [] };
  const [from, to] = clauseOf(asked, own.at);
  const clause = asked.named.filter(({ kind, at }) => deniable.has(kind) && at >= from && at < to);
  const touched = touchedBy(denial, clause);
  const [nearest] = touched;
  // Groups are shown with the others of their dimension; what remains without some of them is not computed.
  if (nearest?.kind === "group") return { gone: [own], made: [{ ...own, kind: "computed", entry: "without" }] };
  const isNext = denial.how !== "clause" || nearest?.at === endOf(own);
  const other = nearest?.kind === "line" && isNext ? complementOf(nearest.entry) : undefined;
  const whole = deniedBy(asked, denial, own, nearest && other ? [nearest] : touched);
  if (nearest && other) return { gone: [own, nearest], made: [{ ...whole, kind: "line", entry: other }] };
  return { gone: [own, ...touched], made: [whole] };
}

/** Resolves a question's denials: what they concern is dropped, and excluding life insurance asks for the other. */
export function withoutDenied(asked: Asked): Asked {
  const all = asked.named.filter(({ kind }) => kind === "denial").map((own) => resolved(asked, own));
  const gone = new Set(all.flatMap((one) => one.gone));
  const made = all.flatMap((one) => one.made).filter((one) => !gone.has(one));
  const isDenied = (at: number): boolean => made.some((one) => at >= one.at && at < endOf(one));
  return {
    ...asked,
    named: [...asked.named.filter((one) => !gone.has(one)), ...made].sort((a, b) => a.at - b.at),
    // No title is looked for in what is denied.
    words: asked.words.map((word, at) => (isDenied(at) ? "" : word)),
    left: asked.left.filter((word) => !made.some(({ written }) => written.split(" ").includes(word))),
  };
}
