import { faithfulness } from "../../../knowledge/faithfulness/computation.ts";
import type { CapabilityDefinition, Tool } from "../../../registry/contract.ts";
import { lazyEngine, modelLimits } from "../lazy.ts";
import { listing, pricing, toolErrors, trial } from "../listing.ts";
import { evidence, otherWords } from "./computation.ts";
import { InsuranceAssistantInput, InsuranceAssistantOutput } from "./schema.ts";

const askInsurance: Tool = {
  name: "ask_insurance",
  title: "Ask the insurance assistant",
  access: "read",
  summary: "Answers a question about insurance in one country from that country's documents.",
  returns: "The answer, the passages that it cites, a trust state and, if there is one, a confidence.",
  input_schema: InsuranceAssistantInput,
  agent_description:
    "Answer an insurance question for one country from imported policy documents, with a citation for each statement. Always pass the country. FAIL means that nothing clearly answers: say so, and do not fill the gap yourself. The places it names are to be read, not an answer.",
  human_summary: "Ask about insurance, and see the passages that the answer rests on.",
  use_when: [
    "A question concerns cover, exclusions, limits, duties or complaints, and the country is known.",
    "The answer must be traceable to a document and a page.",
  ],
  do_not_use_when: [
    "The country is unknown: ask for it first, because rules differ between countries.",
    "The question asks for a recommendation to buy, or for a price that no imported document states.",
    "An answer exists already and only needs checking: use check_answer.",
  ],
  examples: [
    {
      title: "A statutory figure, from the documents shipped with the program",
      input: {
        question: "What is the minimum limit of indemnity for damage to property in motor liability insurance?",
        country: "CZ",
        language: "en",
      },
      output_excerpt: { trust_state: "OK" },
    },
    {
      title: "Nothing in the documents answers it",
      input: { question: "How much is a train ticket to Brno?", country: "CZ", language: "en" },
      output_excerpt: {
        answer: "Nothing was found in the imported documents for CZ that clearly answers this question.",
        sources: [],
        trust_state: "FAIL",
      },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["check_answer", "validate_answer"],
};

/** Sourced answers about insurance, listed in `src/products/capabilities/index.ts`. */
export const insuranceAssistant: CapabilityDefinition = {
  ...listing("insurance-assistant"),
  name: "Insurance Assistant",
  outcome: "Get an insurance answer with a citation for each statement",
  description:
    "Answers questions about insurance in one country from the documents imported for it: binding terms, standardised summaries and methodologies. Every statement carries its citation, and an answer without evidence says so.",
  status: "live",
  exposure: "public",
  countries: ["EU"],
  data_class: "derived",
  access: "read",
  permissions: ["account:read", "insurance:ask"],
  pricing: pricing("per_query", "question answered"),
  trial: trial(3),
  input_schema: InsuranceAssistantInput,
  output_schema: InsuranceAssistantOutput,
  tools: [askInsurance],
  sources: [
    "Carrier-published documents that the operator imports",
    "Documents supplied under a distribution relationship",
  ],
  limitations: [
    "It answers only from imported documents. If nothing there clearly answers, it says so, returns FAIL and names up to three places that come near. These may not contain the answer.",
    "It quotes the sentences that match best and draws no conclusions: combining several clauses is left to the reader.",
    "It understands questions by their words and usual synonyms in Czech, Slovak, German, Polish, English and French.",
    "Of 108 everyday questions by three other authors that the starter documents answer, 88 got the right passage when first asked; of 72 that they do not answer, 4 got a passage. By words alone, when the built-in models are unavailable, it was 8 (and the right place was named for 39 more) and 3. It refuses more often than it needs to: read what is cited.",
    "A question is compared with questions that were written for each passage of the starter documents. Your own documents have none: of the everyday questions that they answer, expect about one in four to be answered.",
    "An answer supported only by samples of a fictitious carrier is WARN, and says so.",
    "Rules differ between countries and channels: an answer applies only to the country asked about.",
    "It states a price only if an imported document does, and never recommends buying.",
    "It provides information, neither legal advice nor a binding statement by a carrier.",
  ],
  evidence_freshness: "As of the imported documents; if several versions of a document are valid, the newest counts.",
  entitlements: [],
  deadline_ms: 120_000,
  engine: (services) => {
    const { models } = services;
    const model = models.forCapability("insurance-assistant");
    const computations = [evidence, otherWords, faithfulness];
    return lazyEngine({ name: "insurance-assistant", model, limits: modelLimits, computations }, async () =>
      model
        ? (await import("./model-engine.ts")).insuranceAssistantModelEngine(services, model)
        : (await import("./engine.ts")).insuranceAssistantEngine(services),
    );
  },
};
