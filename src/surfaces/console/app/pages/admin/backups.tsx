import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { Rows } from "../../shared/rows.tsx";
import { Empty, Failed, Loaded } from "../../shared/states.tsx";
import { useWords } from "./words.ts";

type Held = Schemas["OperatorBackups"];

/** The outcome of the backup requested last. */
function LastOne({ last }: Pick<Held, "last">) {
  const say = useWords();
  if (last?.status === "running") return <Alert color="gray" title={say("backing_up")} role="status" />;
  if (last?.status === "failed") return <Alert color="red" title={say("backup_failed", { error: last.error ?? "" })} />;
  return null;
}

function List({ items }: Pick<Held, "items">) {
  const say = useWords();
  const { bytes, dateTime } = useFormat();
  if (items.length === 0) return <Empty icon={IconDatabase} title={say("no_backups")} />;
  return (
    <Rows
      label={say("backups")}
      rows={items}
      keyOf={({ file }) => file}
      columns={[
        { name: say("made"), cell: ({ created_at }) => <span className="nowrap">{dateTime(created_at)}</span> },
        { name: say("file"), cell: ({ file }) => file },
        { name: say("size"), isFigure: true, cell: (backup) => bytes(backup.bytes) },
        { name: "SHA-256", cell: ({ sha256 }) => (sha256 === null ? "–" : <Code>{sha256.slice(0, 16)}…</Code>) },
      ]}
    />
  );
}

/** The existing backups, and a button to make another. */
export function Backups() {
  const say = useWords();
  const queries = useQueryClient();
  const key = ["operator", "backups"];
  const query = useQuery({
    queryKey: key,
    queryFn: () => bodyOf(api.GET("/v1/operator/backups")),
    refetchInterval: ({ state }) => (state.data?.last?.status === "running" ? 1000 : false),
  });
  const start = useMutation({
    mutationFn: () => bodyOf(api.POST("/v1/operator/backups")),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" maw={680}>
        {say("backups_text")}
      </Text>
      <Group>
        <Button loading={start.isPending} onClick={() => start.mutate()}>
          {say("back_up")}
        </Button>
      </Group>
      {start.isError && <Failed error={start.error} />}
      <Loaded query={query}>
        {({ last, items }) => (
          <>
            <LastOne last={last} />
            <List items={items} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}
