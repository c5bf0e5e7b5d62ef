import { Type as T } from "@sinclair/typebox";
import type { Engine } from "../../../contracts/engine.ts";
import { askModel } from "../../../integrations/models/ask.ts";
import type { LanguageModel } from "../../../integrations/models/language.ts";
import { once } from "../../../platform/once.ts";
import { closed } from "../../../platform/schema.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { advice } from "./computation.ts";
import { readPacks } from "./packs.ts";
import type { AfaAssuranceInput, AfaAssuranceOutput } from "./schema.ts";

const packs = once(() => readPacks().packs);

/** The model's output: which rule is broken where. Everything else in a finding comes from the pack. */
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

/** Returns what is wrong with the model's list, or null: a rule not asked for, or words that the answer lacks. */
function flawIn(named: readonly Named[], ids: ReadonlySet<string>, answer: string): string | null {
  if (named.some(({ rule_id }) => !ids.has(rule_id))) return "A rule_id is not among the rules.";
  if (named.some(({ excerpt }) => !answer.includes(excerpt)))
    return "An excerpt is not in the answer, letter by letter.";
  return null;
}

/**
 * The rule check with a language model, which adds breaches in wordings that no pattern expects. It cannot remove what
 * the packs find, so no text can talk a finding out of the result. Severity, citation and explanation come from the
 * pack. The manifest chooses it when the operator lists `afa-assurance` in `model_capabilities`.
 */
export function afaAssuranceModelEngine(
  { computing }: Pick<EngineServices, "computing">,
  model: LanguageModel,
): Engine<AfaAssuranceInput, AfaAssuranceOutput> {
  return {
    identity: { name: "afa-assurance", version: "1.0.0", model: model.name },
    ready: () => model.ready(),
    async run(input, context) {
      const { question, answer, check } = input;
      const chosen = packs().filter((pack) => check === "full" || pack.check === check);
      const rules = chosen.flatMap((pack) => pack.rules);
      const ids = new Set(rules.map(({ id }) => id));
      const { breaches: added } = await askModel({
        model,
        instructions,
        data: {
          rules: rules.map(({ id, obligation, sign }) => ({ id, duty: obligation.en, broken_when: sign.en })),
          question,
          answer,
        },
        schema: Breaches,
        verify: (given) => flawIn(given.breaches, ids, answer),
        signal: context.signal,
      });
      return { result: await computing.run(advice, { input, added }, context) };
    },
  };
}
