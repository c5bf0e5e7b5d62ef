import { html, type Markup } from "../../accounts/pages/html.ts";
import type { Report } from "../../products/validator/report.ts";
import type { ValidationResult } from "../../products/validator/schema.ts";
import type { StudiedPerson } from "../../products/validator/service.ts";
import { filled } from "../../products/validator/texts.ts";
import { answersPlot, ladderPlot } from "./plots.ts";
import type { ConsoleWords } from "./words.ts";

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const rows = (pairs: readonly (readonly [string, string])[]): Markup =>
  html`<table><tbody>${pairs.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table>`;

const part = (title: string, content: Markup | false | undefined): Markup =>
  content ? html`<section><h2>${title}</h2>${content}</section>` : html``;

function priceSection({ price }: Report, words: ConsoleWords): Markup | undefined {
  if (!price) return undefined;
  const { best, van_westendorp: points } = price;
  const range = points && {
    from: points.marginal_cheapness,
    to: points.marginal_expensiveness,
    optimal: points.optimal,
  };
  return html`${ladderPlot(price.ladder, words.ladder, words.ladder_axis)}
${best !== null && html`<p>${filled(words.best, { price: best })}</p>`}
${range !== null && html`<p>${filled(words.westendorp, range)}</p>`}`;
}

function furtherSections({ sensitivity, red_team, alternatives }: Report, words: ConsoleWords): Markup {
  const told = sensitivity && {
    low: percent(sensitivity.low),
    high: percent(sensitivity.high),
    same: percent(sensitivity.same_verdict),
  };
  return html`${told !== null && html`<p>${filled(words.sensitivity, told)}</p>`}
${red_team !== null && html`<p>${filled(words.red_team, { intent: percent(red_team.intent) })}</p>`}
${
  alternatives.length > 0 &&
  part(words.alternatives, rows(alternatives.map(({ name, intent }) => [name, percent(intent)])))
}`;
}

const cardSection = ({ card, market }: Report, words: ConsoleWords): Markup => html`<p><strong>${card.note}</strong></p>
<p>${filled(words.share, { share: percent(market.share), market: market.code })}</p>
${rows([
  [words.engine, [card.engine.name, card.engine.version, card.engine.model ?? ""].join(" ").trim()],
  [words.seed, card.seed],
])}
<h3>${words.inputs}</h3>
${rows(card.inputs.map(({ name, vintage, status, source }) => [name, `${status} · ${vintage} · ${source}`]))}`;

function reportSections(report: Report, size: string, words: ConsoleWords): Markup {
  const { interval, threshold, intent, condition, segments, objections } = report;
  return html`${rows([
    [words.interval, `${percent(interval.low)} – ${percent(interval.high)} (${percent(intent)})`],
    [filled(words.threshold, { size }), percent(threshold)],
  ])}
${part(words.answers, answersPlot(report.distribution, words.answers, words.answers_axis))}
${part(words.ladder, priceSection(report, words))}
${part(words.condition, condition !== null && html`<p>${condition.text}</p>`)}
${furtherSections(report, words)}
${part(words.segments, segments.length > 0 && rows(segments.map(({ label, intent: share, personas }) => [label, `${percent(share)} (${personas})`])))}
${part(words.objections, objections.length > 0 && rows(objections.map(({ label, share }) => [label, percent(share)])))}
${part(words.card, cardSection(report, words))}`;
}

/** The answers of an imported study, which has no report of ours. */
function countsOf(people: readonly StudiedPerson[]): number[] {
  const counts = new Array<number>(11).fill(0);
  for (const { juster } of people) counts[Math.round(juster)] = (counts[Math.round(juster)] ?? 0) + 1;
  return counts;
}

const peopleSection = (people: readonly StudiedPerson[]): Markup =>
  html`<ul>${people.map(({ role, bio, answer }) => html`<li><strong>${role}</strong>: ${bio} <q>${answer}</q></li>`)}</ul>`;

/** What a study's page shows. `people`: none for a trial, which shows no persona. */
export function validationContent(
  result: ValidationResult,
  hypothesis: string,
  people: readonly StudiedPerson[],
  words: ConsoleWords,
): Markup {
  const { status, progress, verdict, confidence, summary, error, report, decision_size } = result;
  const sure = confidence === null ? "" : ` · ${words.confidence} ${percent(confidence)}`;
  return html`<section><h2>${words.hypothesis}</h2><p>${hypothesis}</p></section>
${status === "running" && html`<p role="status">${filled(words.running, progress)}</p>`}
${error !== null && html`<p role="alert">${words.failed} ${error.message} (${error.code})</p>`}
${verdict !== null && html`<section><h2>${words.verdict}</h2><p><strong>${verdict}</strong>${sure}</p><p>${summary ?? ""}</p></section>`}
${report !== null && reportSections(report, decision_size, words)}
${report === null && people.length > 0 && part(words.answers, answersPlot(countsOf(people), words.answers, words.answers_axis))}
${people.length > 0 && part(words.people, peopleSection(people))}`;
}
