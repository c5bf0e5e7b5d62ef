import { Type as T } from "@sinclair/typebox";
import type { Engine } from "../../../contracts/engine.ts";
import { askModel } from "../../../integrations/models/ask.ts";
import type { LanguageModel } from "../../../integrations/models/language.ts";
import { detectLanguage, mayBeForeign } from "../../../knowledge/language/detect.ts";
import { closed } from "../../../platform/schema.ts";
import type { Breach } from "./check.ts";
import { assurance, findingOf, sourcesOf, statusOf, unread } from "./engine.ts";
import type { AfaAssuranceInput, AfaAssuranceOutput } from "./schema.ts";
import { shownIn } from "./texts.ts";

/** What the model is asked for: which rule is broken where. Everything else in a finding is the pack's. */
const Breaches = closed({
  breaches: T.Array(
    closed({ rule_id: T.String({ maxLength: 20 }), excerpt: T.String({ minLength: 3, maxLength: 2_000 }) }),
    {
      maxItems: 200,
    },
  ),
});
type Named = (typeof Breaches.static)["breaches"][number];

const instructions =
  "You check an adviser's answer to a customer against rules for the distribution of insurance. The material has the rules, the customer's question and the answer. Report each rule that the answer itself breaks, with the sentence that breaks it in excerpt, copied letter by letter from the answer. What the answer denies, quotes, asks or warns of is no breach. Report nothing that is not in the list of rules. When nothing is broken, breaches is empty.";

/** What is wrong with the model's list: a rule that is not asked for, or words that the answer does not hold. */
function flawIn(named: readonly Named[], ids: ReadonlySet<string>, answer: string): string | null {
  if (named.some(({ rule_id }) => !ids.has(rule_id))) return "A rule_id is not among the rules.";
  if (named.some(({ excerpt }) => !answer.includes(excerpt)))
    return "An excerpt is not in the answer, letter by letter.";
  return null;
}

const isSame = (a: Breach, b: Breach): boolean => a.rule.id === b.rule.id && a.start < b.end && b.start < a.end;

/** The embedded breaches and the model's; of one rule at one place one: a pattern's, else the model's, else a likeness. */
function united(embedded: readonly Breach[], added: readonly Breach[]): Breach[] {
  const kept = embedded.filter((one) => one.matched_by !== "resemblance" || !added.some((other) => isSame(one, other)));
  for (const breach of added) if (!kept.some((one) => isSame(one, breach))) kept.push(breach);
  return kept.sort((a, b) => a.start - b.start || a.rule.id.localeCompare(b.rule.id));
}

/**
 * The rule check with a language model, which adds the breaches in words that no pattern expects. It can take nothing
 * away: what the packs find stays, so that no text talks a finding out of the result. Severity, citation and explanation
 * are the pack's. Chosen by the manifest when the operator lists `afa-assurance` in `model_capabilities`.
 */
export function afaAssuranceModelEngine(model: LanguageModel): Engine<AfaAssuranceInput, AfaAssuranceOutput> {
  return {
    identity: { name: "afa-assurance", version: "1.0.0", model: model.name },
    ready: () => model.ready(),
    async run({ question, answer, check }, { signal }) {
      const embedded = assurance();
      const { packs, rules } = embedded;
      const chosen = packs.filter((pack) => check === "full" || pack.check === check).flatMap((pack) => pack.rules);
      const ids = new Set(chosen.map(({ id }) => id));
      const { breaches: named } = await askModel({
        model,
        instructions,
        data: {
          rules: chosen.map(({ id, obligation, sign }) => ({ id, duty: obligation.en, broken_when: sign.en })),
          question,
          answer,
        },
        schema: Breaches,
        verify: (given) => flawIn(given.breaches, ids, answer),
        signal,
      });
      const added = named.flatMap(({ rule_id, excerpt }): Breach[] => {
        const rule = rules.get(rule_id);
        const start = answer.indexOf(excerpt);
        return rule ? [{ rule, start, end: start + excerpt.length, matched_by: "model" }] : [];
      });
      const shown = shownIn(detectLanguage(answer, detectLanguage(question)));
      const all = united(embedded.breaches(question, answer, check), added);
      const findings = all.map((breach) => findingOf(breach, answer, shown));
      if (findings.length === 0 && mayBeForeign(answer)) findings.push(unread(shown));
      return { result: { status: statusOf(findings), findings, sources: sourcesOf(findings) } };
    },
  };
}
