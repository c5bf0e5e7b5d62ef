import { written } from "../../datasets/figures.ts";
import { countryName } from "../../datasets/places.ts";
import { type AnswerLanguage, answerLanguages } from "../../datasets/question-language.ts";
import type { ConceptAnswer } from "./answer.ts";
import { type AskedQuestion, nothingElse } from "./question.ts";
import type { CountryAggregate } from "./schema.ts";
import { texts } from "./texts.ts";
import { titleOf, unitIn } from "./titles.ts";

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** Returns the names of places, as a list for a sentence. */
const named = (countries: readonly string[], language: AnswerLanguage): string =>
  countries.map((country) => countryName(country, language)).join(", ");

/** Returns `Population, persons, 2024: Germany 83,510,950; France 68,287,487.` Differing units follow each value. */
function values(title: string, all: readonly CountryAggregate[], language: AnswerLanguage): string {
  const [units, periods] = [
    distinct(all.map(({ unit }) => unitIn(unit, language))),
    distinct(all.map(({ period }) => period)),
  ];
  const head = [title, ...(units.length === 1 ? units : []), ...(periods.length === 1 ? periods : [])].join(", ");
  const shown = all.map(({ country, value, unit, period }) => {
    const number = written(value ?? 0, language);
    const more = [...(units.length > 1 ? [unitIn(unit, language)] : []), ...(periods.length > 1 ? [period] : [])].join(
      ", ",
    );
    return `${countryName(country, language)} ${number}${more === "" ? "" : ` (${more})`}`;
  });
  return `${head}: ${shown.join("; ")}.`;
}

/** Returns which of them ranks first, if they can be compared at all. */
function first(all: readonly CountryAggregate[], { language, lowestFirst }: AskedQuestion): string[] {
  const comparable = all.filter(({ rank }) => rank !== null);
  if (comparable.length < 2 || comparable.length < all.filter(({ country }) => country !== "EU").length) return [];
  const ranks = comparable.map(({ rank }) => rank ?? 0);
  const wanted = lowestFirst ? Math.max(...ranks) : 1;
  const winners = comparable.filter(({ rank }) => rank === wanted).map(({ country }) => country);
  const { highest, lowest } = texts[language];
  return [(lowestFirst ? lowest : highest)(named(winners, language))];
}

/** Returns what changed since an earlier period. */
function changes(all: readonly CountryAggregate[], language: AnswerLanguage): string[] {
  return all.flatMap((one) => {
    if (one.compared_period === null) return [];
    const then = all.find(({ country, period }) => country === one.country && period === one.compared_period);
    if (!then) return [];
    const [before, now] = [then, one].map(({ value }) => written(value ?? 0, language));
    const percent = one.growth_percent === null ? null : written(one.growth_percent, language);
    return [
      texts[language].changed(
        countryName(one.country, language),
        then.period,
        before ?? "",
        one.period,
        now ?? "",
        percent,
      ),
    ];
  });
}

/** Returns what a reader has to know before comparing. */
function cautions(all: readonly CountryAggregate[], language: AnswerLanguage): string[] {
  const { vintages, units, breaks, estimated, unsure, disputed } = texts[language];
  const flagged = (pattern: RegExp): boolean => all.some(({ flags }) => flags.some((flag) => pattern.test(flag)));
  const differ = (of: (one: CountryAggregate) => string): boolean => distinct(all.map(of)).length > 1;
  return [
    ...(differ(({ period }) => period) ? [vintages] : []),
    ...(differ(({ unit, source }) => `${unit} ${source.publisher}`) ? [units] : []),
    ...(flagged(/^[bd]$/) ? [breaks] : []),
    ...(flagged(/^[ef]$/) ? [estimated] : []),
    ...(flagged(/^u$/) ? [unsure] : []),
    ...(all.some((one) => one.disputed) ? [disputed] : []),
  ];
}

/** The parts of a concept's answer that a summary uses. */
type SummedUp = Pick<ConceptAnswer, "concept" | "aggregates" | "missing" | "otherPeriods" | "noYears" | "otherUnits">;

function sentences(
  asked: AskedQuestion,
  { concept, aggregates, missing, otherPeriods, noYears, otherUnits }: SummedUp,
): string[] {
  const { language, period } = asked;
  const said = texts[language];
  const title = titleOf(concept, language);
  const starts = new Set(
    aggregates
      .filter(({ compared_period }) => compared_period !== null)
      .map(({ country, compared_period }) => `${country} ${compared_period}`),
  );
  const newest = period.change ? aggregates.filter((one) => !starts.has(`${one.country} ${one.period}`)) : aggregates;
  const isAlone = ({ country, compared_period }: CountryAggregate): boolean =>
    compared_period === null && !noYears.some((one) => one.country === country);
  const lone = period.change ? newest.filter(isAlone).map(({ country }) => country) : [];
  return [
    ...(newest.length > 0 ? [values(title, newest, language), ...first(newest, asked)] : []),
    ...(period.change ? changes(aggregates, language) : []),
    ...(lone.length > 0 ? [said.noChange(title, lone.length < newest.length ? named(lone, language) : "")] : []),
    ...otherUnits.map(({ unit, countries }) => said.otherUnit(unit[language], title, named(countries, language))),
    ...cautions(newest, language),
    ...(otherPeriods.length > 0
      ? [said.otherPeriod(title, named(otherPeriods, language), period.from ?? period.to)]
      : []),
    ...[...Map.groupBy(noYears, ({ year }) => year)].map(([year, all]) =>
      said.noYear(
        title,
        named(
          all.map(({ country }) => country),
          language,
        ),
        year,
      ),
    ),
    ...(missing.length > 0 ? [said.missing(title, named(missing, language))] : []),
  ];
}

/** Returns the summary in the question's language. Its figures are all aggregates; what is missing is named. */
export function summaryOf(asked: AskedQuestion, answers: readonly SummedUp[]): string {
  const said = texts[asked.language];
  const topics = asked.topics.map((topic) => said.noTopic(topic[asked.language]));
  const perHead = asked.notPerHead.map((concept) => said.notPerHead(titleOf(concept, asked.language)));
  const found = answers.flatMap((one) => sentences(asked, one));
  const parts = asked.regions.map((region) => region[asked.language]).join(", ");
  const national = parts === "" ? [] : [said.national(parts)];
  const people = asked.peopleBy.length > 0 ? [said.peopleBy(asked.peopleBy.join(", "))] : [];
  const denied = asked.denied.map(found.length > 0 ? said.leftOut : said.denied);
  const all = [...found, ...perHead, ...people, ...topics, ...denied];
  const isUnread = found.length > 0 && asked.unread.length > 0;
  const unread = isUnread ? [said.unread(asked.unread.join(", "))] : [];
  const computed = found.length > 0 && asked.isComputed ? [said.notComputed] : [];
  // What the figures do not cover comes before them.
  return [...unread, ...(all.length > 0 ? all : [said.nothing]), ...computed, ...national].join(" ");
}

const isGap = ({ value }: CountryAggregate): boolean => value === null;

/** Returns a summary of figures alone, as for a question in that language. */
function summaryOfFigures(
  aggregates: readonly CountryAggregate[],
  asked: Pick<AskedQuestion, "language" | "lowestFirst"> & { readonly change: boolean },
): string {
  const { change, ...rest } = asked;
  const countries = distinct(aggregates.map(({ country }) => country));
  const answers = [...Map.groupBy(aggregates, ({ indicator }) => indicator)].map(([concept, all]) => {
    const [gaps, held] = [all.filter(isGap), all.filter((one) => !isGap(one))];
    const isShown = ({ country }: CountryAggregate): boolean => held.some((one) => one.country === country);
    const otherPeriods = distinct(gaps.filter((one) => !isShown(one)).map(({ country }) => country));
    const noYears = gaps.filter(isShown).map(({ country, period: year }) => ({ country, year }));
    const missing = countries.filter((country) => !all.some((one) => one.country === country));
    return { concept, aggregates: held, otherPeriods, noYears, otherUnits: [], missing };
  });
  const from = aggregates.find(isGap)?.period ?? null;
  return summaryOf({ ...nothingElse, ...rest, concepts: [], countries, period: { from, to: null, change } }, answers);
}

/**
 * Returns a stored summary in another language, from its own figures; null if it says more than these. Documents use
 * it, and only if the same way reproduces the stored summary exactly.
 */
export function summaryIn(
  language: AnswerLanguage,
  summary: string,
  aggregates: readonly CountryAggregate[],
): string | null {
  const [first] = aggregates;
  for (const told of answerLanguages) {
    if (!first || !summary.startsWith(titleOf(first.indicator, told))) continue;
    for (const lowestFirst of [false, true])
      for (const change of [true, false])
        if (summaryOfFigures(aggregates, { language: told, lowestFirst, change }) === summary)
          return summaryOfFigures(aggregates, { language, lowestFirst, change });
  }
  return null;
}
