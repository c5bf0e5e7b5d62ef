import type { Datasets, DatasetVersion } from "../../../../db/datasets.ts";
import { type Engine, EngineError } from "../../../contracts/engine.ts";
import { withoutDenied } from "./denied.ts";
import { type Asked, understand } from "./question.ts";
import type { DistributionIntelligenceInput, DistributionIntelligenceOutput, GroupAggregate } from "./schema.ts";
import { remarks, sentence } from "./sentences.ts";
import { datasetNames, figuresAt, groupLines, type Held, hasGroups, heldIn } from "./tables.ts";
import { texts } from "./texts.ts";
import { type Wanted, wantedOf } from "./wanted.ts";

/** Maximum number of periods shown of a series, the newest. A daily one has thousands. */
const mostPeriods = 60;

const isOverTime = ({ named }: Asked): boolean => named.some(({ kind, entry }) => kind === "by" && entry === "period");

/** Returns the newest requested period, and the earlier one for a change; all of them if they are asked for. */
function periodsFor(held: Held, asked: Asked): string[] {
  const { from, to, change, needsStart } = asked.period;
  const all = held.table
    .periods(held.indicator.id)
    .filter((period) => asked.part === null || period.slice(5).startsWith(asked.part));
  const within = all.filter((period) => (to === null || period.slice(0, 4) <= to) && (from === null || period >= from));
  if (isOverTime(asked)) return within.slice(-mostPeriods);
  const last = within.at(-1);
  if (last === undefined) return [];
  // The change in one year is measured from the last figure before it.
  const before = from !== null && from === to ? all.findLast((period) => period < from) : undefined;
  const isStart = (period: string): boolean => needsStart === undefined || from === null || period.startsWith(from);
  const first = change ? (before ?? within.find(isStart)) : undefined;
  return [...new Set([...(first === undefined ? [] : [first]), last])];
}

/** Returns remarks on requested periods without a figure. */
function onPeriods({ indicator: { title } }: Held, asked: Asked, aggregates: readonly GroupAggregate[]): string[] {
  const said = texts[asked.language];
  if (aggregates.length === 0) return [said.otherPeriod(title)];
  const { from, to, change, needsStart } = asked.period;
  const isThere = (year: string): boolean => aggregates.some(({ period }) => period.startsWith(year));
  // A change since a year without a figure is none: the newest figure alone must not pass for it.
  if (needsStart && from !== null && !isThere(from)) return [said.otherPeriod(title)];
  const ends = change || isOverTime(asked) ? [from, to] : [];
  const none = [...new Set(ends)].flatMap((year) => (year === null || isThere(year) ? [] : [year]));
  const asksChange = change && (from === to || from === null || needsStart === true);
  const isOne = new Set(aggregates.map(({ period }) => period)).size === 1;
  return [
    ...none.map((year) => said.noYear(title, year)),
    ...(none.length === 0 && asksChange && isOne ? [said.noEarlier(title)] : []),
  ];
}

/** Returns the dimensions by which an indicator is divided: those asked for, and those whose groups are named. */
function dimensionsOf({ named }: Asked, { hasPart }: Wanted): string[] {
  const asked = named.flatMap(({ kind, entry }) => (kind === "by" || kind === "group" ? [entry] : []));
  return [
    ...new Set([...asked.filter((entry) => entry !== "period" && entry !== "change"), ...(hasPart ? ["region"] : [])]),
  ];
}

/** Returns figures and sentences for one indicator. A requested group is shown among the others of its dimension. */
function answered(all: readonly Held[], held: Held, asked: Asked, wanted: Wanted) {
  const periods = periodsFor(held, asked);
  const [dimension = null] = dimensionsOf(asked, wanted);
  const isGrouped = dimension !== null && periods.some((period) => hasGroups(held, period, dimension));
  const said = texts[asked.language];
  const aggregates = periods.flatMap((at) =>
    figuresAt(all, held, at, { dimension: isGrouped ? dimension : null, countries: wanted.countries }),
  );
  return {
    aggregates,
    said: [
      ...sentence(held.indicator, aggregates, asked.language),
      ...onPeriods(held, asked, aggregates),
      ...(dimension !== null && aggregates.length > 0 && !isGrouped ? [said.noGroups(held.indicator.title)] : []),
    ],
  };
}

/** Parses the question, including the names of the groups of what it asks for. */
function read(question: string, all: readonly Held[], now: Date): Asked {
  const alone = withoutDenied(understand(question, [], now));
  const { held } = wantedOf(alone, all);
  const groups = (held.length > 0 ? held : all).flatMap((one) =>
    groupLines(one, periodsFor(one, alone).at(-1) ?? one.indicator.last_period),
  );
  return groups.length === 0 ? alone : withoutDenied(understand(question, groups, now));
}

function answer(
  version: DatasetVersion,
  { question, dataset }: DistributionIntelligenceInput,
  now: Date,
): DistributionIntelligenceOutput {
  const all = heldIn(version, dataset);
  if (all.length === 0) {
    const names = datasetNames(version).join(", ");
    throw new EngineError(
      "dataset_unknown",
      `There is no dataset with that name. Available datasets: ${names}.`,
      false,
    );
  }
  const asked = read(question, all, now);
  const wanted = wantedOf(asked, all);
  const asksPerson = asked.named.some(({ kind }) => kind === "person");
  const answers =
    wanted.isRestricted || asksPerson ? [] : wanted.held.map((held) => answered(all, held, asked, wanted));
  const said = texts[asked.language];
  const sentences = [
    ...remarks(asked, wanted, all),
    ...answers.flatMap((one) => one.said),
    ...(answers.length > 0 && dimensionsOf(asked, wanted).length > 1 ? [said.crossed] : []),
    ...(asksPerson ? [said.persons] : []),
  ];
  return {
    summary: sentences.join(" "),
    aggregates: answers.flatMap(({ aggregates }) => aggregates),
    result_reference: `distribution/${version.number}/${dataset}`,
  };
}

/**
 * The embedded engine: aggregates of one dataset, with small groups withheld. Deterministic for one version of the
 * data. Throws `dataset_unknown`, `dataset_too_fine`, and an error if the rows of a version can't be read.
 */
export const distributionIntelligenceEngine = (
  datasets: Datasets,
): Engine<DistributionIntelligenceInput, DistributionIntelligenceOutput> => ({
  identity: { name: "distribution-intelligence", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input, { now }) => ({ result: answer(await datasets.current("distribution"), input, now()) }),
});
