import type { Datasets, DatasetVersion } from "../../../../db/datasets.ts";
import { type Engine, EngineError } from "../../../contracts/engine.ts";
import { written } from "../../datasets/figures.ts";
import { Phrases, wordsOf } from "../../datasets/phrases.ts";
import { type AnswerLanguage, languageOf } from "../../datasets/question-language.ts";
import { type AskedPeriod, periodIn } from "../../datasets/question-period.ts";
import breakdownsText from "./breakdowns.tsv" with { type: "text" };
import type { DistributionIntelligenceInput, DistributionIntelligenceOutput, GroupAggregate } from "./schema.ts";
import { datasetNames, dimensionNaming, figuresAt, type Held, heldIn } from "./tables.ts";
import termsText from "./terms.tsv" with { type: "text" };
import { texts } from "./texts.ts";

const terms = new Phrases(termsText);
const breakdowns = new Phrases(breakdownsText);
const persons = new Phrases(
  "persons\twho is|who are|contact*|phone*|e mail|email*|kdo je|kdo jsou|kontakt*|telefon*|wer ist|named",
);

interface Asked {
  readonly words: readonly string[];
  readonly language: AnswerLanguage;
  readonly codes: ReadonlySet<string>;
  readonly dimensions: readonly string[];
  readonly period: AskedPeriod;
  readonly persons: boolean;
}

function understand(question: string, now: Date): Asked {
  const words = wordsOf(question);
  return {
    words,
    language: languageOf(question),
    codes: new Set(terms.in(words).map(({ entry }) => entry)),
    dimensions: [...new Set(breakdowns.in(words).map(({ entry }) => entry))],
    period: periodIn(words, now),
    persons: persons.in(words).length > 0,
  };
}

/** The newest period that was asked for, and the earlier one of a change. */
function periodsFor(held: Held, { from, to, change }: AskedPeriod): string[] {
  const all = held.table.periods(held.indicator.id);
  const until = all.filter((period) => to === null || period.slice(0, 4) <= to);
  const asked = change || from === null ? until : until.filter((period) => period.startsWith(from));
  const last = asked.at(-1);
  const first = change && from !== null ? all.find((period) => period.startsWith(from)) : undefined;
  return [...new Set([...(first === undefined ? [] : [first]), ...(last === undefined ? [] : [last])])];
}

function sentence({ indicator }: Held, all: readonly GroupAggregate[], language: Asked["language"]): string[] {
  const said = texts[language];
  if (all.length > 0 && all.every(({ suppressed }) => suppressed)) return [said.withheld(indicator.title)];
  const shown = all.filter(({ suppressed }) => !suppressed);
  const values = shown.map(({ group, period, value }) => {
    const number = value === null ? ":" : written(value, language);
    return `${group ?? said.whole} ${number} (${period})`;
  });
  const hidden = [...new Set(all.flatMap(({ suppressed, group }) => (suppressed && group !== null ? [group] : [])))];
  return [
    ...(values.length > 0 ? [`${indicator.title}, ${indicator.unit}: ${values.join("; ")}.`] : []),
    ...(hidden.length > 0 ? [said.suppressed(hidden.join(", "))] : []),
  ];
}

/** Figures and sentences for one indicator. Who asks about one group is shown it among the others of its dimension. */
function answered(all: readonly Held[], held: Held, { words, period, dimensions, language }: Asked) {
  const periods = periodsFor(held, period);
  const [dimension = dimensionNaming(held, periods.at(-1) ?? "", words)] = dimensions;
  const said = texts[language];
  const aggregates = periods.flatMap((at) => figuresAt(all, held, at, dimension));
  const isGrouped = aggregates.some(({ group }) => group !== null);
  // A change since a year without a figure is none: the newest figure alone must not pass for it.
  const { from } = period;
  const isThere = from === null || aggregates.some((one) => one.period.startsWith(from));
  return {
    aggregates,
    said: [
      ...sentence(held, aggregates, language),
      ...(aggregates.length === 0 || !isThere ? [said.otherPeriod(held.indicator.title)] : []),
      ...(dimension !== null && aggregates.length > 0 && !isGrouped ? [said.noGroups(held.indicator.title)] : []),
    ],
  };
}

function answer(
  version: DatasetVersion,
  { question, dataset }: DistributionIntelligenceInput,
  now: Date,
): DistributionIntelligenceOutput {
  const all = heldIn(version, dataset);
  if (all.length === 0) {
    const names = datasetNames(version).join(", ");
    throw new EngineError("dataset_unknown", `There is no dataset of that name. There are: ${names}.`, false);
  }
  const asked = understand(question, now);
  const said = texts[asked.language];
  const wanted = all.filter(({ indicator }) => asked.codes.has(indicator.code));
  const answers = wanted.map((held) => answered(all, held, asked));
  const titles = [...new Set(all.map(({ indicator }) => indicator.title))].join("; ");
  const sentences = [
    ...answers.flatMap((one) => one.said),
    ...(wanted.length === 0 ? [said.none(titles)] : []),
    ...(asked.dimensions.length > 1 ? [said.crossed] : []),
    ...(asked.persons ? [said.persons] : []),
  ];
  return {
    summary: sentences.join(" "),
    aggregates: answers.flatMap(({ aggregates }) => aggregates),
    result_reference: `distribution/${version.number}/${dataset}`,
  };
}

/**
 * The embedded engine: aggregates of one dataset, small groups withheld. Deterministic for one version of the data.
 * Throws `dataset_unknown` and `dataset_too_fine`, and where the rows of a version can't be read.
 */
export const distributionIntelligenceEngine = (
  datasets: Datasets,
): Engine<DistributionIntelligenceInput, DistributionIntelligenceOutput> => ({
  identity: { name: "distribution-intelligence", version: "1.0.0", model: null },
  ready: () => null,
  run: async (input, { now }) => ({ result: answer(await datasets.current("distribution"), input, now()) }),
});
