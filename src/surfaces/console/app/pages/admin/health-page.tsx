import { Alert, Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { Page } from "../../shared/page.tsx";
import { Rows } from "../../shared/rows.tsx";
import { Loaded } from "../../shared/states.tsx";
import { Backups } from "./backups.tsx";
import { useWords } from "./words.ts";

const colours = { ok: "green", warn: "orange", fail: "red" } as const;

function Checks({ checks }: Pick<Schemas["OperatorHealth"], "checks">) {
  const say = useWords();
  return (
    <Rows
      label={say("health")}
      rows={checks}
      keyOf={({ about, found }) => `${about} ${found}`}
      columns={[
        { name: say("about"), cell: ({ about }) => <Text fw={500}>{about}</Text> },
        {
          name: say("state"),
          cell: ({ state }) => (
            <Badge variant="light" color={colours[state]}>
              {say(state)}
            </Badge>
          ),
        },
        {
          name: say("found"),
          cell: ({ found, advice }) => (
            <Stack gap={2}>
              <Text size="sm" className="pre-line">
                {found}
              </Text>
              {advice !== null && (
                <Text size="sm" c="dimmed" className="pre-line">
                  {advice}
                </Text>
              )}
            </Stack>
          ),
        },
      ]}
    />
  );
}

/** The worst result of all checks, as a summary. */
function Verdict({ checks }: Pick<Schemas["OperatorHealth"], "checks">) {
  const say = useWords();
  const worst = (["fail", "warn"] as const).find((state) => checks.some((check) => check.state === state)) ?? "ok";
  return <Alert color={colours[worst]} variant="light" title={say(`health_${worst}`)} />;
}

/** The installation's health checks and backups. */
export default function HealthPage() {
  const say = useWords();
  const query = useQuery({
    queryKey: ["operator", "health"],
    queryFn: () => bodyOf(api.GET("/v1/operator/health")),
  });
  const again = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      loading={query.isFetching}
      onClick={() => void query.refetch()}
    >
      {say("again")}
    </Button>
  );
  return (
    <Page title={say("health")} lead={say("health_lead")} actions={again}>
      <Stack gap="xl">
        <Loaded query={query}>
          {({ checks }) => (
            <Stack gap="sm">
              <Verdict checks={checks} />
              <Checks checks={checks} />
            </Stack>
          )}
        </Loaded>
        <Stack gap="xs">
          <Group>
            <Title order={2} size="h4">
              {say("backups")}
            </Title>
          </Group>
          <Backups />
        </Stack>
      </Stack>
    </Page>
  );
}
