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
  /** What `unless` is in Czech when it is denied. */
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

/** Whether an answer has what a rule asks for, and does not deny it. */
const isSaid = (need: Term, answer: readonly Searched[], safeguards: Safeguards): boolean =>
  answer.some((one) => safeguards.stand(need, one, []));

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
  readonly isHarmless: (isCritical: boolean, match: readonly Stretch[]) => boolean;
}

/** Where in a sentence a rule is broken; the first place is enough, since a finding names the whole sentence. */
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
    // What is critical is hardly ever explained away: short plain sentences look harmless to the scorer. Where what would
    // keep the rule is named and denied, it has no say: it knows those words from answers that keep it.
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
    if (!mayBeForeign(answer, question)) found.push(...this.#byResemblance(advice, found));
    const isChosen = ({ rule }: Breach) => check === "full" || this.#byId.get(rule.id)?.check === check;
    return found.filter(isChosen).sort(byPlace);
  }

  #byPattern({ asked, answer, likelihood }: Advice): Breach[] {
    const found = answer.flatMap((searched, at) => {
      const before = answer[at - 1];
      // A few clauses know less of what they mean than the whole: for them the lower bound of critical rules is too low.
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
    if (!one || one.facts.length > 0 || sentences.some((each) => isIn(one.except, each))) return false;
    // A likeness is a guess: where the answer names at all what is asked for, it stays silent.
    const need = one.missing?.need ?? null;
    if (answer.some((each) => isIn(need, each))) return false;
    return one.unless === null || !isSaid(one.unless, sentences, this.#reader.safeguards);
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
