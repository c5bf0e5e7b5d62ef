import { Button, Checkbox, Group, Paper, Stack, Text, Textarea, Title } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../shared/api.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { Failed } from "../../shared/states.tsx";
import { useDecision } from "./decision.ts";
import { useWords } from "./words.ts";

type Item = NonNullable<Schemas["Approval"]["items"]>[number];

interface ItemsProps {
  readonly items: readonly Item[];
  readonly chosen: ReadonlySet<string>;
  choose(chosen: ReadonlySet<string>): void;
}

/** The output's items, each with a checkbox to approve it. */
function Items({ items, chosen, choose }: ItemsProps) {
  const say = useWords();
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {say("items")}
        </Title>
        <Group gap="xs">
          <Button variant="subtle" size="compact-sm" onClick={() => choose(new Set(items.map(({ id }) => id)))}>
            {say("select_all")}
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={() => choose(new Set())}>
            {say("select_none")}
          </Button>
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {say("items_text")}
      </Text>
      {items.map(({ id, label }) => (
        <Checkbox
          key={id}
          size="md"
          className="item"
          label={label ?? id}
          checked={chosen.has(id)}
          onChange={() => toggle(id)}
        />
      ))}
      <Text size="sm" aria-live="polite">
        {say("chosen", { count: chosen.size, all: items.length })}
      </Text>
    </Stack>
  );
}

/** The form to approve or reject, by item if the output has items, with a comment. */
export function DecisionForm({ run }: { readonly run: Schemas["Run"] }) {
  const say = useWords();
  const items = run.approval?.items ?? [];
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [comment, setComment] = useState("");
  const decision = useDecision(run.id);
  const said = comment.trim() === "" ? {} : { comment };
  const ids = items.map(({ id }) => id);
  const isPart = chosen.size > 0 && chosen.size < items.length;
  const lists = isPart
    ? { items: { approve: ids.filter((id) => chosen.has(id)), reject: ids.filter((id) => !chosen.has(id)) } }
    : {};
  const approve = () => decision.mutate({ decision: "approve", ...said, ...lists });
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        {items.length > 0 && <Items items={items} chosen={chosen} choose={choose} />}
        <Textarea
          label={say("comment")}
          description={say("comment_text")}
          autosize
          minRows={2}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        {decision.isError && <Failed error={decision.error} />}
        <Group justify="flex-end" className="decide">
          <Confirm
            action={say("reject")}
            title={say("sure_reject")}
            text={say("sure_reject_text")}
            isPending={decision.isPending}
            confirm={() => decision.mutate({ decision: "reject", ...said })}
          />
          {isPart ? (
            <Confirm
              isMain
              action={say("approve_some")}
              title={say("sure_part", { approved: chosen.size, rejected: items.length - chosen.size })}
              text={say("sure_part_text")}
              isPending={decision.isPending}
              confirm={approve}
            />
          ) : (
            <Button loading={decision.isPending} disabled={items.length > 0 && chosen.size === 0} onClick={approve}>
              {say("approve")}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
