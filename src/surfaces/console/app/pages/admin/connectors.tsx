import { Badge, Stack, Text, Title } from "@mantine/core";
import { IconPlug } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, bodyOf, done, type Schemas } from "../../shared/api.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { Rows } from "../../shared/rows.tsx";
import { Empty, Failed, Loaded } from "../../shared/states.tsx";
import { toast } from "../../shared/toast.ts";
import { useWords } from "./words.ts";

type Connector = Schemas["OperatorConnector"];

/** The firms' connectors. Each is switched by the gate of the same name. */
export function Connectors() {
  const say = useWords();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ["operator", "connectors"],
    queryFn: () => bodyOf(api.GET("/v1/operator/connectors")),
  });
  const removal = useMutation({
    mutationFn: ({ slug }: Connector) =>
      done(api.DELETE("/v1/operator/connectors/{slug}", { params: { path: { slug } } })),
    onSuccess() {
      toast.done(say("removed"));
      return queries.invalidateQueries({ queryKey: ["operator"] });
    },
  });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("connectors")}
      </Title>
      {removal.isError && <Failed error={removal.error} />}
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={IconPlug} title={say("connectors_none")} />
          ) : (
            <Rows
              label={say("connectors")}
              rows={items}
              keyOf={({ slug }) => slug}
              columns={[
                { name: say("connectors"), cell: ({ name }) => <Text fw={500}>{name}</Text> },
                { name: say("version"), cell: ({ semantic_version }) => semantic_version },
                { name: say("engine"), cell: ({ engine }) => engine },
                {
                  name: say("state"),
                  cell: ({ open }) => (
                    <Badge variant="light" color={open ? "green" : "gray"}>
                      {say(open ? "open" : "closed")}
                    </Badge>
                  ),
                },
                {
                  name: say("remove"),
                  holds: "button",
                  cell: (connector) => (
                    <Confirm
                      compact
                      action={say("remove")}
                      label={say("remove_named", { name: connector.name })}
                      title={say("sure_remove", { name: connector.name })}
                      text={say("sure_remove_text")}
                      confirm={() => removal.mutate(connector)}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Stack>
  );
}
