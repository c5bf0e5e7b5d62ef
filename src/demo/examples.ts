import { marketQuestion } from "../products/market-entry/scoring.ts";

/** An everyday question, about fictitious policies and public figures. */
export interface Example {
  readonly slug: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The most frequent question: whether an answer is supported by its sources. */
export const checkedAnswers: readonly Readonly<Record<string, unknown>>[] = [
  {
    question: "Jaký je limit pojistného plnění?",
    answer: "Limit pojistného plnění je 500 000 Kč.",
    sources: ["Limit pojistného plnění činí 500 000 Kč pro jednu pojistnou událost."],
    country: "CZ",
  },
  {
    question: "Jaká je spoluúčast?",
    answer: "Spoluúčast je 5 000 Kč. Škody na skle se hradí bez spoluúčasti.",
    sources: ["Spoluúčast činí 10 000 Kč. U škod na skle se spoluúčast neuplatní."],
    country: "CZ",
  },
  {
    question: "Aká je čakacia lehota?",
    answer: "Čakacia lehota je tri mesiace.",
    sources: ["Čakacia lehota trvá tri mesiace od začiatku poistenia."],
    country: "SK",
  },
  {
    question: "Is theft from a parked car covered?",
    answer: "Theft from a parked car is covered when the car was locked.",
    sources: ["Theft of things from a parked vehicle is covered, provided that the vehicle was locked."],
    country: "CZ",
  },
];

/** The month's questions, which are asked repeatedly. */
export const examples: readonly Example[] = [
  ...checkedAnswers.map((input) => ({ slug: "exa-filter", input })),
  {
    slug: "afa-assurance",
    input: {
      question: "Je tato investice bezpečná?",
      answer: "Ano, výnos je zaručený a o vložené peníze přijít nemůžete.",
      check: "full",
    },
  },
  {
    slug: "afa-assurance",
    input: {
      question: "Je výnos jistý?",
      answer: "Výnos zaručený není, hodnota fondu může klesnout. Minulé výnosy nezaručují budoucí.",
      check: "full",
    },
  },
  { slug: "eu-market-data", input: { question: "Compare the unemployment rate", countries: ["CZ", "DE"] } },
  { slug: "eu-market-data", input: { question: marketQuestion, countries: ["CZ", "AT", "DE"] } },
  {
    slug: "distribution-intelligence",
    input: { question: "How many contracts were mediated?", dataset: "cz_zfs_2021" },
  },
  { slug: "germany-market-intelligence", input: {} },
];

/** A question about the insurance documents, asked once the server has indexed them. */
export const insuranceQuestion = { question: "Co kryje havarijní pojištění?", country: "CZ", language: "cs" };

/** The company analysis that fails: nothing answers at the reserved name. */
export const failedAnalysis = { company_url: "https://site-that-is-gone.example/" };

/** Input of the pack that awaits approval. */
export const packInput = {
  company_url: "https://www.example.com/",
  product_category: "household insurance",
  target_adviser_icp: "Insurance brokers in Bavaria or Hesse",
  candidate_markets: ["DE", "AT"],
  value_proposition:
    "Young families do not understand what their household insurance covers. Our app explains the contract for 4 euros a month.",
};

/** Hypotheses of the month's studies, the newest last. */
export const hypotheses: readonly string[] = [
  "Young families would pay 10 euros a month for a bicycle insurance sold in an app.",
  "Mladé rodiny ve městě nerozumějí tomu, co jejich pojištění domácnosti kryje. Nabídneme jim aplikaci, která smlouvu vysvětlí, za 99 Kč měsíčně. Otestovali jsme ji se 120 domácnostmi.",
];
