import { Stack, Switch, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { Page } from "../../shared/page.tsx";
import { type Column, Rows } from "../../shared/rows.tsx";
import { Failed, Loaded } from "../../shared/states.tsx";
import { Connectors } from "./connectors.tsx";
import { useWords } from "./words.ts";

type Gate = Schemas["OperatorGate"];

function useColumns(isPending: boolean, change: (gate: Gate) => void): Column<Gate>[] {
  const say = useWords();
  const { relative } = useFormat();
  return [
    { name: say("gate"), cell: ({ name }) => <Text fw={name === "platform" ? 600 : 400}>{name}</Text> },
    {
      name: say("state"),
      cell: (gate) => (
        <Switch
          label={say(gate.open ? "open" : "closed")}
          aria-label={say("open_named", { name: gate.name })}
          checked={gate.open}
          disabled={isPending}
          onChange={(event) => change({ ...gate, open: event.currentTarget.checked })}
        />
      ),
    },
    {
      name: say("changed"),
      cell: ({ changed_at }) => (changed_at === null ? "–" : <span className="nowrap">{relative(changed_at)}</span>),
    },
  ];
}

/** The gates of this installation. */
export default function GatesPage() {
  const say = useWords();
  const queries = useQueryClient();
  const query = useQuery({ queryKey: ["operator", "gates"], queryFn: () => bodyOf(api.GET("/v1/operator/gates")) });
  const change = useMutation({
    mutationFn: ({ name, open }: Gate) =>
      bodyOf(api.PUT("/v1/operator/gates/{name}", { params: { path: { name } }, body: { open } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["operator"] }),
  });
  const columns = useColumns(change.isPending, change.mutate);
  return (
    <Page title={say("gates")} lead={say("gates_lead")}>
      <Stack gap="xl">
        {change.isError && <Failed error={change.error} />}
        <Loaded query={query}>
          {({ items }) => <Rows label={say("gates")} rows={items} keyOf={({ name }) => name} columns={columns} />}
        </Loaded>
        <Connectors />
      </Stack>
    </Page>
  );
}
