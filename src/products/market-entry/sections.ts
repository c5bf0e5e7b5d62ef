import type { MarketValidatorOutput } from "../capabilities/market-validator/schema.ts";
import { countryName } from "../datasets/places.ts";
import { type Block, list, paragraph, type Section, section, table, written } from "../documents/document.ts";
import type { MarketScore, StructureFigure, StructureOutput, TargetsOutput } from "./schema.ts";
import { weights } from "./scoring.ts";

/** What the pack's own steps found, as sections of a document. A section says which step everything in it is from. */

const place = (country: string): string => countryName(country, "en");

const bars = (caption: string, all: readonly { label: string; value: number; shown: string }[]): Block => ({
  ...{ kind: "bars", caption, bars: [...all] },
});

const figureCells = ({ title, value, unit, period, source, reliability }: StructureFigure): string[] => [
  ...[title, value === null ? "not held" : written(value), unit, period, source.publisher, reliability],
];

const cellOf = ({ value, points, period }: MarketScore["parts"][number]): string =>
  value === null ? "no figure: 0 points" : `${written(value)} (${period}): ${written(points)}`;

/** How the candidates compare: each figure with its points, and the weights that decide them. */
export function scoreSections({ scores }: Pick<StructureOutput, "scores">, step: string): Section[] {
  const columns = scores[0]?.parts.map(({ title, weight, unit }) => `${title}, ${unit || "no unit"} (${weight})`) ?? [];
  return section("How the candidate markets compare", step, [
    bars(
      "Points out of 100",
      scores.map(({ country, score }) => ({ label: place(country), value: score, shown: written(score) })),
    ),
    table(
      "Figures with their periods, and the points for each; the most that an indicator gives is in its heading",
      ["Market", ...columns, "Points"],
      scores.map(({ country, parts, score }) => [place(country), ...parts.map(cellOf), written(score)]),
    ),
    paragraph(
      `Weights: ${weights.map(({ title, weight, better }) => `${title} ${weight} (${better} is better)`).join(", ")}. An indicator's points are its weight times the value over the best candidate's, or the best over the value where lower is better. The weights are a choice, not a measurement.`,
    ),
  ]);
}

/** Bars only of what counts the same thing at one time. */
function channelBars(country: string, channels: readonly StructureFigure[]): Block[] {
  const groups = [...Map.groupBy(channels, ({ unit, period }) => `${unit}\n${period}`).values()];
  return groups.flatMap((group) => {
    const [first] = group;
    if (!first || group.length < 2) return [];
    const all = group.map(({ title, value }) => ({ label: title, value: value ?? 0, shown: written(value ?? 0) }));
    return [bars(`Who sells in ${place(country)}, ${first.unit}, ${first.period}`, all)];
  });
}

/** The size and the channels of the best markets. */
export const structureSections = ({ markets, sources }: StructureOutput, step: string): Section[] => [
  ...markets.flatMap(({ country, size, channels, missing }) =>
    section(`Structure of ${place(country)}`, step, [
      table("Size", ["Figure", "Value", "Unit", "Period", "Source", "Reliability"], size.map(figureCells)),
      table("Channels", ["Figure", "Value", "Unit", "Period", "Source", "Reliability"], channels.map(figureCells)),
      ...channelBars(country, channels),
      list(missing),
    ]),
  ),
  ...section("Sources of the structure", step, [
    list(
      sources.map(({ title, publisher, period, url, reliability }) =>
        [title, publisher, period, url, `reliability ${reliability}`].filter((part) => part).join(", "),
      ),
    ),
  ]),
];

/** The verdict on the value proposition in the market that it was tested in. */
export function testSections(
  { verdict, confidence, result_reference }: MarketValidatorOutput,
  market: string,
  step: string,
): Section[] {
  const sure = confidence == null ? "" : ` with a confidence of ${written(confidence)}`;
  return section("Proposition test", step, [
    paragraph(`Fifty simulated personas of ${place(market)} were asked about the value proposition at the depth XL.`),
    paragraph(verdict ? `Verdict: ${verdict}${sure}.` : "The test came to no verdict."),
    paragraph(`Interval, segments, prices and objections: ${result_reference}`),
    paragraph("It is a simulation for ranking ideas, no forecast of sales."),
  ]);
}

/** The targets that a person approved. */
export function targetSections(
  { targets, found, wanted, searched, read_as, notes }: TargetsOutput,
  step: string,
): Section[] {
  const rows = targets.map(({ name, city, country, sector, persons, website, reasons, reliability }) => [
    ...[name, city ?? place(country), sector ?? "", persons === null ? "" : String(persons), website ?? ""],
    ...[reasons.map(({ words, field, value }) => `"${words}": ${field} ${value}`).join("; "), reliability],
  ]);
  return section("Qualified targets", step, [
    paragraph(
      `${targets.length} targets were approved, of ${found} that were found and ${wanted} that were wanted. ${searched.rows} rows were compared with the ICP; ${searched.outside} are outside it.`,
    ),
    list(read_as.map((demand) => `The ICP was read as ${demand}`)),
    table("Targets", ["Name", "Place", "Sector", "Persons", "Website", "Why: words of the ICP", "Reliability"], rows),
    list([...searched.reasons, ...notes]),
  ]);
}
