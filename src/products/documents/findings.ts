import type { AfaAssuranceOutput } from "../capabilities/afa-assurance/schema.ts";
import type { CompanyIntelligenceOutput } from "../capabilities/company-intelligence/schema.ts";
import type { EuMarketDataOutput } from "../capabilities/eu-market-data/schema.ts";
import type { ExaFilterOutput } from "../capabilities/exa-filter/schema.ts";
import type { InsuranceAssistantOutput } from "../capabilities/insurance-assistant/schema.ts";
import type { MarketValidatorOutput } from "../capabilities/market-validator/schema.ts";
import type { TalentOutput } from "../capabilities/talent-intelligence/schema.ts";
import type { StructureOutput, TargetsOutput } from "../market-entry/schema.ts";
import { scoreSections, structureSections, targetSections } from "../market-entry/sections.ts";
import { aggregatesTable } from "./aggregates.ts";
import { list, paragraph, type Section, section, table } from "./document.ts";

/** What a step found, and what speaks for it, as sections of a document. By its capability: a result fits that one's output. */

/** Sections on one result, which come from the step of that key. */
type Presenter = (result: unknown, step: string) => Section[];

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const link = (url: string | null): string => url ?? "";

const insurance: Presenter = (result, step) => {
  const { answer, sources, trust_state, confidence } = result as InsuranceAssistantOutput;
  const sure = confidence == null ? "" : ` Confidence ${percent(confidence)}.`;
  return [
    ...section("What was found", step, [paragraph(answer), paragraph(`Trust state: ${trust_state}.${sure}`)]),
    ...section("Evidence", step, [
      ...(sources.length === 0 ? [paragraph("No document of the corpus supports an answer.")] : []),
      table(
        "Passages that the answer cites",
        ["Source", "Carrier", "Page", "Passage", "Address"],
        sources.map(({ title, carrier, page, excerpt, url }) => [
          ...[title, carrier ?? "", page === null ? "" : String(page), excerpt, link(url)],
        ]),
      ),
    ]),
  ];
};

const validation: Presenter = (result, step) => {
  const { verdict, confidence, result_reference } = result as MarketValidatorOutput;
  const said = verdict ? `Verdict: ${verdict}.` : "The study came to no verdict.";
  return [
    ...section("What was found", step, [
      paragraph(confidence == null ? said : `${said} Confidence ${percent(confidence)}.`),
    ]),
    ...section("Evidence", step, [
      paragraph(
        `Segments, prices, objections, the interval and the reliability card are on the study's page: ${result_reference}`,
      ),
    ]),
  ];
};

const assurance: Presenter = (result, step) => {
  const { status, findings, sources = [] } = result as AfaAssuranceOutput;
  const rows = findings.map(({ rule_id, severity, citation, excerpt, explanation, suggestion }) => [
    ...[rule_id, severity, citation, excerpt ?? "(missing)", explanation, suggestion ?? ""],
  ]);
  return [
    ...section("What was found", step, [
      paragraph(`Status: ${status}. ${findings.length} findings.`),
      table("Findings", ["Rule", "Severity", "Citation", "Words of the answer", "Why", "Suggestion"], rows),
    ]),
    ...section("Evidence", step, [
      list(sources.map(({ citation, url }) => (url === null ? citation : `${citation}: ${url}`))),
    ]),
  ];
};

const exa: Presenter = (result, step) => {
  const { trust_state, faithfulness_score, verdict_text = "", sources, claims = [] } = result as ExaFilterOutput;
  const score = faithfulness_score === undefined ? "" : ` Faithfulness ${percent(faithfulness_score)}.`;
  return [
    ...section("What was found", step, [
      paragraph(`Trust state: ${trust_state}.${score}`),
      paragraph(verdict_text),
      table(
        "Claims of the answer",
        ["Claim", "Supported", "Probability", "Why"],
        claims.map(({ text, supported, probability, reason }) => [
          ...[text, supported ? "yes" : "no", percent(probability), reason ?? ""],
        ]),
      ),
    ]),
    ...section("Evidence", step, [
      ...(sources.length === 0 ? [paragraph("None of the given sources supports the answer.")] : []),
      list(sources),
    ]),
  ];
};

const market: Presenter = (result, step) => {
  const { summary, aggregates, sources = [] } = result as EuMarketDataOutput;
  return [
    ...section("What was found", step, [paragraph(summary), aggregatesTable(aggregates)]),
    ...section("Evidence", step, [
      list(
        sources.map(({ title, publisher, period, licence, url, reliability }) =>
          [title, publisher, period, licence, url, `reliability ${reliability}`].filter((part) => part).join(", "),
        ),
      ),
    ]),
  ];
};

const company: Presenter = (result, step) => {
  const {
    company_name,
    target_audience,
    products_services,
    market: served,
    evidence = [],
    notes = [],
  } = result as CompanyIntelligenceOutput;
  const unsaid = "not said";
  return [
    ...section("What was found", step, [
      table(
        "Profile",
        ["", "What its pages say"],
        [
          ["Company", company_name ?? unsaid],
          ["Target audience", target_audience ?? unsaid],
          ["Products and services", products_services.join("; ") || unsaid],
          ["Market", served ?? unsaid],
        ],
      ),
      list(notes),
    ]),
    ...section("Evidence", step, [
      table(
        "Words of the pages",
        ["For", "Value", "Words", "Page"],
        evidence.map(({ field, value, excerpt, url }) => [field, value, excerpt, url]),
      ),
    ]),
  ];
};

const talent: Presenter = (result, step) => {
  const { summary, dimensions, legal_requirements, limitations, question, red_flags, work_sample } =
    result as TalentOutput;
  return [
    ...section("What was found", step, [
      paragraph(summary),
      paragraph(question ?? ""),
      table(
        "Competences",
        ["Dimension", "Weight", "What is seen", "What speaks against it"],
        dimensions.map(({ title, weight, behaviours, red_flag }) => [
          ...[title, `${weight} %`, behaviours.join("; "), red_flag],
        ]),
      ),
      list(dimensions.flatMap(({ questions }) => questions.map((asked) => asked.question))),
      paragraph(work_sample ?? ""),
      list(red_flags.map(({ excerpt, warning, lawful_wording }) => `${excerpt}: ${warning} Lawful: ${lawful_wording}`)),
    ]),
    ...section("Evidence", step, [
      list(
        dimensions.flatMap(({ title, evidence }) =>
          evidence.map((one) => `${title}: ${one.title} (${one.reliability})`),
        ),
      ),
      list(
        legal_requirements.map(({ country, text, citation, status }) => `${country}: ${text} (${citation}, ${status})`),
      ),
      list(limitations),
    ]),
  ];
};

const structure: Presenter = (result, step) => {
  const found = result as StructureOutput;
  return [...scoreSections(found, step), ...structureSections(found, step)];
};

const presenters: Readonly<Record<string, Presenter>> = {
  "insurance-assistant": insurance,
  "market-validator": validation,
  "afa-assurance": assurance,
  "exa-filter": exa,
  "eu-market-data": market,
  "company-intelligence": company,
  "talent-intelligence": talent,
  structure,
  targets: (result, step) => targetSections(result as TargetsOutput, step),
};

/** Any other result, member by member: a firm's own capability has a schema that nobody here knows. */
const plain: Presenter = (result, step) => {
  const members = Object.entries(typeof result === "object" && result !== null ? result : { result });
  const rows = members.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  return section("What was found", step, [table("Result", ["Member", "Value"], rows)]);
};

/** What a succeeded step found, and its evidence. */
export const findingsOf = (capability: string, step: string, result: unknown): Section[] =>
  (presenters[capability] ?? plain)(result, step);
