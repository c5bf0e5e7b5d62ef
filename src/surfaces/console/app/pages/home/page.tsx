import { Anchor, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { now } from "../../shared/browser.ts";
import { useFormat } from "../../shared/format.ts";
import { Page } from "../../shared/page.tsx";
import { type ReadAhead, useMe } from "../../shared/session.ts";
import { Loaded } from "../../shared/states.tsx";
import { mayDecide } from "../approvals/decision.ts";
import { RunTable } from "../runs/list.tsx";
import { catalogueNames, slugOf, useNameOf } from "../runs/queries.ts";
import { useWords } from "./words.ts";

type Run = Schemas["Run"];

/** The query for the runs on this page: the latest ones, or those in one status. */
const latestRuns = (status?: Run["status"]) =>
  queryOptions({
    queryKey: ["home-runs", status],
    queryFn: () => bodyOf(api.GET("/v1/runs", { params: { query: { limit: 8, ...(status && { status }) } } })),
  });
const creditsLeft = queryOptions({
  queryKey: ["credits"],
  queryFn: () => bodyOf(api.GET("/v1/credits", { params: { query: { limit: 1 } } })),
});
const usageToday = queryOptions({
  queryKey: ["usage-today"],
  queryFn: () => bodyOf(api.GET("/v1/usage/summary", { params: { query: { days: 1 } } })),
});

/** Prefetches this page's data before it is rendered. */
export const readAhead: ReadAhead = (client) => [
  client.prefetchQuery(latestRuns()),
  client.prefetchQuery(latestRuns("awaiting_approval")),
  client.prefetchQuery(creditsLeft),
  client.prefetchQuery(usageToday),
  client.prefetchQuery(catalogueNames),
];

interface FigureProps {
  readonly name: string;
  /** Undefined while loading. */
  readonly value: string | undefined;
  readonly to?: string;
}

function Figure({ name, value, to }: FigureProps) {
  return (
    <Paper withBorder p="md" className={to === undefined ? "figure" : "figure card"}>
      <Text size="sm" c="dimmed">
        {to === undefined ? (
          name
        ) : (
          <Anchor component={Link} to={to} inherit className="card-link">
            {name}
          </Anchor>
        )}
      </Text>
      <Text fz={24} fw={600} component="div" lh={1.4}>
        {value ?? <Skeleton height={33} width={90} radius="sm" />}
      </Text>
    </Paper>
  );
}

function Figures() {
  const say = useWords();
  const { number } = useFormat();
  const credits = useQuery(creditsLeft);
  const usage = useQuery(usageToday);
  const waiting = useQuery(latestRuns("awaiting_approval"));
  const today = new Date(now()).toISOString().slice(0, 10);
  const runsToday = usage.data?.by_day.find(({ date }) => date === today)?.runs ?? (usage.data ? 0 : undefined);
  const shown = (value: number | undefined): string | undefined => (value === undefined ? undefined : number(value));
  const count = waiting.data?.items.length;
  const more = waiting.data?.next_cursor ? "+" : "";
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure name={say("available")} value={shown(credits.data?.balance.available)} />
      <Figure name={say("reserved")} value={shown(credits.data?.balance.reserved)} />
      <Figure name={say("today")} value={shown(runsToday)} to={`/runs?from=${today}`} />
      <Figure name={say("waiting")} value={count === undefined ? undefined : number(count) + more} to="/approvals" />
    </SimpleGrid>
  );
}

function Waiting({ runs }: { readonly runs: readonly Run[] }) {
  const say = useWords();
  const nameOf = useNameOf();
  const { dateTime } = useFormat();
  const isDecider = mayDecide(useMe());
  if (runs.length === 0) return null;
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h3">
        {say("waiting_title")}
      </Title>
      {runs.map((run) => (
        <Paper key={run.id} withBorder p="sm">
          <Group justify="space-between" gap="sm">
            <div>
              <Text fw={600}>{nameOf(slugOf(run))}</Text>
              <Text size="sm" c="dimmed">
                {run.approval && say("waiting_until", { until: dateTime(run.approval.expires_at) })}
              </Text>
            </div>
            <Button component={Link} to={`/approvals/${run.id}`} variant="default">
              {say(isDecider ? "decide" : "look")}
            </Button>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

interface StepProps {
  readonly title: string;
  readonly text: string;
  readonly to: string;
  readonly isDone: boolean;
}

function FirstStep({ title, text, to, isDone }: StepProps) {
  const say = useWords();
  return (
    <Paper withBorder p="md" component="li" className="card">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon size={24} radius="xl" variant={isDone ? "filled" : "default"} aria-hidden>
          {isDone ? <IconCheck size={15} /> : null}
        </ThemeIcon>
        <div>
          <Anchor component={Link} to={to} fw={600} className="card-link">
            {title}
          </Anchor>
          <Text size="sm" c="dimmed">
            {isDone ? say("done") : text}
          </Text>
        </div>
      </Group>
    </Paper>
  );
}

/** The first steps for new users, ticked off as they are completed. */
function FirstSteps({ runs }: { readonly runs: readonly Run[] }) {
  const say = useWords();
  const ended = runs.find(({ receipt_url }) => receipt_url !== null);
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h3">
        {say("start")}
      </Title>
      <SimpleGrid component="ol" className="plain" cols={{ base: 1, md: 3 }} spacing="md">
        <FirstStep title={say("start_try")} text={say("start_try_text")} to="/capabilities" isDone={runs.length > 0} />
        <FirstStep
          title={say("start_receipt")}
          text={say("start_receipt_text")}
          to={ended ? `/runs/${ended.id}` : "/runs"}
          isDone={false}
        />
        <FirstStep
          title={say("start_key")}
          text={say("start_key_text")}
          to="/developers"
          isDone={runs.some(({ surface }) => surface === "rest" || surface === "mcp")}
        />
      </SimpleGrid>
    </Stack>
  );
}

/** The home page: credits left, pending approvals, latest runs. */
export default function Home() {
  const say = useWords();
  const { user } = useMe();
  const latest = useQuery(latestRuns());
  const waiting = useQuery(latestRuns("awaiting_approval"));
  // The pending approvals are above the rest and would push it down if they loaded later.
  const below = waiting.isPending ? { ...latest, data: undefined } : latest;
  return (
    <Page title={say("title")} lead={say("welcome", { name: user.full_name ?? user.email })}>
      <Figures />
      <Loaded query={below}>
        {({ items, next_cursor }) => (
          <Stack gap="lg">
            <Waiting runs={waiting.data?.items ?? []} />
            {next_cursor === null && <FirstSteps runs={items} />}
            {items.length > 0 && (
              <Stack gap="xs" component="section">
                <Group justify="space-between">
                  <Title order={2} size="h3">
                    {say("recent")}
                  </Title>
                  <Anchor component={Link} to="/runs">
                    {say("all_runs")}
                  </Anchor>
                </Group>
                <RunTable runs={items} />
              </Stack>
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
