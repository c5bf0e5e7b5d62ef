import { written } from "../../datasets/figures.ts";
import { countryName } from "../../datasets/places.ts";
import type { AnswerLanguage } from "../../datasets/question-language.ts";
import type { ConceptAnswer } from "./answer.ts";
import { titleOf, unitIn } from "./titles.ts";

const width = 640;
const barHeight = 22;
const names = 150;
const numbers = 150;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const label = (x: number, y: number, text: string, more = ""): string =>
  `<text x="${x}" y="${y}" font-family="sans-serif" font-size="13"${more}>${escaped(text)}</text>`;

/**
 * Returns a bar chart of the first comparison of an answer, as an SVG without scripts or links; undefined if nothing
 * can be compared. Bars begin at zero, and a negative value has none.
 */
export function chartOf(answers: readonly ConceptAnswer[], language: AnswerLanguage): string | undefined {
  const compared = answers
    .map(({ concept, aggregates }) => ({ concept, bars: aggregates.filter(({ rank }) => rank !== null) }))
    .find(({ bars }) => bars.length > 1);
  const [head] = compared?.bars ?? [];
  if (!compared || !head) return undefined;
  const bars = compared.bars.filter(({ unit, period }) => unit === head.unit && period === head.period);
  const most = Math.max(...bars.map(({ value }) => value ?? 0), Number.MIN_VALUE);
  const title = `${titleOf(compared.concept, language)}, ${unitIn(head.unit, language)}, ${head.period}`;
  const rows = bars.map(({ country, value }, i) => {
    const y = 34 + i * barHeight;
    const length = Math.max(0, ((value ?? 0) / most) * (width - names - numbers));
    return [
      label(names - 8, y + 15, countryName(country, language), ' text-anchor="end"'),
      `<rect x="${names}" y="${y + 3}" width="${length.toFixed(1)}" height="${barHeight - 6}" fill="#2a5d8f"/>`,
      label(names + 6 + Number(length.toFixed(1)), y + 15, written(value ?? 0, language)),
    ].join("");
  });
  const height = 44 + bars.length * barHeight;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`;
  return `${open}<rect width="${width}" height="${height}" fill="#fff"/>${label(8, 20, title, ' font-weight="bold"')}${rows.join("")}</svg>`;
}
