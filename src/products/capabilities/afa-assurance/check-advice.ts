import { isForeign, mayBeForeign } from "../../../knowledge/language/detect.ts";
import { verdictLanguage } from "../../../knowledge/language/verdict-language.ts";
import { once } from "../../../platform/once.ts";
import { type Breach, createAssurance } from "./check.ts";
import type { Added } from "./computation.ts";
import type { AfaAssuranceInput, AfaAssuranceOutput, Finding } from "./schema.ts";
import { explanationOf, foreignAdvice, foreignLanguage, type Shown, shownIn, suggestionOf } from "./texts.ts";

/** The rule packs, compiled at the first use. */
const assurance = once(createAssurance);

/** One breach as the contract shows it. */
function findingOf({ rule, start, end, matched_by }: Breach, answer: string, shown: Shown): Finding {
  return {
    rule_id: rule.id,
    citation: rule.citation,
    severity: rule.severity,
    verification: rule.verification,
    matched_by,
    excerpt: answer.slice(start, end),
    start,
    end,
    explanation: explanationOf(rule, shown, matched_by === "resemblance"),
    suggestion: suggestionOf(rule, shown),
  };
}

/** `fail` for anything critical, `attention` for anything else. A mere likeness is a reason to look, never to fail. */
function statusOf(findings: readonly Finding[]): AfaAssuranceOutput["status"] {
  if (findings.some(({ severity, matched_by }) => severity === "critical" && matched_by !== "resemblance"))
    return "fail";
  return findings.length > 0 ? "attention" : "pass";
}

/** The sources of the rules that the findings name, each once, in the order of the packs' list. */
function sourcesOf(findings: readonly Finding[]): NonNullable<AfaAssuranceOutput["sources"]> {
  const { rules, sources } = assurance();
  const named = new Set(findings.flatMap(({ rule_id }) => rules.get(rule_id)?.sources ?? []));
  return Object.entries(sources).flatMap(([key, { text, url }]) => (named.has(key) ? [{ citation: text, url }] : []));
}

/** The finding for an answer that the packs cannot read. */
const unread = (shown: Shown): Finding => ({
  rule_id: "AFA-LANGUAGE",
  citation: "Assay rule packs",
  severity: "medium",
  verification: "verified",
  matched_by: "pattern",
  excerpt: null,
  start: null,
  end: null,
  explanation: foreignLanguage[shown],
  suggestion: foreignAdvice[shown],
});

const isSame = (a: Breach, b: Breach): boolean => a.rule.id === b.rule.id && a.start < b.end && b.start < a.end;

/** The embedded breaches and the model's; of one rule at one place one: a pattern's, else the model's, else a likeness. */
function united(embedded: readonly Breach[], added: readonly Breach[]): Breach[] {
  const kept = embedded.filter((one) => one.matched_by !== "resemblance" || !added.some((other) => isSame(one, other)));
  for (const breach of added) if (!kept.some((one) => isSame(one, breach))) kept.push(breach);
  return kept.sort((a, b) => a.start - b.start || a.rule.id.localeCompare(b.rule.id));
}

/** Breaches that were named by their words. The first place of an excerpt counts. */
function breachesOf(added: readonly Added[], answer: string): Breach[] {
  const { rules } = assurance();
  return added.flatMap(({ rule_id, excerpt }): Breach[] => {
    const rule = rules.get(rule_id);
    const start = answer.indexOf(excerpt);
    return rule ? [{ rule, start, end: start + excerpt.length, matched_by: "model" }] : [];
  });
}

/** Checks an answer by the rule packs, and joins what a model has found besides. Deterministic. */
export function checkAdvice(
  { question, answer, check }: AfaAssuranceInput,
  added: readonly Added[] = [],
): AfaAssuranceOutput {
  const shown = shownIn(verdictLanguage(answer, verdictLanguage(question)));
  const breaches = united(assurance().breaches(question, answer, check), breachesOf(added, answer));
  const findings = breaches.map((breach) => findingOf(breach, answer, shown));
  // A pattern that fits in a foreign answer fits by chance, or in what is cited there: the rest has not been read.
  const isUnread = findings.length === 0 ? mayBeForeign(answer, question) : isForeign(answer);
  if (isUnread) findings.push(unread(shown));
  return { status: statusOf(findings), findings, sources: sourcesOf(findings) };
}
