import { BarChart } from "@mantine/charts";
import { List, Stack, Text } from "@mantine/core";
import { titleOf, unitIn } from "../../../../../../products/capabilities/eu-market-data/titles.ts";
import { useCountryName } from "../../../shared/country-name.ts";
import { useFormat } from "../../../shared/format.ts";
import { keyed } from "../../../shared/keyed.ts";
import { useOwnWords } from "../../../shared/own-words.ts";
import { Rows } from "../../../shared/rows.tsx";
import { useLanguage } from "../../../shared/words.ts";
import { useWords } from "../words.ts";
import { Outside, Part } from "./parts.tsx";
import type { ResultOf, ResultProps } from "./shapes.ts";

type Aggregate = ResultOf<"eu-market-data">["aggregates"][number];
type Source = NonNullable<ResultOf<"eu-market-data">["sources"]>[number];
/** A figure. `country` is absent in results about a single country. */
type Figure = Omit<Aggregate, "country" | "rank" | "change" | "growth_percent" | "compared_period"> &
  Partial<Pick<Aggregate, "country">>;

/**
 * Returns the data of a chart: figures in one unit, along countries or periods. Undefined if they can't be compared.
 */
function seriesOf(aggregates: readonly Aggregate[], countryName: (code: string) => string) {
  const [first] = aggregates;
  const alike = aggregates.filter(({ unit, value }) => unit === first?.unit && value !== null);
  const countries = new Set(alike.map(({ country }) => country));
  const periods = new Set(alike.map(({ period }) => period));
  if (!first || (countries.size > 1 && periods.size > 1) || alike.length < 2) return undefined;
  const byCountry = countries.size > 1;
  const points = byCountry ? alike : alike.toSorted((a, b) => a.period.localeCompare(b.period));
  return {
    unit: first.unit,
    points: points.map(({ country, period, value }) => ({
      name: byCountry ? countryName(country) : period,
      value: value ?? 0,
    })),
  };
}

/** Returns a function that names an indicator in the reader's language, by its id or else its English title. */
export function useIndicatorName(): (indicator: string, title: string) => string {
  const { language } = useLanguage();
  const { term } = useOwnWords();
  return (indicator, title) => {
    const known = titleOf(indicator, language);
    return known === indicator ? term(title) : known;
  };
}

/** Publishers' flags that have a name. */
const flags = ["b", "d", "e", "f", "p", "r", "u"] as const;

/** Returns a function that describes a figure's reliability: its label, and the publisher's flags. */
function useReliability(): (figure: Pick<Figure, "reliability" | "flags">) => string {
  const say = useWords();
  const named = (flag: string): string => {
    const known = flags.find((one) => one === flag);
    return known === undefined ? flag : say(`flag_${known}`);
  };
  return (figure) => [figure.reliability, ...figure.flags.map(named)].join(", ");
}

/** Formats a period. Those from one day to another have "to" between them. */
const periodOf = ({ period }: { readonly period: string }): string => period.replace(" to ", " – ");

interface FiguresProps<Shown extends Figure> {
  readonly figures: readonly Shown[];
  /** Heading of the first column. */
  readonly head: string;
  readonly nameOf: (figure: Shown) => string;
}

/** A table of figures, each with its period, unit and source. */
export function Figures<Shown extends Figure>({ figures, head, nameOf }: FiguresProps<Shown>) {
  const say = useWords();
  const { language } = useLanguage();
  const { term } = useOwnWords();
  const reliabilityOf = useReliability();
  const { number } = useFormat();
  return (
    <Rows
      label={head}
      isOneOfMany
      rows={keyed(figures)}
      keyOf={({ key }) => key}
      columns={[
        { name: head, cell: ({ item }) => nameOf(item) },
        { name: say("period"), cell: ({ item }) => <span className="nowrap">{periodOf(item)}</span> },
        {
          name: say("value"),
          isFigure: true,
          cell: ({ item: { value } }) => (value === null ? "–" : number(value)),
        },
        { name: say("unit"), cell: ({ item }) => unitIn(term(item.unit), language) },
        { name: say("reliability"), cell: ({ item }) => reliabilityOf(item) },
        {
          name: say("publisher"),
          cell: ({ item: { source } }) => <Outside url={source.url}>{source.publisher}</Outside>,
        },
      ]}
    />
  );
}

/** The sources of the figures; nothing if there are none. */
export function FigureSources({ sources = [] }: { readonly sources: readonly Source[] | undefined }) {
  const say = useWords();
  const { term } = useOwnWords();
  if (sources.length === 0) return null;
  return (
    <Part title={say("sources")}>
      <List size="sm" spacing={8}>
        {keyed(sources).map(({ key, item: { title, publisher, url, reliability, ...source } }) => (
          <List.Item key={key}>
            <Outside url={url}>{term(title)}</Outside>, {publisher}, {periodOf(source)} ({reliability})
          </List.Item>
        ))}
      </List>
    </Part>
  );
}

interface IndicatorProps {
  readonly aggregates: readonly Aggregate[];
  readonly title: string;
}

/** One indicator: a chart if its figures can be compared, and a table of all figures. */
function IndicatorFigures({ aggregates, title }: IndicatorProps) {
  const say = useWords();
  const { number, compact } = useFormat();
  const { language } = useLanguage();
  const countryName = useCountryName();
  const series = seriesOf(aggregates, countryName);
  return (
    <Part title={title}>
      {series && (
        <div aria-hidden="true">
          <BarChart
            h={240}
            data={series.points}
            dataKey="name"
            series={[{ name: "value", color: "green.6", label: unitIn(series.unit, language) }]}
            valueFormatter={(value) => number(value)}
            tickLine="none"
            gridAxis="x"
            yAxisProps={{ tickFormatter: compact }}
            barChartProps={{ accessibilityLayer: false }}
            barProps={{ radius: 3, maxBarSize: 64, isAnimationActive: false }}
          />
        </div>
      )}
      <Figures figures={aggregates} head={say("country")} nameOf={({ country = "" }) => countryName(country)} />
    </Part>
  );
}

/** Market data: a summary, the figures of each indicator, and their sources. */
export default function Market({ result }: ResultProps<"eu-market-data">) {
  const { language } = useLanguage();
  const byIndicator = Map.groupBy(result.aggregates, ({ indicator }) => indicator);
  return (
    <Stack>
      <Text className="passage">{result.summary}</Text>
      {[...byIndicator].map(([indicator, aggregates]) => (
        <IndicatorFigures key={indicator} aggregates={aggregates} title={titleOf(indicator, language)} />
      ))}
      <FigureSources sources={result.sources} />
    </Stack>
  );
}
