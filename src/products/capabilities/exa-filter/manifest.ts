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
  summary: "Splits an answer into claims and reports which of them the given sources support.",
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
    "Checks an answer against the passages that should support it: wording, numbers with their units, dates, names, negation and modality are compared claim by claim, and a small trained scorer turns that into a probability for each. The operator can have a language model judge the claims as well; the run's engine then names the model.",
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
  sources: ["The passages that the caller sends", "Otherwise the imported insurance documents"],
  limitations: [
    "It checks whether the given sources support an answer, not whether the answer or the sources are true.",
    "Without sources, it searches the imported documents of the country and of the EU. Without a country, it searches those of Czechia, Slovakia and the EU, and an answer that rests on one country's documents is at most WARN, since it may not apply in the other.",
    "OK means that one sentence of the sources says all that a claim says, and that the answer keeps its conditions and exceptions. A correct paraphrase is often WARN.",
    "An exact or near quotation is OK only if no other sentence of the sources was found to cancel it (an exception or condition that follows, a repeal, another value for the case asked about) and no restricting word was dropped.",
    "A small built-in model reads each claim with its sources if these are short, in Czech and Slovak also if they are long; OK then requires it to confirm the claim. If it is unavailable, words alone decide, and far more OK results are wrong. Each claim says whether it was read.",
    "If an amount, unit, currency, period, date, actor, negation, condition, exception or quantifier is recognised as different, or an insurer as missing from the sources, the answer is never OK. In unusual wording, they may not be recognised.",
    "There are word lists for these in Czech, Slovak, English, German, Polish and Hungarian; other languages are compared by letters and numbers. The score itself was trained on Czech and English.",
    "It compares wording: a correct conclusion that takes several steps of reasoning may be reported as unsupported.",
    "A probability is calibrated on public fact-checking data, not on insurance documents.",
    "It is a signal for a person's review, not legal advice.",
    ...trustFigures,
  ],
  evidence_freshness: "The sources of the request, otherwise the imported documents that are valid now.",
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
