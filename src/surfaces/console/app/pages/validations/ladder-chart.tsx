import { LineChart } from "@mantine/charts";
import { useFormat } from "../../shared/format.ts";
import type { Report } from "./queries.ts";
import { useWords } from "./words.ts";

/** A line chart of the share that would buy, by price. A table below has the same figures. */
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
