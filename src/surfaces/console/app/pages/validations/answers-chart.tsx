import { BarChart } from "@mantine/charts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "./words.ts";

/** A bar chart of the answers on the eleven-point scale. A table below has the same figures. */
export default function AnswersChart({ counts }: { readonly counts: readonly number[] }) {
  const say = useWords();
  const { number } = useFormat();
  return (
    <BarChart
      h={200}
      aria-hidden
      data={counts.map((people, point) => ({ point: String(point), people }))}
      dataKey="point"
      series={[{ name: "people", label: say("people"), color: "green.6" }]}
      valueFormatter={(value) => number(value)}
      xAxisProps={{ interval: 0 }}
      yAxisProps={{ allowDecimals: false }}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false, radius: 3, maxBarSize: 40 }}
      gridAxis="x"
      tickLine="none"
    />
  );
}
