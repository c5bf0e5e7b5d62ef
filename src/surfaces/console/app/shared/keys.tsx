import { Code, Group, Stack, Text, Title } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useCommonWords } from "./common-words.ts";
import { Confirm } from "./confirm.tsx";
import { useFormat } from "./format.ts";
import { type Column, Rows } from "./rows.tsx";
import { Empty, Failed, Loaded } from "./states.tsx";
import { toast } from "./toast.ts";

/** The fields of an API key that all tables of keys show. */
interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last_used_at: string | null;
}

interface KeysProps<K extends Key> {
  readonly title: string;
  readonly text?: string;
  /** Control next to the title. */
  readonly choice?: ReactNode;
  /** Empty state. */
  readonly none: { readonly title: string; readonly text?: string };
  readonly query: UseQueryResult<readonly K[]>;
  /** Which keys are shown; absent if all are. */
  shows?(key: K): boolean;
  /** Columns between the key's name and its last use. */
  readonly columns: readonly Column<K>[];
  /** Whether a key can still be revoked; absent if all can. */
  mayRevoke?(key: K): boolean;
  revoke(key: K): Promise<void>;
  /** Prefix of the query keys to invalidate after a revocation. */
  readonly changes: readonly string[];
}

/** A table of API keys, by name and never with secrets. Each can be revoked after confirmation. */
export function Keys<K extends Key>(props: KeysProps<K>) {
  const { title, text, choice, none, query, shows = () => true, columns, mayRevoke = () => true } = props;
  const say = useCommonWords();
  const { relative } = useFormat();
  const queries = useQueryClient();
  const revocation = useMutation({
    mutationFn: props.revoke,
    onSuccess() {
      toast.done(say("revoked"));
      return queries.invalidateQueries({ queryKey: props.changes });
    },
  });
  const shown: Column<K>[] = [
    {
      name: say("key"),
      cell: ({ name, prefix }) => (
        <Stack gap={0} align="flex-start">
          <Text fw={500}>{name}</Text>
          <Code>{prefix}…</Code>
        </Stack>
      ),
    },
    ...columns,
    {
      name: say("last_used"),
      cell: ({ last_used_at }) => (
        <span className="nowrap">{last_used_at === null ? say("never") : relative(last_used_at)}</span>
      ),
    },
    {
      name: say("revoke"),
      holds: "button",
      cell: (key) =>
        mayRevoke(key) && (
          <Confirm
            compact
            action={say("revoke")}
            label={say("revoke_named", { name: key.name })}
            title={say("sure_revoke", { name: key.name })}
            text={say("sure_revoke_text")}
            confirm={() => revocation.mutate(key)}
          />
        ),
    },
  ];
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {choice}
      </Group>
      {text !== undefined && (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      )}
      {revocation.isError && <Failed error={revocation.error} />}
      <Loaded query={query}>
        {(keys) => {
          const rows = keys.filter(shows);
          if (rows.length === 0) return <Empty icon={IconKey} {...none} />;
          return <Rows label={title} rows={rows} keyOf={({ id }) => id} columns={shown} />;
        }}
      </Loaded>
    </Stack>
  );
}
