import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlug } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, bodyOf, done, type Schemas } from "../../shared/api.ts";
import { useCommonWords } from "../../shared/common-words.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { Dialog } from "../../shared/dialog.tsx";
import { useFormat } from "../../shared/format.ts";
import { Rows } from "../../shared/rows.tsx";
import { useWorkspace } from "../../shared/session.ts";
import { Empty, Failed, Loaded } from "../../shared/states.tsx";
import { toast } from "../../shared/toast.ts";
import { Secret } from "./secret.tsx";
import { useWords } from "./words.ts";

type Connection = Schemas["Connection"];

interface NewConnectionProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  made(connection: Schemas["CreatedConnection"]): void;
}

function NewConnection({ isOpen, close, made }: NewConnectionProps) {
  const say = useWords();
  const common = useCommonWords();
  const queries = useQueryClient();
  const { workspace } = useWorkspace();
  const [name, setName] = useState("");
  const creation = useMutation({
    mutationFn: () =>
      bodyOf(api.POST("/v1/developer/connections", { body: { name, workspace_id: workspace?.id ?? "" } })),
    onSuccess(connection) {
      void queries.invalidateQueries({ queryKey: ["connections"] });
      setName("");
      made(connection);
      close();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <Dialog isOpen={isOpen} close={close} title={say("new_connection")}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={say("name")}
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Text size="sm" c="dimmed">
            {say("workspace")}: {workspace?.name}
          </Text>
          {creation.isError && <Failed error={creation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common("cancel")}
            </Button>
            <Button type="submit" loading={creation.isPending}>
              {say("create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface ListProps {
  readonly rows: readonly Connection[];
  revoked(id: string): void;
}

function List({ rows, revoked }: ListProps) {
  const say = useWords();
  const common = useCommonWords();
  const { relative } = useFormat();
  const queries = useQueryClient();
  const revocation = useMutation({
    mutationFn: ({ id: connection_id }: Connection) =>
      done(api.DELETE("/v1/developer/connections/{connection_id}", { params: { path: { connection_id } } })),
    onSuccess(_, { id }) {
      toast.done(common("revoked"));
      revoked(id);
      return queries.invalidateQueries({ queryKey: ["connections"] });
    },
  });
  if (rows.length === 0) return <Empty icon={IconPlug} title={say("connections_none")} />;
  return (
    <>
      {revocation.isError && <Failed error={revocation.error} />}
      <Rows
        label={say("connections")}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { name: say("name"), cell: ({ name }) => <Text fw={500}>{name}</Text> },
          { name: say("kind"), cell: ({ kind }) => say(kind) },
          { name: say("scopes"), cell: ({ scopes }) => say("scope_count", { count: scopes.length }) },
          {
            name: common("last_used"),
            cell: ({ last_used_at }) => (last_used_at === null ? common("never") : relative(last_used_at)),
          },
          {
            name: common("revoke"),
            holds: "button",
            cell: (connection) => (
              <Confirm
                compact
                action={common("revoke")}
                label={common("revoke_named", { name: connection.name })}
                title={common("sure_revoke", { name: connection.name })}
                text={common("sure_revoke_text")}
                confirm={() => revocation.mutate(connection)}
              />
            ),
          },
        ]}
      />
    </>
  );
}

/** Programs authorised at `/mcp`, and personal connections for clients without OAuth. */
export function Connections() {
  const say = useWords();
  const [isOpen, { open, close }] = useDisclosure();
  const [made, setMade] = useState<Schemas["CreatedConnection"]>();
  const query = useQuery({
    queryKey: ["connections"],
    queryFn: () => bodyOf(api.GET("/v1/developer/connections")),
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {say("connections")}
        </Title>
        <Button variant="default" size="compact-md" onClick={open}>
          {say("new_connection")}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {say("connections_text")}
      </Text>
      {made && <Secret name={made.name} secret={made.url} putAway={() => setMade(undefined)} />}
      <Loaded query={query}>
        {({ items }) => (
          <List
            rows={items.filter(({ revoked_at }) => revoked_at === null)}
            revoked={(id) => setMade((shown) => (shown?.id === id ? undefined : shown))}
          />
        )}
      </Loaded>
      <NewConnection isOpen={isOpen} close={close} made={setMade} />
    </Stack>
  );
}
