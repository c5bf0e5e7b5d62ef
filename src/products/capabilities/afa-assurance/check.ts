import { detectLanguage, mayBeForeign } from "../../../knowledge/language/detect.ts";
import { contradictions, type Fact, factsOf } from "./facts.ts";
import type { Neighbours } from "./guards.ts";
import { type Pack, type Rule, readPacks } from "./packs.ts";
import { matches, type Pattern, parsePattern, shareIn } from "./pattern.ts";
import { createReader, type Reader } from "./reader.ts";
import { harmlessBelow, type Likelihood, likelihoodOf, resemblances, surelyHarmless } from "./resemblance.ts";
import type { Safeguards } from "./safeguards.ts";
import weights from "./scorer.json" with { type: "json" };
import { type Learned, unpack } from "./scorer.ts";
import { file, type Searched, type Stretch, type Term, type Vocabulary } from "./vocabulary.ts";

/** A place in an answer that breaks a rule. Offsets are in UTF-16 code units. */
export interface Breach {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
  /** What matched: a pattern of the rule, a resemblance to known breaches, or the language model. */
  readonly matched_by: "pattern" | "resemblance" | "model";
}

interface Missing {
  readonly when: readonly Pattern[];
  readonly need: Term;
}

/** A compiled rule. */
interface Compiled {
  readonly rule: Rule;
  readonly check: Pack["check"];
  readonly patterns: readonly Pattern[];
  readonly facts: readonly Fact[];
  readonly missing: Missing | null;
  readonly unless: Term | null;
  /** The Czech negated form of `unless`. */
  readonly denied: Term | null;
  readonly except: Term | null;
}

function compile(rule: Rule, check: Pack["check"], vocabulary: Vocabulary): Compiled {
  const patterns = [...rule.patterns.cs, ...rule.patterns.en].map((written) => parsePattern(written, vocabulary));
  const missing = rule.missing && {
    when: rule.missing.when.map((written) => parsePattern(written, vocabulary)),
    need: vocabulary.term(rule.missing.need),
  };
  const term = (written: string | undefined) => (written === undefined ? null : vocabulary.term(written));
  const [unless, except] = [term(rule.unless), term(rule.except)];
  const denied = rule.unless === undefined ? null : vocabulary.term(`ne${rule.unless.replaceAll("|", "|ne")}`);
  return { rule, check, patterns, facts: factsOf(rule, vocabulary), missing: missing ?? null, unless, denied, except };
}

const isIn = (term: Term | null, searched: Searched): boolean => term !== null && searched.places(term).length > 0;

/** Returns whether an answer states what a rule requires, and does not deny it. */
const isSaid = (need: Term, answer: readonly Searched[], safeguards: Safeguards): boolean =>
  answer.some((one) => safeguards.stand(need, one, []));

/** Looks up the patterns that a sentence may match, by rule: those whose most specific term it contains. */
type Likely = (searched: Searched) => ReadonlyMap<Compiled, readonly Pattern[]>;

/** Indexes every pattern under one term, so that a sentence is compared with dozens of patterns, not thousands. */
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

/** What a rule inspects besides the sentence itself. */
interface Context {
  /** The question and the preceding sentence. */
  readonly asked: readonly Searched[];
  readonly around: Neighbours;
  readonly answer: readonly Searched[];
  /** Returns whether the learned scores clearly speak against a breach here. */
  readonly isHarmless: (isCritical: boolean, match: readonly Stretch[]) => boolean;
}

/** Returns where a sentence breaks a rule. The first match is enough, because a finding names the whole sentence. */
function placeIn(
  { rule, facts, missing, unless, denied, except }: Compiled,
  patterns: readonly Pattern[],
  { guards, safeguards }: Reader,
  searched: Searched,
  context: Context,
): readonly Stretch[] | undefined {
  const { asked, around, answer, isHarmless } = context;
  if (isIn(except, searched)) return undefined;
  const denialsIn = ({ absent }: Pattern, match: readonly Stretch[]) =>
    (unless === null ? absent : [unless, ...absent]).flatMap((term) => safeguards.denials(term, searched, match));
  const counts = (pattern: Pattern) => (match: readonly Stretch[]) =>
    !(unless !== null && safeguards.stand(unless, searched, match)) &&
    guards.allows(pattern, match, searched, around, denialsIn(pattern, match));
  const asserted = (pattern: Pattern) => matches(pattern, searched, asked, safeguards).find(counts(pattern));
  const isNamed = isIn(unless, searched) || isIn(denied, searched);
  for (const pattern of patterns) {
    const match = asserted(pattern);
    if (!match) continue;
    // A critical match is hardly ever dismissed, because short plain sentences look harmless to the scorer. If the
    // sentence names and denies what would comply, the scorer has no say: it knows those words from compliant answers.
    const isPlain = isNamed || denialsIn(pattern, match).length > 0;
    if (isPlain || !isHarmless(rule.severity === "critical", match)) return match;
  }
  for (const fact of facts) {
    const match = contradictions(fact, searched, asked, safeguards).find(counts(fact.topic));
    if (match) return match;
  }
  if (!missing) return undefined;
  for (const pattern of missing.when) {
    const match = asserted(pattern);
    if (match) return isSaid(missing.need, answer, safeguards) ? undefined : match;
  }
  return undefined;
}

/** Maximum length in characters of a sentence shown whole. Of a longer one, only the matching words are shown. */
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
  /** Returns all breaches in text order. Deterministic. */
  breaches(question: string, answer: string, check: Check): Breach[];
  readonly rules: ReadonlyMap<string, Rule>;
  readonly packs: readonly Pack[];
  readonly sources: ReturnType<typeof readPacks>["sources"];
}

/** Share of a pattern's terms from which a resemblance counts as anchored in its rule. */
const betterPart = 0.6;

const byPlace = (a: Breach, b: Breach): number => a.start - b.start || a.rule.id.localeCompare(b.rule.id);

/** An answer and its question, parsed and scored. */
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
    // The scorer was trained on Czech and English and says nothing about other languages.
    if (!mayBeForeign(answer, question)) found.push(...this.#byResemblance(advice, found));
    const isChosen = ({ rule }: Breach) => check === "full" || this.#byId.get(rule.id)?.check === check;
    return found.filter(isChosen).sort(byPlace);
  }

  #byPattern({ asked, answer, likelihood }: Advice): Breach[] {
    const found = answer.flatMap((searched, at) => {
      const before = answer[at - 1];
      // A few clauses carry less meaning than the sentence, so the lower bound for critical rules is too low for them.
      const isHarmless = (isCritical: boolean, match: readonly Stretch[]) =>
        likelihood !== null &&
        likelihood.around(at) < (isCritical ? surelyHarmless : harmlessBelow) &&
        likelihood.aroundMatch(at, match) < harmlessBelow;
      const around = { before, next: answer[at + 1] };
      const context = { asked: before ? [...asked, before] : asked, around, answer, isHarmless };
      const patterns = this.#likely(searched);
      return this.#compiled.flatMap((one) => {
        const match = placeIn(one, patterns.get(one) ?? [], this.#reader, searched, context);
        return match ? [breachAt(one.rule, searched, match)] : [];
      });
    });
    // Pieces of one overlong sentence overlap.
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

  /**
   * Returns whether a rule may be reported for a resemblance: what it requires is missing, and no fixed figure decides.
   */
  #isOpen(id: string, sentences: readonly Searched[], answer: readonly Searched[]): boolean {
    const one = this.#byId.get(id);
    if (!one || one.facts.length > 0 || sentences.some((each) => isIn(one.except, each))) return false;
    // A resemblance is only a guess, so it is not reported if the answer mentions what is required at all.
    const need = one.missing?.need ?? null;
    if (answer.some((each) => isIn(need, each))) return false;
    return one.unless === null || !isSaid(one.unless, sentences, this.#reader.safeguards);
  }

  /** Returns whether the sentences contain most of a pattern of the rule. */
  #isAnchored(id: string, sentences: readonly Searched[], asked: readonly Searched[]): boolean {
    const one = this.#byId.get(id);
    const patterns = [...(one?.patterns ?? []), ...(one?.missing?.when ?? [])];
    return patterns.some((each) => each.present.length > 1 && shareIn(each, sentences, asked) >= betterPart);
  }
}

/** Compiles the rule packs. The engine does this once, for its first answer. `learned` is null for patterns alone. */
export const createAssurance = (learned: Learned | null = unpack(weights)): Assurance => new RuleCheck(learned);
