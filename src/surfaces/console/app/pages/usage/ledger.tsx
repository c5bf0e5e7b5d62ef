import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { More } from "../../shared/more.tsx";
import { useOwnWords } from "../../shared/own-words.ts";
import { type Column, Rows } from "../../shared/rows.tsx";
import { Empty, Loaded } from "../../shared/states.tsx";
import { useNameOf, useStepTitles } from "../runs/queries.ts";
import { useWords } from "./words.ts";

type Entry = Schemas["CreditEntry"];

function useColumns(entries: readonly Entry[]): Column<Entry>[] {
  const say = useWords();
  const { nameOf, own } = useOwnWords();
  const offerName = useNameOf();
  const isTitled = (step: string | null): boolean => step !== null && offerName(step) === step;
  const titles = useStepTitles(entries.some(({ step }) => isTitled(step)));
  const { dateTime, number, signed } = useFormat();
  // A step is named after its capability, or by its title in its use case.
  const stepName = (step: string): string => (isTitled(step) ? own(titles.get(step) ?? nameOf(step)) : offerName(step));
  return [
    { name: say("when"), cell: ({ created_at }) => <span className="nowrap">{dateTime(created_at)}</span> },
    { name: say("kind"), cell: ({ kind }) => say(kind) },
    {
      name: say("about"),
      cell: ({ run_id, step, reason }) =>
        run_id === null ? (
          (reason ?? "–")
        ) : (
          <Anchor component={Link} to={`/runs/${run_id}`} size="md">
            {step === null ? say("run") : stepName(step)}
          </Anchor>
        ),
    },
    { name: say("amount"), isFigure: true, cell: ({ amount }) => signed(amount) },
    { name: say("after"), isFigure: true, cell: ({ balance_after }) => number(balance_after.available) },
    { name: say("reserved_after"), isFigure: true, cell: ({ balance_after }) => number(balance_after.reserved) },
  ];
}

/** All entries of the firm's ledger, newest first, with the balance after each. */
export function Ledger() {
  const say = useWords();
  const query = useInfiniteQuery({
    queryKey: ["credits", "entries"],
    queryFn: ({ pageParam }) =>
      bodyOf(api.GET("/v1/credits", { params: { query: { limit: 50, ...(pageParam && { cursor: pageParam }) } } })),
    initialPageParam: "",
    getNextPageParam: ({ entries }) => entries.next_cursor,
  });
  const rows = query.data?.pages.flatMap(({ entries }) => entries.items) ?? [];
  const columns = useColumns(rows);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("entries")}
      </Title>
      <Text size="sm" c="dimmed">
        {say("entries_text")}
      </Text>
      <Loaded query={query}>
        {() =>
          rows.length === 0 ? (
            <Empty title={say("entries_none")} />
          ) : (
            <Rows label={say("entries")} rows={rows} keyOf={({ id }) => id} columns={columns} />
          )
        }
      </Loaded>
      <More query={query} />
    </Stack>
  );
}
