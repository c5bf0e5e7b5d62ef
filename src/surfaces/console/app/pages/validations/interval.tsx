import { Stack, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import type { Report, Study } from "./queries.ts";
import { useWords } from "./words.ts";

const at = (share: number): string => `${Math.round(share * 1000) / 10}%`;

interface IntervalProps {
  readonly report: Pick<Report, "interval" | "intent" | "threshold">;
  readonly size: Study["decision_size"];
}

/** The purchase intent with its confidence interval, against what the decision needs. */
export function Interval({ report: { interval, intent, threshold }, size }: IntervalProps) {
  const say = useWords();
  const { percent } = useFormat();
  const { low, high, level } = interval;
  return (
    <Stack gap={6}>
      <Text>
        {say("interval", {
          level: percent(level),
          low: percent(low),
          high: percent(high),
          intent: percent(intent),
        })}
      </Text>
      <div className="interval" aria-hidden="true">
        <div className="interval-range" style={{ left: at(low), width: at(high - low) }} />
        <div className="interval-intent" style={{ left: at(intent) }} />
        <div className="interval-threshold" style={{ left: at(threshold) }} />
      </div>
      <Text size="sm" c="dimmed">
        {say("threshold", { size, threshold: percent(threshold) })}
      </Text>
    </Stack>
  );
}
