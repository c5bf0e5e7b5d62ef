import type { MarketValidatorOutput } from "../capabilities/market-validator/schema.ts";
import { graded } from "../documents/aggregates.ts";
import { type Block, list, paragraph, type Section, section, table } from "../documents/document.ts";
import type { Voice } from "../documents/voice.ts";
import { writtenIn } from "../documents/written-in.ts";
import type { MarketScore, StructureFigure, StructureOutput, TargetsOutput } from "./schema.ts";
import { weights } from "./scoring.ts";

/** Renders the results of the pack's own steps as document sections. Each section names the step it comes from. */

const bars = (caption: string, all: readonly { label: string; value: number; shown: string }[]): Block => ({
  ...{ kind: "bars", caption, bars: [...all] },
});

function figuresTable(caption: string, figures: readonly StructureFigure[], { say, ...voice }: Voice): Block {
  const columns = [say("figure"), say("value"), say("unit"), say("period"), say("source"), say("reliability")];
  const cells = ({ indicator, title, value, unit, period, source, ...figure }: StructureFigure): string[] => [
    ...[voice.indicator(indicator, title), value === null ? say("not_held") : voice.number(value)],
    ...[voice.unit(unit), period, source.publisher, graded(figure)],
  ];
  return table(caption, columns, figures.map(cells));
}

const cellOf = ({ value, points, period }: MarketScore["parts"][number], { say, number }: Voice): string =>
  value === null ? say("no_figure") : `${number(value)} (${period}): ${number(points)}`;

/** Returns the comparison of the candidates: each figure with its points, and the weights. */
export function scoreSections({ scores }: Pick<StructureOutput, "scores">, step: string, voice: Voice): Section[] {
  const { say, number, country: place } = voice;
  const named = ({ indicator, title }: { indicator: string; title: string }) => voice.indicator(indicator, title);
  const columns =
    scores[0]?.parts.map((part) => `${named(part)}, ${voice.unit(part.unit) || say("no_unit")} (${part.weight})`) ?? [];
  const weighed = weights.map((one) => `${named(one)} ${one.weight} (${say(one.better)})`).join(", ");
  return section(say("compare"), step, [
    bars(
      say("points_of"),
      scores.map(({ country, score }) => ({ label: place(country), value: score, shown: number(score) })),
    ),
    table(
      say("figures_with_points"),
      [say("market"), ...columns, say("points")],
      scores.map(({ country, parts, score }) => [
        ...[place(country), ...parts.map((part) => cellOf(part, voice)), number(score)],
      ]),
    ),
    paragraph(say("weights", { weights: weighed })),
  ]);
}

/** Words in a title for a total of all sellers. */
const everybody = /\b(?:all|total|intermediar(?:y|ies)|insgesamt|gesamt|celkem|celkom|spolu)\b/i;

/** Removes the figure that is the total of the others, which would look like one more of them. */
function withoutTotal(group: readonly StructureFigure[]): readonly StructureFigure[] {
  const [most, ...others] = group.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const sum = others.reduce((total, { value }) => total + (value ?? 0), 0);
  const isTotal =
    (most?.value === sum && others.length > 1) || (everybody.test(most?.title ?? "") && (most?.value ?? 0) >= sum);
  return isTotal ? group.filter((one) => one !== most) : group;
}

/** Returns bar charts only of figures with the same unit and period. */
function channelBars(country: string, channels: readonly StructureFigure[], voice: Voice): Block[] {
  const groups = [...Map.groupBy(channels, ({ unit, period }) => `${unit}\n${period}`).values()];
  return groups.map(withoutTotal).flatMap((group) => {
    const [first] = group;
    if (!first || group.length < 2) return [];
    const all = group.map(({ indicator, title, value }) => ({
      label: voice.indicator(indicator, title),
      value: value ?? 0,
      shown: voice.number(value ?? 0),
    }));
    const about = { country: voice.country(country), unit: voice.unit(first.unit), period: first.period };
    return [bars(voice.say("who_sells", about), all)];
  });
}

/** Returns the size and the channels of the best markets. */
export function structureSections({ markets, sources }: StructureOutput, step: string, voice: Voice): Section[] {
  const { say } = voice;
  const structures = markets.flatMap(({ country, size, channels }) =>
    section(say("structure_of", { country: voice.country(country) }), step, [
      figuresTable(say("size"), size, voice),
      figuresTable(say("channels"), channels, voice),
      ...channelBars(country, channels, voice),
      list([...(size.length === 0 ? [say("no_size")] : []), ...(channels.length === 0 ? [say("no_channels")] : [])]),
    ]),
  );
  const listed = sources.map(({ title, publisher, period, url, reliability: grade }) =>
    [title, publisher, period, url, say("reliability_of", { grade })].filter((part) => part).join(", "),
  );
  return [...structures, ...section(say("structure_sources"), step, [list(listed)])];
}

/** Returns the verdict on the value proposition in the tested market, with its limits. */
export function testSections(
  { verdict, confidence, result_reference, notes = [] }: MarketValidatorOutput,
  market: string,
  step: string,
  { say, ...voice }: Voice,
): Section[] {
  const sure = confidence == null ? "" : ` ${say("confidence", { share: voice.percent(confidence) })}`;
  return section(say("test"), step, [
    paragraph(say("test_asked", { country: voice.country(market) })),
    paragraph(verdict ? `${say("verdict", { verdict: voice.term(verdict) })}${sure}` : say("test_no_verdict")),
    paragraph(writtenIn(notes.join(" "), voice)),
    list(notes),
    paragraph(say("test_reference", { reference: result_reference })),
    paragraph(say("test_limits")),
  ]);
}

/** Returns the targets that a person approved. */
export function targetSections(
  { targets, found, wanted, searched, read_as, notes }: TargetsOutput,
  step: string,
  { say, ...voice }: Voice,
): Section[] {
  const rows = targets.map(({ name, city, country, sector, persons, website, reasons, reliability }) => [
    ...[name, city ?? voice.country(country), sector ?? "", persons === null ? "" : String(persons), website ?? ""],
    ...[reasons.map(({ words, field, value }) => `"${words}": ${voice.term(field)} ${value}`).join("; "), reliability],
  ]);
  const columns = [say("name"), say("place"), say("sector"), say("persons"), say("website"), say("icp_words")];
  const compared = { rows: voice.number(searched.rows), outside: voice.number(searched.outside) };
  return section(say("qualified"), step, [
    paragraph(
      `${say("targets_approved", { approved: targets.length, found, wanted })} ${say("rows_compared", compared)}`,
    ),
    list(read_as.map((demand) => say("read_as", { demand: voice.term(demand) }))),
    table(say("targets"), [...columns, say("reliability")], rows),
    list([...searched.reasons, ...notes].map(voice.own)),
  ]);
}
