import { detectLanguage, isForeign } from "../../../knowledge/language/detect.ts";
import { contradictions, type Fact, factsOf } from "./facts.ts";
import type { Guards, Neighbours } from "./guards.ts";
import { type Pack, type Rule, readPacks } from "./packs.ts";
import { matches, type Pattern, parsePattern, shareIn } from "./pattern.ts";
import { createReader, type Reader } from "./reader.ts";
import { harmlessBelow, type Likelihood, likelihoodOf, resemblances, surelyHarmless } from "./resemblance.ts";
import weights from "./scorer.json" with { type: "json" };
import { type Learned, unpack } from "./scorer.ts";
import { file, type Searched, type Stretch, type Term, type Vocabulary } from "./vocabulary.ts";

/** One place of an answer that a rule speaks against. Offsets are UTF-16 units. */
export interface Breach {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
  /** A pattern of the rule, its likeness to known breaches, or the language model. */
  readonly matched_by: "pattern" | "resemblance" | "model";
}

interface Missing {
  readonly when: readonly Pattern[];
  readonly need: Term;
}

/** A rule, ready to be looked for. */
interface Compiled {
  readonly rule: Rule;
  readonly check: Pack["check"];
  readonly patterns: readonly Pattern[];
  readonly facts: readonly Fact[];
  readonly missing: Missing | null;
  readonly unless: Term | null;
}

function compile(rule: Rule, check: Pack["check"], vocabulary: Vocabulary): Compiled {
  const patterns = [...rule.patterns.cs, ...rule.patterns.en].map((written) => parsePattern(written, vocabulary));
  const missing = rule.missing && {
    when: rule.missing.when.map((written) => parsePattern(written, vocabulary)),
    need: vocabulary.term(rule.missing.need),
  };
  const unless = rule.unless === undefined ? null : vocabulary.term(rule.unless);
  return { rule, check, patterns, facts: factsOf(rule, vocabulary), missing: missing ?? null, unless };
}

const isSaid = (need: Term, answer: readonly Searched[]): boolean => answer.some((one) => one.places(need).length > 0);

/** The patterns that a sentence may match, by rule: those of which it holds the rarest term. */
type Likely = (searched: Searched) => ReadonlyMap<Compiled, readonly Pattern[]>;

/** Files every pattern under one term, so that a sentence is compared with dozens of patterns and not with thousands. */
function indexOf(compiled: readonly Compiled[]): Likely {
  const filed = new Map<Term | null, [Compiled, Pattern][]>();
  for (const one of compiled)
    for (const pattern of one.patterns) {
      const key = pattern.present.find(({ asked }) => asked === null)?.said ?? null;
      file(filed, key, [one, pattern]);
    }
  return (searched) => {
    const likely = new Map<Compiled, Pattern[]>();
    for (const term of [null, ...searched.terms()])
      for (const [one, pattern] of filed.get(term) ?? []) file(likely, one, pattern);
    return likely;
  };
}

/** What a rule looks at besides the sentence itself. */
interface Context {
  /** The question and the sentence before. */
  readonly asked: readonly Searched[];
  readonly around: Neighbours;
  readonly answer: readonly Searched[];
  /** Whether what has been learned of breaches speaks clearly against one here. */
  readonly isHarmless: (isCritical: boolean) => boolean;
}

/** Where in a sentence a rule is broken; the first place is enough, since a finding names the whole sentence. */
function placeIn(
  { rule, facts, missing, unless }: Compiled,
  patterns: readonly Pattern[],
  guards: Guards,
  searched: Searched,
  context: Context,
): readonly Stretch[] | undefined {
  const { asked, around, answer, isHarmless } = context;
  if (unless && searched.places(unless).length > 0) return undefined;
  const asserted = (pattern: Pattern) =>
    matches(pattern, searched, asked).find((match) => guards.allows(pattern, match, searched, around));
  for (const pattern of patterns) {
    const match = asserted(pattern);
    // What is critical is hardly ever explained away: short plain sentences look harmless to the scorer.
    if (match && !isHarmless(rule.severity === "critical")) return match;
  }
  for (const fact of facts) {
    const match = contradictions(fact, searched, asked).find((one) => guards.allows(fact.topic, one, searched, around));
    if (match) return match;
  }
  if (!missing) return undefined;
  for (const pattern of missing.when) {
    const match = asserted(pattern);
    if (match) return isSaid(missing.need, answer) ? undefined : match;
  }
  return undefined;
}

/** Sentences longer than this are shown by the words that matched, not whole. */
const longestExcerpt = 400;

function breachAt(rule: Rule, { sentence }: Searched, match: readonly Stretch[]): Breach {
  const { start, end, words } = sentence;
  if (end - start <= longestExcerpt) return { rule, start, end, matched_by: "pattern" };
  const from = Math.min(...match.map((one) => one.from));
  const to = Math.max(...match.map((one) => one.to));
  return { rule, start: words[from]?.start ?? start, end: words[to]?.end ?? end, matched_by: "pattern" };
}

export type Check = Pack["check"] | "full";

export interface Assurance {
  /** All breaches in the order of their places; deterministic. */
  breaches(question: string, answer: string, check: Check): Breach[];
  readonly rules: ReadonlyMap<string, Rule>;
  readonly packs: readonly Pack[];
  readonly sources: ReturnType<typeof readPacks>["sources"];
}

/** The share of a pattern that must be there for a likeness to count as one to its rule. */
const betterPart = 0.6;

const byPlace = (a: Breach, b: Breach): number => a.start - b.start || a.rule.id.localeCompare(b.rule.id);

/** An answer with its question, read and scored. */
interface Advice {
  readonly asked: readonly Searched[];
  readonly answer: readonly Searched[];
  readonly likelihood: Likelihood | null;
}

class RuleCheck implements Assurance {
  readonly packs: readonly Pack[];
  readonly sources: Assurance["sources"];
  readonly rules: ReadonlyMap<string, Rule>;
  readonly #reader: Reader;
  readonly #compiled: readonly Compiled[];
  readonly #byId: ReadonlyMap<string, Compiled>;
  readonly #likely: Likely;

  constructor(readonly learned: Learned | null) {
    const { packs, lexicon, sources } = readPacks();
    const reader = createReader(lexicon);
    this.packs = packs;
    this.sources = sources;
    this.#reader = reader;
    this.#compiled = packs.flatMap(({ rules, check }) => rules.map((rule) => compile(rule, check, reader.vocabulary)));
    this.#byId = new Map(this.#compiled.map((one) => [one.rule.id, one]));
    this.rules = new Map(this.#compiled.map(({ rule }) => [rule.id, rule]));
    this.#likely = indexOf(this.#compiled);
  }

  breaches(question: string, answer: string, check: Check): Breach[] {
    const language = detectLanguage(answer, detectLanguage(question));
    const asked = this.#reader.read(question, language);
    const sentences = this.#reader.read(answer, language);
    const likelihood = this.learned && likelihoodOf(this.learned, this.#reader, { asked, answer: sentences });
    const advice: Advice = { asked, answer: sentences, likelihood };
    const found = this.#byPattern(advice);
    // What has been learned of Czech and English says nothing of another language.
    if (!isForeign(answer)) found.push(...this.#byResemblance(advice, found));
    const isChosen = ({ rule }: Breach) => check === "full" || this.#byId.get(rule.id)?.check === check;
    return found.filter(isChosen).sort(byPlace);
  }

  #byPattern({ asked, answer, likelihood }: Advice): Breach[] {
    const found = answer.flatMap((searched, at) => {
      const before = answer[at - 1];
      const isHarmless = (isCritical: boolean) =>
        likelihood !== null && likelihood.around(at) < (isCritical ? surelyHarmless : harmlessBelow);
      const around = { before, next: answer[at + 1] };
      const context = { asked: before ? [...asked, before] : asked, around, answer, isHarmless };
      const patterns = this.#likely(searched);
      return this.#compiled.flatMap((one) => {
        const match = placeIn(one, patterns.get(one) ?? [], this.#reader.guards, searched, context);
        return match ? [breachAt(one.rule, searched, match)] : [];
      });
    });
    // Parts of one endless sentence overlap.
    return [...new Map(found.map((breach) => [`${breach.rule.id}:${breach.start}`, breach])).values()];
  }

  #byResemblance({ asked, answer, likelihood }: Advice, found: readonly Breach[]): Breach[] {
    if (this.learned === null || likelihood === null) return [];
    const alike = resemblances({
      learned: this.learned,
      likelihood,
      reader: this.#reader,
      asked,
      answer,
      known: (start, end) => found.some((one) => one.start < end && start < one.end),
      open: (rule, sentences) => this.#isOpen(rule, sentences, answer),
      anchored: (rule, sentences) => this.#isAnchored(rule, sentences, asked),
    });
    return alike.flatMap(({ rule: id, start, end }): Breach[] => {
      const rule = this.rules.get(id);
      return rule ? [{ rule, start, end, matched_by: "resemblance" }] : [];
    });
  }

  /** Whether likeness may speak for a rule: what it asks for is not there, and no fixed figure decides instead. */
  #isOpen(id: string, sentences: readonly Searched[], answer: readonly Searched[]): boolean {
    const one = this.#byId.get(id);
    if (!one || one.facts.length > 0 || (one.missing && isSaid(one.missing.need, answer))) return false;
    return one.unless === null || !isSaid(one.unless, sentences);
  }

  /** Whether sentences hold the better part of a pattern of the rule. */
  #isAnchored(id: string, sentences: readonly Searched[], asked: readonly Searched[]): boolean {
    const one = this.#byId.get(id);
    const patterns = [...(one?.patterns ?? []), ...(one?.missing?.when ?? [])];
    return patterns.some((each) => each.present.length > 1 && shareIn(each, sentences, asked) >= betterPart);
  }
}

/** Compiles the rule packs. The engine does it once, at its first answer. `learned` is null for the patterns alone. */
export const createAssurance = (learned: Learned | null = unpack(weights)): Assurance => new RuleCheck(learned);
