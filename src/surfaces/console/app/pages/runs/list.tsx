import { Anchor, Badge, Button, Group, Stack, Table, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { More } from "../../shared/more.tsx";
import { Page } from "../../shared/page.tsx";
import { Empty, Loaded } from "../../shared/states.tsx";
import { RunFilters, useRunFilter } from "./filters.tsx";
import { slugOf, useNameOf, useRuns } from "./queries.ts";
import { StatusBadge } from "./status.tsx";
import { useWords } from "./words.ts";

type Run = Schemas["Run"];

/** Milliseconds from the start to the end; null while it has none. */
export const tookMs = ({ started_at, finished_at }: Pick<Run, "started_at" | "finished_at">): number | null =>
  started_at === null || finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at);

function RunRow({ run, name }: { readonly run: Run; readonly name: string }) {
  const say = useWords();
  const { dateTime, duration, number, relative } = useFormat();
  const took = tookMs(run);
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={8} wrap="nowrap">
          <Anchor component={Link} to={`/runs/${run.id}`} fw={500} inherit>
            {name}
          </Anchor>
          {run.mode === "trial" && (
            <Badge variant="outline" color="gray" radius="sm" tt="none">
              {say("trial")}
            </Badge>
          )}
        </Group>
        <Group className="narrow" gap={8} mt={4}>
          <StatusBadge status={run.status} />
          <Text size="xs" c="dimmed">
            {relative(run.created_at)}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td className="wide">
        <StatusBadge status={run.status} />
      </Table.Td>
      <Table.Td className="quiet nowrap wide">{dateTime(run.created_at)}</Table.Td>
      <Table.Td className="quiet nowrap wide">{took === null ? "–" : duration(took)}</Table.Td>
      <Table.Td ta="right" className="nowrap">
        {number(run.charges.charged_credits)}
      </Table.Td>
    </Table.Tr>
  );
}

/** Runs as a table; on a phone their states stand below their names, and the durations are left out. */
export function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  const say = useWords();
  const nameOf = useNameOf();
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="xs" highlightOnHover className="list">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say("what")}</Table.Th>
            <Table.Th className="wide">{say("status")}</Table.Th>
            <Table.Th className="wide">{say("started")}</Table.Th>
            <Table.Th className="wide">{say("took")}</Table.Th>
            <Table.Th ta="right">{say("credits")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} name={nameOf(slugOf(run))} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  const say = useWords();
  if (isFiltered) return <Empty title={say("none_found")} />;
  return (
    <Empty icon={IconPlayerPlay} title={say("none")} text={say("none_text")}>
      <Button component={Link} to="/capabilities">
        {say("to_catalogue")}
      </Button>
    </Empty>
  );
}

/** Every run of the firm that the person may see. */
export default function Runs() {
  const say = useWords();
  const filter = useRunFilter();
  const runs = useRuns(filter);
  return (
    <Page title={say("title")} lead={say("lead")}>
      <RunFilters />
      <Loaded query={runs}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <NoRuns isFiltered={Object.keys(filter).length > 0} />;
          return (
            <Stack align="stretch">
              <RunTable runs={items} />
              <More query={runs} />
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}
