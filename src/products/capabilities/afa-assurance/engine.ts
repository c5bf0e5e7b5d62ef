import type { Engine } from "../../../contracts/engine.ts";
import { detectLanguage, mayBeForeign } from "../../../knowledge/language/detect.ts";
import { once } from "../../../platform/once.ts";
import { isShort } from "../short.ts";
import { type Breach, createAssurance } from "./check.ts";
import type { AfaAssuranceInput, AfaAssuranceOutput, Finding } from "./schema.ts";
import { explanationOf, foreignAdvice, foreignLanguage, type Shown, shownIn, suggestionOf } from "./texts.ts";

/** The rule packs, compiled at the first use. The model engine checks its findings' rules against them too. */
export const assurance = once(createAssurance);

/** One breach as the contract shows it. */
export function findingOf({ rule, start, end, matched_by }: Breach, answer: string, shown: Shown): Finding {
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
export function statusOf(findings: readonly Finding[]): AfaAssuranceOutput["status"] {
  if (findings.some(({ severity, matched_by }) => severity === "critical" && matched_by !== "resemblance"))
    return "fail";
  return findings.length > 0 ? "attention" : "pass";
}

/** The sources of the rules that the findings name, each once, in the order of the packs' list. */
export function sourcesOf(findings: readonly Finding[]): NonNullable<AfaAssuranceOutput["sources"]> {
  const { rules, sources } = assurance();
  const named = new Set(findings.flatMap(({ rule_id }) => rules.get(rule_id)?.sources ?? []));
  return Object.entries(sources).flatMap(([key, { text, url }]) => (named.has(key) ? [{ citation: text, url }] : []));
}

/** The finding for an answer that the packs cannot read. */
export const unread = (shown: Shown): Finding => ({
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

/** Checks an answer by the rule packs alone. */
export function checkAdvice({ question, answer, check }: AfaAssuranceInput): AfaAssuranceOutput {
  const shown = shownIn(detectLanguage(answer, detectLanguage(question)));
  const breaches = assurance().breaches(question, answer, check);
  const findings = breaches.map((breach) => findingOf(breach, answer, shown));
  if (findings.length === 0 && mayBeForeign(answer)) findings.push(unread(shown));
  return { status: statusOf(findings), findings, sources: sourcesOf(findings) };
}

/** The embedded rule check. The worker runs it; it throws nothing of its own, and the same input gives the same findings. */
export const afaAssuranceEngine: Engine<AfaAssuranceInput, AfaAssuranceOutput> = {
  identity: { name: "afa-assurance", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input) => ({ result: checkAdvice(input) }),
  runInline: (input) => (isShort([input.question, input.answer]) ? { result: checkAdvice(input) } : undefined),
};
