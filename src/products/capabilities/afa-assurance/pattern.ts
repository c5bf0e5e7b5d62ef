import type { Safeguards } from "./safeguards.ts";
import type { Searched, Stretch, Term, Vocabulary } from "./vocabulary.ts";

/**
 * The small language that rules name wordings in. A pattern is a list of terms between spaces; all must be in one
 * sentence, near each other, in any order, since Czech moves its words freely. A term is a list of alternatives with `|`
 * between them; an alternative is a word, the beginning of a word (`vyluk*`), neighbours (`no_need`), words with up to
 * five others between (`nobody~check*`), a number (`#`), a group of the lexicon (`@insurer`), or the end of a clause
 * after a word (`would_not_$`). `+` between two lists: one of each beside each other in a clause, with up to three words
 * between (`bez|zadn*+poplatk*`): so a "no" that belongs to another word is not taken for it. `!` before a term: not in
 * the sentence, unless it is denied there. `?` before an alternative: in the sentence, or else in the question or in the
 * sentence before. `{neg}` at the end: a negation around it does not lift it; `{q}`: it counts in a question too.
 */
export interface Pattern {
  readonly present: readonly Needed[];
  readonly absent: readonly Term[];
  readonly negated: boolean;
  readonly questions: boolean;
}

/** One term; `asked` holds those of its alternatives that may be in the question instead. */
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

/** Reads one pattern. Throws for a group that the lexicon lacks. */
export function parsePattern(written: string, vocabulary: Vocabulary): Pattern {
  const flags = /\{([^}]*)\}/.exec(written)?.[1]?.split(",") ?? [];
  const parts = written.replace(/\{[^}]*\}/, "").match(/\S+/g) ?? [];
  return {
    // The fewest alternatives first: most patterns are ruled out by one look.
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

/** How many words a match may span. */
const widest = 18;

/** The stretches of one match, each the nearest to the first; null when a term has none of its own near by. */
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
 * Every way in which a pattern is in a sentence. `context` is the question and the sentence before. What must be absent
 * is, too, where it is denied: "it is not voluntary", "without consent".
 */
export function matches(
  { present, absent }: Pattern,
  searched: Searched,
  context: readonly Searched[],
  safeguards: Safeguards,
): readonly Stretch[][] {
  // Nearly every pattern ends here, thousands a sentence: nothing is allocated before.
  for (const one of present) if (!isHeld(one, searched, context)) return nothing;
  const found = present.map(({ said }) => searched.places(said)).filter((places) => places.length > 0);
  const [anchors = [], ...others] = found.sort((a, b) => a.length - b.length);
  return anchors.flatMap((anchor) => {
    const match = assemble(anchor, others);
    return match && !absent.some((term) => safeguards.stand(term, searched, match)) ? [match] : [];
  });
}

/** Which share of a pattern's terms sentences hold, 0 to 1. */
export function shareIn({ present }: Pattern, sentences: readonly Searched[], context: readonly Searched[]): number {
  const held = present.filter((one) => sentences.some((sentence) => isHeld(one, sentence, context)));
  return held.length / present.length;
}
