import { EngineError } from "../../contracts/engine.ts";
import { detectLanguage } from "../language/detect.ts";
import type { Language } from "../language/languages.ts";
import { tokenize } from "../language/tokens.ts";
import { verdictLanguage } from "../language/verdict-language.ts";
import { type Alignment, align, type WeightOf } from "./alignment.ts";
import { type Span, splitClaims, splitSentences } from "./claims.ts";
import { type Conflicts, conflictsOf } from "./conflicts.ts";
import { featureNames, featuresOf, type Grams, gramsOf } from "./features.ts";
import { type Kind, kindOf } from "./kind.ts";
import { SourceIndex } from "./source-index.ts";
import { type Judgement, judgeStatement } from "./statement/judge.ts";
import { readStatement, type Statement, statementLanguage } from "./statement/read.ts";
import { readStatements, type Statements } from "./statement/sentences.ts";
import { asSourcesWrite } from "./statement/spelling.ts";

/** A claim and everything found out about it, before any weights are applied. */
export interface EvaluatedClaim {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The text that is compared: `text` with its amounts spelled as in the sources. Token offsets refer to it. */
  readonly compared: string;
  readonly alignment: Alignment;
  readonly conflicts: Conflicts;
  /** In the order of `featureNames`. */
  readonly features: readonly number[];
  /** The result of comparing the claim, as a statement, with the sources. */
  readonly judgement: Judgement;
}

export interface Evaluation {
  /** The language of the verdict. */
  readonly language: Language;
  /** The language in which the answer is parsed as a statement; German, Polish and Hungarian too. */
  readonly spoken: string;
  readonly kind: Kind;
  readonly index: SourceIndex;
  readonly claims: readonly EvaluatedClaim[];
}

export interface Material {
  readonly question: string;
  readonly answer: string;
  readonly sources: readonly string[];
}

/** What every claim of an answer is evaluated against. */
interface Evidence {
  readonly language: Language;
  readonly index: SourceIndex;
  readonly grams: Grams;
  /** Keys of the question's words; empty if the answer is its own question. */
  readonly questionKeys: ReadonlySet<string>;
  readonly weightOf: WeightOf;
  readonly statements: Statements;
  /** The whole answer as a statement, since one claim may keep what another leaves out. */
  readonly whole: Statement;
  readonly asked: Statement;
}

/** A reply that stands alone, such as `Nein.`; the tokenizer knows such words in three languages only. */
const replyAlone = /^(?:ja|nein|doch|tak|nie|igen|nem)[.!]?$/iu;
/**
 * A reply that opens a sentence (`Nein, Tiere sind …`). It is replaced by spaces, so that later offsets stay the same.
 */
const replyBefore = /^(?:ja|nein|doch|tak|nie|igen|nem),\s/iu;

/** Evaluates the claim at one span of the answer. Returns null if it claims nothing. */
function evaluateClaim(
  answer: string,
  { start, end }: Span,
  { language, index, grams, questionKeys, weightOf, statements, whole, asked }: Evidence,
): EvaluatedClaim | null {
  const text = answer.slice(start, end);
  if (replyAlone.test(text)) return null;
  const claim = readStatement(text, whole.language);
  const compared = asSourcesWrite(claim, statements.spellings).replace(replyBefore, (reply) =>
    " ".repeat(reply.length),
  );
  const alignment = align(tokenize(compared, language, start), index, weightOf);
  // Function words alone ("Yes.") make no claim that a source could support.
  if (alignment.words.length === 0) return null;
  const conflicts = conflictsOf(alignment, index);
  const named = featuresOf({ text: compared, alignment, conflicts, index, grams, questionKeys });
  const judgement = judgeStatement(claim, whole, statements, asked);
  const features = featureNames.map((name) => named[name] ?? 0);
  return { start, end, text, compared, alignment, conflicts, features, judgement };
}

/** Maximum number of claims per answer, and of claims times source sentences: five times what the longest prose has. */
const mostClaims = 1_000;
const mostPairs = 1_000_000;

/** Returns the claims of an answer. Throws if comparing them would take minutes; nothing is left out silently. */
function claimsWithinBounds(answer: string, sources: readonly string[]): Span[] {
  const claims = splitClaims(answer);
  if (claims.length > mostClaims)
    throw tooCostly(`The answer has ${claims.length} sentences; at most ${mostClaims} are checked.`);
  const sentences = sources.reduce((sum, source) => sum + splitSentences(source).length, 0);
  if (claims.length * sentences > mostPairs)
    throw tooCostly(
      `The answer has ${claims.length} sentences and the sources have ${sentences}; multiplied, at most ${mostPairs} can be compared.`,
    );
  return claims;
}

const tooCostly = (message: string) => new EngineError("input_too_costly", message, false);

/**
 * Splits an answer into claims and evaluates each against the sources. The scorer and training share it, so that both
 * see the same features. The largest input takes a large part of a second, so `check`, which may throw, is called in
 * between. Throws `input_too_costly` if there are too many sentences to compare.
 */
export function evaluateClaims(material: Material, weightOf: WeightOf, check: () => void = () => {}): Evaluation {
  const { question, answer, sources } = material;
  const places = claimsWithinBounds(answer, sources);
  // A short answer (a name, an amount) hardly shows its language, so the question's counts next, then the sources'.
  const texts = [answer, question, sources.join(" ").slice(0, 4_000)];
  const language = texts.reduceRight<Language>((otherwise, text) => detectLanguage(text, otherwise), "en");
  const told = texts.reduceRight<Language>((otherwise, text) => verdictLanguage(text, otherwise), "en");
  const spoken = statementLanguage(answer, statementLanguage(question, statementLanguage(sources[0] ?? "", language)));
  // German, Polish and Hungarian are tokenized by the rules of one of the three languages, the same for answer and
  // sources.
  const isForeign = spoken !== "cs" && spoken !== "sk" && spoken !== "en";
  const languageOf = (text: string) =>
    isForeign && statementLanguage(text.slice(0, 4_000), language) === spoken ? language : detectLanguage(text);
  const index = SourceIndex.of(sources, check, languageOf);
  const grams = new Set<string>();
  for (const source of sources) for (const gram of gramsOf(source)) grams.add(gram);
  // A claim given as its own question must not support itself.
  const own = question.trim() === answer.trim() ? "" : question;
  const asked = tokenize(own, language).filter((token) => !token.empty);
  const questionKeys = new Set(asked.map((token) => token.key));
  const claims: EvaluatedClaim[] = [];
  const statements = readStatements(sources, spoken, check);
  const evidence = {
    language,
    index,
    grams,
    questionKeys,
    weightOf,
    statements,
    whole: readStatement(answer, spoken),
    asked: readStatement(own, spoken),
  };
  for (const place of places) {
    check();
    const claim = evaluateClaim(answer, place, evidence);
    if (claim !== null) claims.push(claim);
  }
  return { language: told, spoken, kind: kindOf(language, question, answer), index, claims };
}
