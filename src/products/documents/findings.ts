import type { AfaAssuranceOutput } from "../capabilities/afa-assurance/schema.ts";
import type { CompanyIntelligenceOutput } from "../capabilities/company-intelligence/schema.ts";
import type { EuMarketDataOutput } from "../capabilities/eu-market-data/schema.ts";
import type { ExaFilterOutput } from "../capabilities/exa-filter/schema.ts";
import type { InsuranceAssistantOutput } from "../capabilities/insurance-assistant/schema.ts";
import type { MarketValidatorOutput } from "../capabilities/market-validator/schema.ts";
import type { TalentOutput } from "../capabilities/talent-intelligence/schema.ts";
import { aggregatesTable, summaryBlocks } from "./aggregates.ts";
import { list, paragraph, type Section, section, table } from "./document.ts";
import type { Voice } from "./voice.ts";
import { writtenIn } from "./written-in.ts";

/**
 * Renders a step's findings and evidence as document sections, by capability. A result matches its capability's output.
 */

/** Returns the sections for one result, attributed to the given step. */
type Presenter = (result: unknown, step: string, voice: Voice) => Section[];

const link = (url: string | null): string => url ?? "";

const insurance: Presenter = (result, step, voice) => {
  const { say } = voice;
  const { answer, sources, trust_state, confidence } = result as InsuranceAssistantOutput;
  const sure = confidence == null ? "" : ` ${say("confidence", { share: voice.percent(confidence) })}`;
  return [
    ...section(say("found"), step, [
      paragraph(writtenIn(answer, voice)),
      paragraph(answer),
      paragraph(`${say("trust_state", { state: trust_state })}${sure}`),
    ]),
    ...section(say("evidence"), step, [
      ...(sources.length === 0 ? [paragraph(say("no_passage"))] : []),
      table(
        say("cited_passages"),
        [say("source"), say("carrier"), say("page"), say("passage"), say("address")],
        sources.map(({ title, version, heading, carrier, page, excerpt, url }) => [
          [title, version && say("of_version", { version }), heading].filter(Boolean).join(", "),
          ...[carrier ?? "", page === null ? "" : String(page), excerpt, link(url)],
        ]),
      ),
    ]),
  ];
};

const validation: Presenter = (result, step, voice) => {
  const { say } = voice;
  const { verdict, confidence, result_reference, notes = [] } = result as MarketValidatorOutput;
  const said = verdict ? say("verdict", { verdict: voice.term(verdict) }) : say("no_verdict");
  return [
    ...section(say("found"), step, [
      paragraph(confidence == null ? said : `${said} ${say("confidence", { share: voice.percent(confidence) })}`),
      paragraph(writtenIn(notes.join(" "), voice)),
      list(notes),
    ]),
    ...section(say("evidence"), step, [paragraph(say("study_page", { reference: result_reference }))]),
  ];
};

const assurance: Presenter = (result, step, voice) => {
  const { say } = voice;
  const { status, findings, sources = [] } = result as AfaAssuranceOutput;
  const columns = [
    ...[say("rule"), say("severity"), say("citation"), say("answer_words"), say("why"), say("suggestion")],
  ];
  const rows = findings.map(({ rule_id, severity, citation, excerpt, explanation, suggestion }) => [
    ...[rule_id, voice.term(severity), citation, excerpt ?? say("missing"), explanation, suggestion ?? ""],
  ]);
  return [
    ...section(say("found"), step, [
      paragraph(say("findings_status", { status: voice.term(status), count: findings.length })),
      paragraph(writtenIn(findings.map(({ explanation }) => explanation).join(" "), voice)),
      table(say("findings"), columns, rows),
    ]),
    ...section(say("evidence"), step, [
      paragraph(writtenIn(sources.map(({ citation }) => citation).join(" "), voice)),
      list(sources.map(({ citation, url }) => (url === null ? citation : `${citation}: ${url}`))),
    ]),
  ];
};

const exa: Presenter = (result, step, voice) => {
  const { say } = voice;
  const { trust_state, faithfulness_score, verdict_text = "", sources, claims = [] } = result as ExaFilterOutput;
  const share = faithfulness_score === undefined ? undefined : voice.percent(faithfulness_score);
  const score = share === undefined ? "" : ` ${say("faithfulness", { share })}`;
  return [
    ...section(say("found"), step, [
      paragraph(`${say("trust_state", { state: trust_state })}${score}`),
      paragraph(writtenIn(verdict_text, voice)),
      paragraph(verdict_text),
      table(
        say("claims"),
        [say("claim"), say("supported"), say("probability"), say("why")],
        claims.map(({ text, supported, probability, reason }) => [
          ...[text, say(supported ? "yes" : "no"), voice.percent(probability), reason ?? ""],
        ]),
      ),
    ]),
    ...section(say("evidence"), step, [...(sources.length === 0 ? [paragraph(say("no_source"))] : []), list(sources)]),
  ];
};

const market: Presenter = (result, step, voice) => {
  const { say } = voice;
  const { summary, aggregates, sources = [] } = result as EuMarketDataOutput;
  return [
    ...section(say("found"), step, [...summaryBlocks(summary, aggregates, voice), aggregatesTable(aggregates, voice)]),
    ...section(say("evidence"), step, [
      list(
        sources.map(({ title, publisher, period, licence, url, reliability: grade }) =>
          [title, publisher, period, licence, url, say("reliability_of", { grade })].filter((part) => part).join(", "),
        ),
      ),
    ]),
  ];
};

const company: Presenter = (result, step, voice) => {
  const { say } = voice;
  const {
    company_name,
    target_audience,
    products_services,
    market: served,
    evidence = [],
    notes = [],
  } = result as CompanyIntelligenceOutput;
  const unsaid = say("not_said");
  return [
    ...section(say("found"), step, [
      table(
        say("profile"),
        ["", say("pages_say")],
        [
          [say("company"), company_name ?? unsaid],
          [say("audience"), target_audience ?? unsaid],
          [say("products"), products_services.join("; ") || unsaid],
          [say("market"), served ?? unsaid],
        ],
      ),
      list(notes.map(voice.own)),
    ]),
    ...section(say("evidence"), step, [
      table(
        say("page_words"),
        [say("for_field"), say("value"), say("words"), say("page")],
        evidence.map(({ field, value, excerpt, url }) => [field, value, excerpt, url]),
      ),
    ]),
  ];
};

const talent: Presenter = (result, step, voice) => {
  const { say } = voice;
  const { summary, dimensions, language, legal_requirements, limitations, question, red_flags, work_sample } =
    result as TalentOutput;
  return [
    ...section(say("found"), step, [
      paragraph(voice.foreign(language)),
      paragraph(summary),
      paragraph(question ?? ""),
      table(
        say("competences"),
        [say("dimension"), say("weight"), say("seen"), say("against")],
        dimensions.map(({ title, weight, behaviours, red_flag }) => [
          ...[title, voice.percent(weight / 100), behaviours.join("; "), red_flag],
        ]),
      ),
      list(dimensions.flatMap(({ questions }) => questions.map((asked) => asked.question))),
      paragraph(work_sample ?? ""),
      list(
        red_flags.map(
          ({ excerpt, warning, lawful_wording: wording }) => `${excerpt}: ${warning} ${say("lawful", { wording })}`,
        ),
      ),
    ]),
    ...section(say("evidence"), step, [
      paragraph(voice.foreign(language)),
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

const presenters: Readonly<Record<string, Presenter>> = {
  "insurance-assistant": insurance,
  "market-validator": validation,
  "afa-assurance": assurance,
  "exa-filter": exa,
  "eu-market-data": market,
  "company-intelligence": company,
  "talent-intelligence": talent,
};

/**
 * Renders any other result member by member: one of a firm's own capability, whose schema is unknown here, or of a step
 * that exists for a report. Without the report, which is paid for, the data alone is rendered.
 */
const plain: Presenter = (result, step, voice) => {
  const { say } = voice;
  const members = Object.entries(typeof result === "object" && result !== null ? result : { result });
  const rows = members.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  return section(say("found"), step, [table(say("result"), [say("member"), say("value")], rows)]);
};

/** Returns the findings and evidence of a succeeded step. */
export const findingsOf = (capability: string, step: string, result: unknown, voice: Voice): Section[] =>
  (presenters[capability] ?? plain)(result, step, voice);
