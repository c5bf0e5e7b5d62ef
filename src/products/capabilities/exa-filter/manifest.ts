import { faithfulness } from "../../../knowledge/faithfulness/computation.ts";
import type { CapabilityDefinition, Tool } from "../../../registry/contract.ts";
import { lazyEngine, modelLimits } from "../lazy.ts";
import { listing, pricing, toolErrors, trial } from "../listing.ts";
import { trustFigures } from "./figures.ts";
import { ExaFilterInput, ExaFilterOutput, servedCountries } from "./schema.ts";

const checkAnswer: Tool = {
  name: "check_answer",
  title: "Check an answer against its sources",
  access: "read",
  summary: "Splits an answer into claims and says which of them the given sources support.",
  returns: "The trust state, the scores, a verdict in the answer's language, the supporting sources, and each claim.",
  input_schema: ExaFilterInput,
  agent_description:
    "Check whether an answer is supported by its sources, claim by claim. Pass the question, the answer and the passages it rests on. FAIL or WARN means: do not hand the answer on as it is.",
  human_summary: "Find out which sentences of an answer its sources do not support.",
  use_when: [
    "An answer about insurance is about to reach a customer or an adviser.",
    "A text written by a language model must be compared with the passages that it was given.",
  ],
  do_not_use_when: [
    "You want to know whether the sources themselves are right: they are taken as they are.",
    "You want an answer to a question: use ask_insurance.",
    "You want advice checked against legal or ethical rules: use validate_answer.",
  ],
  examples: [
    {
      title: "The source says the same",
      input: {
        question: "What is the limit of indemnity?",
        answer: "The limit of indemnity is 500 000 CZK for each insured event.",
        sources: ["The limit of indemnity is 500 000 CZK for each insured event. The deductible is 5 000 CZK."],
        country: "CZ",
      },
      output_excerpt: {
        trust_state: "OK",
        sources: ["The limit of indemnity is 500 000 CZK for each insured event. The deductible is 5 000 CZK."],
      },
    },
    {
      title: "The source gives another amount",
      input: {
        question: "What is the limit of indemnity?",
        answer: "The limit of indemnity is 800 000 CZK.",
        sources: ["The limit of indemnity is 500 000 CZK for each insured event."],
        country: "CZ",
      },
      output_excerpt: { trust_state: "FAIL", sources: [] },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["ask_insurance", "validate_answer"],
};

/** The faithfulness check, listed in `src/products/capabilities/index.ts`. */
export const exaFilter: CapabilityDefinition = {
  ...listing("exa-filter"),
  name: "EXA Filter",
  outcome: "Know which claims of an answer its sources support",
  description:
    "Checks an answer against the passages it should rest on: wording, numbers with their units, dates, names, negation and modality are compared claim by claim, and a small trained scorer turns that into a probability for each. An operator may let a language model judge the claims besides; the run's engine then names it.",
  status: "pilot",
  exposure: "public",
  countries: [...servedCountries],
  data_class: "derived",
  access: "read",
  permissions: ["account:read", "exa:validate"],
  pricing: pricing("included", "answer checked"),
  trial: trial(1),
  input_schema: ExaFilterInput,
  output_schema: ExaFilterOutput,
  tools: [checkAnswer],
  sources: ["The passages that the caller sends along", "Otherwise the imported insurance documents"],
  limitations: [
    "It says whether the given sources support an answer, not whether either of them is true.",
    "Without sources it asks the imported documents of the country and of the EU. Without a country these are Czechia's, Slovakia's and the EU's, and what one country's documents say is never more than WARN, since it may not hold in the other.",
    "OK says that one sentence of the sources says all that a claim says, and that the answer keeps its conditions and exceptions. A true answer in other words is often WARN.",
    "A sentence that is quoted, or nearly, is OK only where no other sentence of the sources was recognised to take it back (an exception or condition that follows, a repeal, another value for the case asked about) and no restricting word of it is lost.",
    "A small model inside the program reads each claim beside short sources, in Czech and Slovak beside long ones too; OK also needs it to find the claim said. Where it cannot serve, the words alone decide, and far more of what is OK is wrong: each claim says whether it was read.",
    ...trustFigures,
    "An amount, unit, currency, period, date, actor, negation, condition, exception or quantifier that differs, or an insurer that the sources do not name, is never OK where it was recognised; one in unusual words may not be.",
    "Czech, Slovak, English, German, Polish and Hungarian have words of their own for these; other languages are compared by their letters and numbers. The score itself was learned from Czech and English.",
    "It compares wording: a correct conclusion that takes several steps of reasoning may be reported as unsupported.",
    "A probability is calibrated on public fact-checking data, not on insurance documents.",
    "It is a signal for a person's review, not legal advice.",
  ],
  evidence_freshness: "The sources of the request itself, or else the imported documents that are valid now.",
  entitlements: [],
  deadline_ms: 120_000,
  engine: ({ models, corpus, computing, meaning }) => {
    const model = models.forCapability("exa-filter");
    return lazyEngine(
      { name: "exa-filter", model, computations: [faithfulness], ...(model && { limits: modelLimits }) },
      async () => {
        const { withCorpus } = await import("./corpus.ts");
        if (model)
          return withCorpus((await import("./model-engine.ts")).exaFilterModelEngine({ computing }, model), corpus);
        return withCorpus((await import("./engine.ts")).exaFilterEngine({ computing, meaning }), corpus);
      },
    );
  },
};
