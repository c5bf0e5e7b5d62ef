import { BarChart } from "@mantine/charts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "./words.ts";

/** The answers by the eleven points of the scale as bars. The figures themselves stand in a table below. */
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
