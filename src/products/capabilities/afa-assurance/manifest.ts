import type { CapabilityDefinition, Tool } from "../../../registry/contract.ts";
import { lazyEngine, modelLimits } from "../lazy.ts";
import { listing, pricing, toolErrors, trial } from "../listing.ts";
import { advice } from "./computation.ts";
import { AfaAssuranceInput, AfaAssuranceOutput } from "./schema.ts";

const validateAnswer: Tool = {
  name: "validate_answer",
  title: "Check advice against the assurance rules",
  access: "read",
  summary: "Compares an answer to a customer with legal and ethical rules for advice, and reports breaches.",
  returns: "A status, and findings with rule, citation, severity, excerpt, place, explanation and suggestion.",
  input_schema: AfaAssuranceInput,
  agent_description:
    "Check financial advice against rules of legislation, ethics or both (check: full). Pass the question and the whole answer. Every finding names its rule, its legal citation and its place; show those to the person who decides.",
  human_summary: "See which rules a piece of advice may break, and how to correct it.",
  use_when: [
    "A written answer of an adviser or an assistant is about to reach a customer in the Czech Republic.",
    "A sample of past answers is reviewed for misleading statements or missing warnings.",
  ],
  do_not_use_when: [
    "You want to know whether the facts are right: use check_answer with the sources.",
    "You need legal advice or a decision: findings are signals for a person's review.",
    "The advice is given under the law of another country.",
  ],
  examples: [
    {
      title: "A promise without a risk warning",
      input: {
        question: "Is this investment safe?",
        answer: "The return is guaranteed, you cannot lose.",
        check: "legislation",
      },
      output_excerpt: {
        status: "fail",
        findings: [{ rule_id: "CZ-45", severity: "critical", start: 0, end: 42 }],
      },
    },
    {
      title: "Advice that complies",
      input: {
        question: "Je výnos jistý?",
        answer: "Výnos zaručený není, hodnota fondu může klesnout. Minulé výnosy nezaručují budoucí.",
        check: "full",
      },
      output_excerpt: { status: "pass", findings: [] },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["check_answer", "ask_insurance"],
};

/** Rule check for advice, listed in `src/products/capabilities/index.ts`. */
export const afaAssurance: CapabilityDefinition = {
  ...listing("afa-assurance"),
  name: "AFA Assurance",
  outcome: "See which legal and ethical rules a piece of advice may break",
  description:
    "Checks an answer given to a customer against versioned rule packs for legislation and ethics. Each finding names the rule, its citation, its severity and its place in the text, and suggests a wording that complies. The operator can have a language model look for further breaches; the run's engine then names the model.",
  status: "pilot",
  exposure: "public",
  countries: ["CZ"],
  data_class: "derived",
  access: "read",
  permissions: ["account:read", "afa:validate"],
  pricing: pricing("included", "answer checked"),
  trial: trial(1),
  input_schema: AfaAssuranceInput,
  output_schema: AfaAssuranceOutput,
  tools: [validateAnswer],
  sources: ["Rule packs with a citation for each rule"],
  limitations: [
    "It matches Czech and English wordings; Slovak is checked with the Czech patterns and gets Czech texts. An answer in another language is not checked, and a finding says so.",
    "It knows the customer's situation only from the question and the answer, and misses breaches in unexpected wording. In 60 answers by an author who had seen neither rules nor engine, it reported every breach, and 90 of 100 reports were breaches; in 60 earlier ones it reported 83 of 100 breaches, and 76 of 100 reports were breaches.",
    "Each finding says whether its rule's citation was verified at the source: 71 of the 88 citations were, 4 in part, 13 not.",
    "An answer without findings is not necessarily compliant: only the rules of the packs are checked.",
    "A rule is as current as the version of the law that its citation names.",
    "It is a signal for a person's review, not legal advice.",
  ],
  evidence_freshness: "As of the version of the rule packs.",
  entitlements: [],
  deadline_ms: 120_000,
  engine: ({ models, computing }) => {
    const model = models.forCapability("afa-assurance");
    return lazyEngine(
      { name: "afa-assurance", model, computations: [advice], ...(model && { limits: modelLimits }) },
      async () =>
        model
          ? (await import("./model-engine.ts")).afaAssuranceModelEngine({ computing }, model)
          : (await import("./engine.ts")).afaAssuranceEngine({ computing }),
    );
  },
};
