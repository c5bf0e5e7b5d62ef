import { splitSentences } from "../claims.ts";
import { askedWordsOf } from "./asked.ts";
import { amountOf } from "./conflict.ts";
import { type Evidence, evidenceIn, isContent, isSame, type Sentence } from "./match.ts";
import { type Part, readStatement, type Statement, statementLanguage } from "./read.ts";
import { addSpellings, type Spellings } from "./spelling.ts";

/** The sources as statements, read once a check, with where each word or its beginning occurs. */
export interface Statements {
  readonly sentences: readonly Sentence[];
  readonly byWord: ReadonlyMap<string, ReadonlySet<number>>;
  /** The sentence that follows one in its source. */
  readonly after: ReadonlyMap<Statement, Statement>;
  /** Which of the sources each sentence is of. */
  readonly sourceOf: ReadonlyMap<Statement, number>;
  readonly spellings: Spellings;
}

/** What two parts that may be the same have in common: their concept, or how their words begin. */
export const handleOf = ({ concept, form }: Part): string => (concept === "" ? form.slice(0, 4) : `=${concept}`);

/** Content words of a title at most. */
const mostOfTitle = 4;
/** Whether a sentence is a title, which says nothing of what it names. */
export const isTitle = ({ parts }: Statement): boolean =>
  parts.filter(isContent).length <= mostOfTitle &&
  !parts.some((part) => part.role === "predicate" || amountOf(part) !== null);

/** Where passages were joined without a space: `in 1987.The` has two sentences. */
const unspaced = /(?<=[\p{Ll}\d]\.)(?=\p{Lu}\p{Ll})/u;

/**
 * Reads all sentences of the sources: those that show no language of their own in the answer's, `spoken`. `check` is called
 * for each, and may throw.
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
      for (const handle of new Set(statement.parts.map(handleOf))) {
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

/** The sentences with most of a claim's words, the likeliest evidence first: of equals, the one with more of the question's. */
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
  for (const handle of new Set(claim.parts.filter((part) => part.role !== "light").map(handleOf)))
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
