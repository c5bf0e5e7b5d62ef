import { Accordion, Skeleton, Stack, Text } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";
import { useFormat } from "../../shared/format.ts";
import { keyed } from "../../shared/keyed.ts";
import { type Column, Rows } from "../../shared/rows.tsx";
import { Section } from "../../shared/section.tsx";
import type { Report } from "./queries.ts";
import { useLabel } from "./side.ts";
import { useWords } from "./words.ts";

const AnswersChart = lazy(() => import("./answers-chart.tsx"));
const LadderChart = lazy(() => import("./ladder-chart.tsx"));

interface ChartedProps<Row> {
  readonly title: string;
  /** The meaning of the axis. */
  readonly axis: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<{ readonly key: string; readonly item: Row }>[];
  /** The chart. */
  readonly children: ReactNode;
  /** The conclusion, below the chart. */
  readonly below?: ReactNode;
}

/** A chart, and a table of its figures for those who can't see it. */
function Charted<Row>({ title, axis, rows, columns, children, below }: ChartedProps<Row>) {
  const say = useWords();
  const labelOf = useLabel();
  return (
    <Section title={title}>
      <Stack gap={4}>
        <Suspense fallback={<Skeleton h={200} />}>{children}</Suspense>
        <Text size="sm" c="dimmed" ta="center">
          {axis}
        </Text>
      </Stack>
      {below}
      <Accordion variant="contained">
        <Accordion.Item value="figures">
          <Accordion.Control>{say("show_table", { title: labelOf(title) })}</Accordion.Control>
          <Accordion.Panel>
            <Rows label={labelOf(title)} rows={keyed(rows)} keyOf={({ key }) => key} columns={columns} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Section>
  );
}

/** How likely people said they are to buy. `counts` has the number of answers for each of the eleven points. */
export function Answers({ counts }: { readonly counts: readonly number[] }) {
  const say = useWords();
  const { number } = useFormat();
  const points = counts.map((people, point) => ({ people, point }));
  return (
    <Charted
      title={say("answers")}
      axis={say("answers_axis")}
      rows={points}
      columns={[
        { name: say("point"), cell: ({ item }) => number(item.point) },
        { name: say("people"), isFigure: true, cell: ({ item }) => number(item.people) },
      ]}
    >
      <AnswersChart counts={counts} />
    </Charted>
  );
}

/** The share that would buy at each price, and the conclusions about the best price. */
export function Ladder({ price }: { readonly price: NonNullable<Report["price"]> }) {
  const say = useWords();
  const { number, percent } = useFormat();
  const { best, van_westendorp: points, ladder } = price;
  return (
    <Charted
      title={say("ladder")}
      axis={say("ladder_axis")}
      rows={ladder}
      columns={[
        { name: say("price_year"), isFigure: true, cell: ({ item }) => number(item.price) },
        { name: say("would_buy"), isFigure: true, cell: ({ item }) => percent(item.intent) },
      ]}
      below={
        <Stack gap={4}>
          {best !== null && <Text>{say("best", { price: number(best) })}</Text>}
          {points && (
            <Text>
              {say("westendorp", {
                from: number(points.marginal_cheapness),
                to: number(points.marginal_expensiveness),
                optimal: number(points.optimal),
              })}
            </Text>
          )}
        </Stack>
      }
    >
      <LadderChart ladder={ladder} />
    </Charted>
  );
}
