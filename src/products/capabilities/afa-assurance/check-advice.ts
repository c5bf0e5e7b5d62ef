import { isForeign, mayBeForeign } from "../../../knowledge/language/detect.ts";
import { verdictLanguage } from "../../../knowledge/language/verdict-language.ts";
import { once } from "../../../platform/once.ts";
import { type Breach, createAssurance } from "./check.ts";
import type { Added } from "./computation.ts";
import type { AfaAssuranceInput, AfaAssuranceOutput, Finding } from "./schema.ts";
import { explanationOf, foreignAdvice, foreignLanguage, type Shown, shownIn, suggestionOf } from "./texts.ts";

/** The rule packs, compiled on first use. */
const assurance = once(createAssurance);

/** Returns a breach in the form of the contract. */
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

/** Returns `fail` for a critical finding and `attention` for any other. A resemblance alone never causes `fail`. */
function statusOf(findings: readonly Finding[]): AfaAssuranceOutput["status"] {
  if (findings.some(({ severity, matched_by }) => severity === "critical" && matched_by !== "resemblance"))
    return "fail";
  return findings.length > 0 ? "attention" : "pass";
}

/** Returns the sources of the rules named in the findings, each once, in the order of the packs' list. */
function sourcesOf(findings: readonly Finding[]): NonNullable<AfaAssuranceOutput["sources"]> {
  const { rules, sources } = assurance();
  const named = new Set(findings.flatMap(({ rule_id }) => rules.get(rule_id)?.sources ?? []));
  return Object.entries(sources).flatMap(([key, { text, url }]) => (named.has(key) ? [{ citation: text, url }] : []));
}

/** Returns the finding for an answer in a language that the packs don't cover. */
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

/**
 * Merges the embedded breaches with the model's. For one rule and place, a pattern takes precedence over the model, and
 * the model over a resemblance.
 */
function united(embedded: readonly Breach[], added: readonly Breach[]): Breach[] {
  const kept = embedded.filter((one) => one.matched_by !== "resemblance" || !added.some((other) => isSame(one, other)));
  for (const breach of added) if (!kept.some((one) => isSame(one, breach))) kept.push(breach);
  return kept.sort((a, b) => a.start - b.start || a.rule.id.localeCompare(b.rule.id));
}

/** Returns the breaches for excerpts that the model named, each at its first occurrence in the answer. */
function breachesOf(added: readonly Added[], answer: string): Breach[] {
  const { rules } = assurance();
  return added.flatMap(({ rule_id, excerpt }): Breach[] => {
    const rule = rules.get(rule_id);
    const start = answer.indexOf(excerpt);
    return rule ? [{ rule, start, end: start + excerpt.length, matched_by: "model" }] : [];
  });
}

/** Checks an answer against the rule packs and merges in the breaches that a model found. Deterministic. */
export function checkAdvice(
  { question, answer, check }: AfaAssuranceInput,
  added: readonly Added[] = [],
): AfaAssuranceOutput {
  const shown = shownIn(verdictLanguage(answer, verdictLanguage(question)));
  const breaches = united(assurance().breaches(question, answer, check), breachesOf(added, answer));
  const findings = breaches.map((breach) => findingOf(breach, answer, shown));
  // In an answer in another language a pattern matches by chance or inside a quotation, and the rest was not checked.
  const isUnread = findings.length === 0 ? mayBeForeign(answer, question) : isForeign(answer);
  if (isUnread) findings.push(unread(shown));
  return { status: statusOf(findings), findings, sources: sourcesOf(findings) };
}
