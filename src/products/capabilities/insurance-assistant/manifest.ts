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
  returns: "The answer, the passages that it cites, a trust state and, where there is one, a confidence.",
  input_schema: InsuranceAssistantInput,
  agent_description:
    "Answer an insurance question for one country from imported policy documents, with a citation for each statement. Always pass the country. FAIL means that nothing clearly answers: say so, and do not fill the gap yourself. Places that it names are places to read, not an answer.",
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
      title: "A figure of the law, from the documents that come with the program",
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
    "It answers from imported documents alone; where nothing there clearly answers it says so, answers FAIL, and names up to three places that come near. These may not hold the answer.",
    "It quotes the sentences that fit best and draws no conclusions: what follows from several clauses together is the reader's to see.",
    "Questions are understood by their words and their usual synonyms in Czech, Slovak, German, Polish, English and French.",
    "Of 108 everyday questions of three other authors that the starter documents answer, 81 got the right passage when first asked, and 21 more the right place among those named; of 72 that they do not answer, 3 got a passage. By words alone, where the models inside the program can't serve, it was 14, 56 and 8. It refuses more than it need: read what is cited.",
    "Questions were written beside each passage of the starter documents, and what is asked is compared with them. Your own documents have none: expect one in five of the everyday questions that they answer to be answered.",
    "An answer that only samples of a fictitious carrier support is WARN, and says so.",
    "Rules differ between countries and channels: an answer holds for the country that was asked for.",
    "It states a price only where an imported document does, and does not recommend a person to buy.",
    "It is information, neither legal advice nor a binding statement of a carrier.",
  ],
  evidence_freshness: "As of the imported documents; of several valid versions of a document the newest counts.",
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
