import { LineChart } from "@mantine/charts";
import { useFormat } from "../../shared/format.ts";
import type { Report } from "./queries.ts";
import { useWords } from "./words.ts";

/** The share that would buy over rising prices as a line. The figures themselves stand in a table below. */
export default function LadderChart({ ladder }: { readonly ladder: NonNullable<Report["price"]>["ladder"] }) {
  const say = useWords();
  const { number, percent } = useFormat();
  return (
    <LineChart
      h={200}
      aria-hidden
      data={ladder.map(({ price, intent }) => ({ price: number(price), intent }))}
      dataKey="price"
      series={[{ name: "intent", label: say("would_buy"), color: "green.6" }]}
      valueFormatter={(value) => percent(value)}
      curveType="linear"
      lineChartProps={{ accessibilityLayer: false }}
      lineProps={{ isAnimationActive: false }}
      gridAxis="x"
      tickLine="none"
    />
  );
}
