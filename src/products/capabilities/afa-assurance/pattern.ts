import type { Safeguards } from "./safeguards.ts";
import type { Searched, Stretch, Term, Vocabulary } from "./vocabulary.ts";

/**
 * A pattern in the small language in which rules describe wordings. It is a list of terms separated by spaces. All must
 * occur in one sentence, near each other and in any order, because Czech word order is free. A term is a list of
 * alternatives separated by `|`. An alternative is a word, a prefix (`vyluk*`), adjacent words (`no_need`), words with
 * up to five others between them (`nobody~check*`), a number (`#`), a group of the lexicon (`@insurer`), or the end of
 * a clause after a word (`would_not_$`). `+` between two lists: one word of each, next to each other in a clause with
 * up to three words between them (`bez|zadn*+poplatk*`), so that a "no" of another word does not count. `!` before a
 * term: not in the sentence, unless it is denied there. `?` before an alternative: in the sentence, or else in the
 * question or the preceding sentence. `{neg}` at the end: a negation around it does not cancel it. `{q}`: it counts in
 * a question too.
 */
export interface Pattern {
  readonly present: readonly Needed[];
  readonly absent: readonly Term[];
  readonly negated: boolean;
  readonly questions: boolean;
}

/** A term. `asked` holds the alternatives that may be in the question instead. */
interface Needed {
  readonly said: Term;
  readonly asked: Term | null;
}

function needed(written: string, vocabulary: Vocabulary): Needed {
  const alternatives = written.split("|");
  const asked = alternatives.filter((one) => one.startsWith("?")).map((one) => one.slice(1));
  return {
    said: vocabulary.term(alternatives.map((one) => one.replace(/^\?/, "")).join("|")),
    asked: asked.length > 0 ? vocabulary.term(asked.join("|")) : null,
  };
}

/** Parses a pattern. Throws if the lexicon lacks a group. */
export function parsePattern(written: string, vocabulary: Vocabulary): Pattern {
  const flags = /\{([^}]*)\}/.exec(written)?.[1]?.split(",") ?? [];
  const parts = written.replace(/\{[^}]*\}/, "").match(/\S+/g) ?? [];
  return {
    // Fewest alternatives first, because most patterns are ruled out by their first term.
    present: parts
      .filter((part) => !part.startsWith("!"))
      .map((part) => needed(part, vocabulary))
      .sort((a, b) => a.said.alternatives - b.said.alternatives),
    absent: parts.filter((part) => part.startsWith("!")).map((part) => vocabulary.term(part.slice(1))),
    negated: flags.includes("neg"),
    questions: flags.includes("q"),
  };
}

const overlap = (a: Stretch, b: Stretch): boolean => a.from <= b.to && b.from <= a.to;
const distance = (a: Stretch, b: Stretch): number => Math.max(a.from - b.to, b.from - a.to);

/** Maximum number of words that a match may span. */
const widest = 18;

/** Returns a match's stretches, each the nearest to the anchor, or null if a term has none of its own nearby. */
function assemble(anchor: Stretch, others: readonly (readonly Stretch[])[]): Stretch[] | null {
  const taken = [anchor];
  for (const candidates of others) {
    let best: Stretch | null = null;
    for (const candidate of candidates) {
      if (taken.some((one) => overlap(one, candidate))) continue;
      if (best === null || distance(anchor, candidate) < distance(anchor, best)) best = candidate;
    }
    if (best === null) return null;
    taken.push(best);
  }
  const from = Math.min(...taken.map((one) => one.from));
  const to = Math.max(...taken.map((one) => one.to));
  return to - from < widest ? taken : null;
}

const nothing: readonly Stretch[][] = [];

const isHeld = ({ said, asked }: Needed, searched: Searched, context: readonly Searched[]): boolean =>
  searched.places(said).length > 0 || (asked !== null && context.some((one) => one.places(asked).length > 0));

/**
 * Returns all matches of a pattern in a sentence. `context` is the question and the preceding sentence. A term that
 * must be absent may occur if it is denied there: "it is not voluntary", "without consent".
 */
export function matches(
  { present, absent }: Pattern,
  searched: Searched,
  context: readonly Searched[],
  safeguards: Safeguards,
): readonly Stretch[][] {
  // Nearly all of the thousands of patterns per sentence end here, so nothing is allocated before.
  for (const one of present) if (!isHeld(one, searched, context)) return nothing;
  const found = present.map(({ said }) => searched.places(said)).filter((places) => places.length > 0);
  const [anchors = [], ...others] = found.sort((a, b) => a.length - b.length);
  return anchors.flatMap((anchor) => {
    const match = assemble(anchor, others);
    return match && !absent.some((term) => safeguards.stand(term, searched, match)) ? [match] : [];
  });
}

/** Returns the share of a pattern's terms that the sentences contain, 0 to 1. */
export function shareIn({ present }: Pattern, sentences: readonly Searched[], context: readonly Searched[]): number {
  const held = present.filter((one) => sentences.some((sentence) => isHeld(one, sentence, context)));
  return held.length / present.length;
}
