import { Anchor, Badge, Button, Stack } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { More } from "../../shared/more.tsx";
import { Page } from "../../shared/page.tsx";
import type { ReadAhead } from "../../shared/session.ts";
import { Empty, Loaded } from "../../shared/states.tsx";
import { filterOf, RunFilters, useRunFilter } from "./filters.tsx";
import { catalogueNames, runsQuery, slugOf, useNameOf, useRuns } from "./queries.ts";
import { StatusBadge } from "./status.tsx";
import { useWords } from "./words.ts";

type Run = Schemas["Run"];

/** Returns the duration in milliseconds; null if the run has not started or finished. */
export const tookMs = ({ started_at, finished_at }: Pick<Run, "started_at" | "finished_at">): number | null =>
  started_at === null || finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at);

function RunRow({ run, name }: { readonly run: Run; readonly name: string }) {
  const say = useWords();
  const { dateTime, duration, number, relative } = useFormat();
  const took = tookMs(run);
  return (
    <tr>
      <td>
        <span className="inline">
          <Anchor component={Link} to={`/runs/${run.id}`} fw={500} inherit>
            {name}
          </Anchor>
          {run.mode === "trial" && (
            <Badge variant="outline" color="gray" radius="sm" tt="none">
              {say("trial")}
            </Badge>
          )}
        </span>
        <span className="below">
          <StatusBadge status={run.status} />
          {relative(run.created_at)}
        </span>
      </td>
      <td className="wide">
        <StatusBadge status={run.status} />
      </td>
      <td className="quiet nowrap wide">{dateTime(run.created_at)}</td>
      <td className="quiet nowrap wide">{took === null ? "–" : duration(took)}</td>
      <td className="nowrap end">{number(run.charges.charged_credits)}</td>
    </tr>
  );
}

/** Runs as a table. On a phone, the status is below the name and the duration is left out. */
export function RunTable({ runs }: { readonly runs: readonly Run[] }) {
  const say = useWords();
  const nameOf = useNameOf();
  return (
    <table className="rows list">
      <thead>
        <tr>
          <th>{say("what")}</th>
          <th className="wide">{say("status")}</th>
          <th className="wide">{say("started")}</th>
          <th className="wide">{say("took")}</th>
          <th className="end">{say("credits")}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} name={nameOf(slugOf(run))} />
        ))}
      </tbody>
    </table>
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

/** Prefetches this page's data before it is rendered. */
export const readAhead: ReadAhead = (client, search) => [
  client.prefetchInfiniteQuery(runsQuery(filterOf(search))),
  client.prefetchQuery(catalogueNames),
];

/** All runs that the person may see. */
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
