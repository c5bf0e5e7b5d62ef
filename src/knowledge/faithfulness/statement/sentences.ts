import { splitSentences } from "../claims.ts";
import { askedWordsOf } from "./asked.ts";
import { amountOf } from "./conflict.ts";
import { type Evidence, evidenceIn, isContent, isSame, type Sentence } from "./match.ts";
import { type Part, readStatement, type Statement, statementLanguage } from "./read.ts";
import { addSpellings, type Spellings } from "./spelling.ts";

/** The sources as statements, parsed once per check, with an index by concept or by the beginning of a word. */
export interface Statements {
  readonly sentences: readonly Sentence[];
  readonly byWord: ReadonlyMap<string, ReadonlySet<number>>;
  /** The next sentence in the same source. */
  readonly after: ReadonlyMap<Statement, Statement>;
  /** Index of the source of each sentence. */
  readonly sourceOf: ReadonlyMap<Statement, number>;
  readonly spellings: Spellings;
}

/** Returns the index key of a part, which equal parts share: their concept, or the beginning of their words. */
export const indexKeyOf = ({ concept, form }: Part): string => (concept === "" ? form.slice(0, 4) : `=${concept}`);

/** Maximum number of content words in a title. */
const mostOfTitle = 4;
/** Checks whether a sentence is a title, which states nothing about what it names. */
export const isTitle = ({ parts }: Statement): boolean =>
  parts.filter(isContent).length <= mostOfTitle &&
  !parts.some((part) => part.role === "predicate" || amountOf(part) !== null);

/** Sentence ends without a space, where passages were joined: `in 1987.The` has two sentences. */
const unspaced = /(?<=[\p{Ll}\d]\.)(?=\p{Lu}\p{Ll})/u;

/**
 * Parses all sentences of the sources. Those that show no language are parsed in the answer's, `spoken`. `check` is
 * called for each sentence and may throw.
 */
export function readStatements(sources: readonly string[], spoken: string, check: () => void): Statements {
  const byWord = new Map<string, Set<number>>();
  const sentences: Sentence[] = [];
  const after = new Map<Statement, Statement>();
  const sourceOf = new Map<Statement, number>();
  const spellings = new Map<string, Set<string>>();
  for (const [source, text] of sources.entries()) {
    const language = statementLanguage(text.slice(0, 4_000), spoken);
    let before: Statement | null = null;
    let heading: Statement | null = null;
    const sentencesOf = splitSentences(text).flatMap(({ start, end }) => text.slice(start, end).split(unspaced));
    for (const sentence of sentencesOf) {
      check();
      const statement = readStatement(sentence, language);
      addSpellings(spellings, statement);
      const at = sentences.push({ statement, before, heading }) - 1;
      for (const handle of new Set(statement.parts.map(indexKeyOf))) {
        const known = byWord.get(handle);
        if (known === undefined) byWord.set(handle, new Set([at]));
        else known.add(at);
      }
      if (before !== null) after.set(before, statement);
      sourceOf.set(statement, source);
      before = statement;
      if (isTitle(statement)) heading = statement;
    }
  }
  return { sentences, byWord, after, sourceOf, spellings };
}

const mostCompared = 8;

/**
 * Returns the sentences with most of a claim's words, the likeliest evidence first; among equals, the one with more of
 * the question's words.
 */
export function closest(claim: Statement, { sentences, byWord }: Statements, question: Statement): Evidence[] {
  const asked = askedWordsOf(question);
  const shared = new Map<Evidence, number>();
  const sharedBy = (evidence: Evidence): number => {
    const known = shared.get(evidence);
    if (known !== undefined) return known;
    const { parts } = evidence.statement;
    const count = asked.filter((part) => parts.some((one) => isContent(one) && isSame(part, one))).length;
    shared.set(evidence, count);
    return count;
  };
  const votes = new Map<number, number>();
  for (const handle of new Set(claim.parts.filter((part) => part.role !== "light").map(indexKeyOf)))
    for (const at of byWord.get(handle) ?? []) votes.set(at, (votes.get(at) ?? 0) + 1);
  return [...votes]
    .sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, mostCompared)
    .flatMap(([at]) => {
      const sentence = sentences[at];
      return sentence ? [evidenceIn(claim, sentence)] : [];
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || sharedBy(b) - sharedBy(a))
    .slice(0, 3);
}
