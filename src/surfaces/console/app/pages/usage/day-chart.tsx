import { BarChart } from "@mantine/charts";
import type { Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "./words.ts";

/** A bar chart of credits by day. A table below has the same figures for those who can't see it. */
export default function DayChart({ days }: { readonly days: Schemas["UsageSummary"]["by_day"] }) {
  const say = useWords();
  const { dayMonth, number } = useFormat();
  return (
    <BarChart
      h={220}
      aria-hidden
      data={days.map((day) => ({ ...day, date: dayMonth(day.date) }))}
      dataKey="date"
      series={[{ name: "credits", label: say("credits"), color: "green.6" }]}
      valueFormatter={(value) => number(value)}
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false }}
      gridAxis="x"
    />
  );
}
