import type { CapabilityManifest, Tool } from "../../catalogue/contract.ts";
import { listing, pricing, toolErrors, trial } from "../listing.ts";
import { pending, pendingLimitation } from "../pending.ts";
import { AfaAssuranceInput, AfaAssuranceOutput } from "./schema.ts";

const validateAnswer: Tool = {
  name: "validate_answer",
  title: "Check advice against the assurance rules",
  access: "read",
  summary: "Compares an answer to a customer with legal and ethical rules for advice, and reports what breaks them.",
  returns: "A status, and findings with rule, citation, severity, excerpt, place, explanation and suggestion.",
  input_schema: AfaAssuranceInput,
  agent_description:
    "Check financial advice against rules of legislation, ethics or both (check: full). Pass the question and the whole answer. Every finding names its rule, its legal citation and its place; show those to the person who decides.",
  human_summary: "See which rules a piece of advice may break, and how to put it right.",
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
      title: "A promise without a risk warning; the members of the result, described",
      input: {
        question: "Is this investment safe?",
        answer: "The yield is guaranteed and there is no risk.",
        check: "full",
      },
      output_excerpt: {
        status: "pass, attention or fail",
        findings: "rule_id, citation, severity, excerpt, start, end, explanation and suggestion of each",
      },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["check_answer", "ask_insurance"],
};

/** The rule check of advice, listed in `src/capabilities/index.ts`. */
export const afaAssurance: CapabilityManifest = {
  ...listing("afa-assurance"),
  name: "AFA Assurance",
  outcome: "See which legal and ethical rules a piece of advice may break",
  description:
    "Checks an answer given to a customer against versioned rule packs for legislation and ethics. Each finding names the rule, its citation, its severity and its place in the text, and suggests a wording that complies.",
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
    pendingLimitation,
    "It matches rules in Czech and English text; it does not know the customer's situation beyond that text.",
    "No finding does not mean compliant: only the rules of its packs are checked.",
    "A rule is as current as the version of the law that its citation names.",
    "It is a signal for a person's review, not legal advice.",
  ],
  evidence_freshness: "As of the version of the rule packs.",
  entitlements: [],
  deadline_ms: 30_000,
  engine: pending("afa-assurance"),
};
