import { Anchor, Badge, Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconChecks } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { More } from "../../shared/more.tsx";
import { useOwnWords } from "../../shared/own-words.ts";
import { Page } from "../../shared/page.tsx";
import { useMe } from "../../shared/session.ts";
import { Empty, Loaded } from "../../shared/states.tsx";
import { slugOf, useNameOf } from "../runs/queries.ts";
import { mayDecide, soonMs } from "./decision.ts";
import { useWords } from "./words.ts";

function Waiting({ run }: { readonly run: Schemas["Run"] }) {
  const say = useWords();
  const { own } = useOwnWords();
  const { relative, number, left } = useFormat();
  const me = useMe();
  const nameOf = useNameOf();
  const step = run.steps.find(({ key }) => key === run.approval?.step);
  if (!run.approval || !step) return null;
  return (
    <Paper withBorder p="md" component="li">
      <Group justify="space-between" gap="sm">
        <Stack gap={4} flex="1 1 260px">
          <Anchor component={Link} to={`/approvals/${run.id}`} fw={600} c="inherit">
            {nameOf(slugOf(run))}
          </Anchor>
          <Text size="sm" c="dimmed">
            {[
              say("step", { name: own(step.title) }),
              ...(step.maximum_credits === 0 ? [] : [say("up_to", { credits: number(step.maximum_credits) })]),
              say("waits_since", { since: relative(run.approval.requested_at) }),
            ].join(" · ")}
          </Text>
        </Stack>
        <Badge variant="light" color={left(run.approval.expires_at) < soonMs ? "orange" : "gray"}>
          {say("expires", { when: relative(run.approval.expires_at) })}
        </Badge>
        <Button component={Link} to={`/approvals/${run.id}`} variant={mayDecide(me) ? "filled" : "default"}>
          {say(mayDecide(me) ? "open" : "look")}
        </Button>
      </Group>
    </Paper>
  );
}

/** The pending approvals, newest first. */
export default function Approvals() {
  const say = useWords();
  const me = useMe();
  const waiting = useInfiniteQuery({
    queryKey: ["approvals"],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET("/v1/runs", {
          params: { query: { status: "awaiting_approval", limit: 25, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: 30_000,
  });
  return (
    <Page title={say("title")} lead={mayDecide(me) ? say("lead") : say("not_yours")}>
      <Loaded query={waiting}>
        {({ pages }) => {
          const runs = pages.flatMap(({ items }) => items);
          if (runs.length === 0) return <Empty icon={IconChecks} title={say("none")} text={say("none_text")} />;
          return (
            <Stack gap="sm">
              <Stack gap="sm" component="ul" className="plain-list">
                {runs.map((run) => (
                  <Waiting key={run.id} run={run} />
                ))}
              </Stack>
              <More query={waiting} />
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}
