import { SegmentedControl, Stack } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { api, bodyOf } from "../../shared/api.ts";
import { Page } from "../../shared/page.tsx";
import { Loaded } from "../../shared/states.tsx";
import { KeyUsage } from "./keys.tsx";
import { Ledger } from "./ledger.tsx";
import { SummaryView } from "./summary.tsx";
import { useWords } from "./words.ts";

const periods = [7, 30, 90] as const;

/** The usage page. The period is in the address, so that it can be linked. */
export default function Usage() {
  const say = useWords();
  const [asked, ask] = useSearchParams();
  const days = periods.find((period) => String(period) === asked.get("days")) ?? 30;
  const summary = useQuery({
    queryKey: ["usage", days],
    queryFn: () => bodyOf(api.GET("/v1/usage/summary", { params: { query: { days } } })),
    placeholderData: keepPreviousData,
  });
  const choice = (
    <SegmentedControl
      aria-label={say("period")}
      value={String(days)}
      onChange={(value) => ask({ days: value }, { replace: true })}
      data={periods.map((count) => ({ value: String(count), label: say("days", { count }) }))}
    />
  );
  return (
    <Page title={say("title")} lead={say("lead")} actions={choice}>
      <Stack gap="xl">
        <Loaded query={summary}>{(found) => <SummaryView summary={found} />}</Loaded>
        <KeyUsage days={days} />
        <Ledger />
      </Stack>
    </Page>
  );
}
