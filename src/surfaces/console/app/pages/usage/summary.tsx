import { Accordion, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Schemas } from "../../shared/api.ts";
import { Figure } from "../../shared/figure.tsx";
import { useFormat } from "../../shared/format.ts";
import { Rows } from "../../shared/rows.tsx";
import { Empty } from "../../shared/states.tsx";
import { useNameOf } from "../runs/queries.ts";
import { useWords } from "./words.ts";

const DayChart = lazy(() => import("./day-chart.tsx"));

type Summary = Schemas["UsageSummary"];

function Days({ days }: { readonly days: Summary["by_day"] }) {
  const say = useWords();
  const { day: dayOf, number } = useFormat();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("by_day")}
      </Title>
      <Suspense fallback={<Skeleton h={220} />}>
        <DayChart days={days} />
      </Suspense>
      <Accordion variant="contained">
        <Accordion.Item value="figures">
          <Accordion.Control>{say("show_table")}</Accordion.Control>
          <Accordion.Panel>
            <Rows
              label={say("by_day")}
              rows={[...days].reverse()}
              keyOf={(day) => day.date}
              columns={[
                { name: say("day"), cell: (day) => dayOf(day.date) },
                { name: say("runs"), isFigure: true, cell: (day) => number(day.runs) },
                { name: say("credits"), isFigure: true, cell: (day) => number(day.credits) },
              ]}
            />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

function Subjects({ summary }: { readonly summary: Summary }) {
  const say = useWords();
  const { number } = useFormat();
  const nameOf = useNameOf();
  const rows = [
    ...summary.by_capability.map(({ capability, ...used }) => ({ slug: capability, isUseCase: false, ...used })),
    ...summary.by_use_case.map(({ use_case, ...used }) => ({ slug: use_case, isUseCase: true, ...used })),
  ].sort((a, b) => b.credits - a.credits);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("by_what")}
      </Title>
      <Rows
        label={say("by_what")}
        rows={rows}
        keyOf={({ slug, isUseCase }) => `${slug} ${isUseCase}`}
        columns={[
          {
            name: say("what"),
            cell: ({ slug, isUseCase }) => (
              <>
                {nameOf(slug)}
                {isUseCase && (
                  <Text span size="sm" c="dimmed">
                    {" "}
                    · {say("use_case")}
                  </Text>
                )}
              </>
            ),
          },
          { name: say("runs"), isFigure: true, cell: ({ runs }) => number(runs) },
          { name: say("succeeded"), isFigure: true, cell: ({ succeeded }) => number(succeeded) },
          { name: say("credits"), isFigure: true, cell: ({ credits }) => number(credits) },
        ]}
      />
    </Stack>
  );
}

/** The figures of a period: balance, charges, by day and by offer. */
export function SummaryView({ summary }: { readonly summary: Summary }) {
  const say = useWords();
  const { number } = useFormat();
  const { available, charged, reserved_now } = summary.credits;
  const runs = summary.by_day.reduce((sum, day) => sum + day.runs, 0);
  return (
    <Stack gap="lg">
      <Group gap="sm" align="stretch">
        <Figure name={say("available")} value={number(available)} />
        <Figure name={say("reserved")} value={number(reserved_now)} />
        <Figure name={say("charged")} value={number(charged)} />
        <Figure name={say("finished")} value={number(runs)} />
      </Group>
      {reserved_now > 0 && (
        <Text size="sm" c="dimmed">
          {say("under_way")}
        </Text>
      )}
      {runs === 0 && charged === 0 ? (
        <Paper withBorder>
          <Empty title={say("no_runs")} />
        </Paper>
      ) : (
        <>
          <Days days={summary.by_day} />
          <Subjects summary={summary} />
        </>
      )}
    </Stack>
  );
}
