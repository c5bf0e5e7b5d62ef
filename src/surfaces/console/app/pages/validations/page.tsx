import { Anchor, Button, Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { IconColumns2, IconScale, IconUsersGroup } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useFormat } from "../../shared/format.ts";
import { Page } from "../../shared/page.tsx";
import { Rows } from "../../shared/rows.tsx";
import { useMe } from "../../shared/session.ts";
import { Empty, Loaded } from "../../shared/states.tsx";
import { type Listed, useAudiences, useStudies } from "./queries.ts";
import { VerdictBadge } from "./verdict.tsx";
import { useWords } from "./words.ts";

/** Toggles a study in the selection of at most two: a third one replaces the older of them. */
const chosenAfter = (chosen: readonly string[], id: string): readonly string[] =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen.slice(-1), id];

function StudyTable({ studies }: { readonly studies: readonly Listed[] }) {
  const say = useWords();
  const { dateTime } = useFormat();
  const [chosen, choose] = useState<readonly string[]>([]);
  const [left, right] = chosen;
  return (
    <Stack gap="xs">
      {studies.length > 1 && (
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" aria-live="polite">
            {say("choose_both", { count: chosen.length })}
          </Text>
          {right !== undefined && (
            <Button
              component={Link}
              to={`/validations/compare?left=${left}&right=${right}`}
              variant="default"
              leftSection={<IconColumns2 size={16} />}
            >
              {say("compare")}
            </Button>
          )}
        </Group>
      )}
      <Rows
        label={say("studies")}
        rows={studies}
        keyOf={({ simulation_id }) => simulation_id}
        columns={[
          {
            name: say("asked_at"),
            cell: ({ simulation_id, created_at }) => (
              <Anchor component={Link} to={`/validations/${simulation_id}`} fw={500} inherit className="nowrap">
                {dateTime(created_at)}
              </Anchor>
            ),
          },
          {
            name: say("hypothesis"),
            cell: ({ hypothesis }) => (
              <Text lineClamp={2} miw={180} maw={420} size="sm">
                {hypothesis}
              </Text>
            ),
          },
          { name: say("verdict"), cell: (study) => <VerdictBadge study={study} /> },
          { name: say("decision_size"), cell: ({ decision_size }) => decision_size },
          ...(studies.length > 1
            ? [
                {
                  name: say("compare"),
                  holds: "field" as const,
                  cell: ({ simulation_id, created_at }: Listed) => (
                    <Checkbox
                      aria-label={say("choose_named", { when: dateTime(created_at) })}
                      checked={chosen.includes(simulation_id)}
                      onChange={() => choose(chosenAfter(chosen, simulation_id))}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
    </Stack>
  );
}

function Studies() {
  const say = useWords();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("studies")}
      </Title>
      <Loaded query={useStudies()}>
        {({ validations }) =>
          validations.length === 0 ? (
            <Empty icon={IconScale} title={say("studies_none")} text={say("studies_none_text")} />
          ) : (
            <StudyTable studies={validations} />
          )
        }
      </Loaded>
    </Stack>
  );
}

function Audiences({ mayAsk }: { readonly mayAsk: boolean }) {
  const say = useWords();
  const { number } = useFormat();
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {say("audiences")}
        </Title>
        {mayAsk && (
          <Button component={Link} to="/validations/audiences/new" variant="default">
            {say("new_audience")}
          </Button>
        )}
      </Group>
      <Loaded query={useAudiences()}>
        {({ audiences }) =>
          audiences.length === 0 ? (
            <Empty icon={IconUsersGroup} title={say("audiences_none")} text={say("audiences_none_text")} />
          ) : (
            <Rows
              label={say("audiences")}
              rows={audiences}
              keyOf={({ audience_id }) => audience_id}
              columns={[
                {
                  name: say("name"),
                  cell: ({ audience_id, name }) => (
                    <Anchor component={Link} to={`/validations/audiences/${audience_id}`} fw={500} inherit>
                      {name}
                    </Anchor>
                  ),
                },
                { name: say("personas"), isFigure: true, cell: ({ personas_count }) => number(personas_count) },
              ]}
            />
          )
        }
      </Loaded>
    </Stack>
  );
}

/** The firm's studies and audiences. */
export default function Validations() {
  const say = useWords();
  const mayAsk = useMe().scopes.has("validator:run");
  return (
    <Page
      title={say("title")}
      lead={say("lead")}
      actions={
        mayAsk && (
          <Button component={Link} to="/validations/new">
            {say("ask")}
          </Button>
        )
      }
    >
      <Studies />
      <Audiences mayAsk={mayAsk} />
    </Page>
  );
}
