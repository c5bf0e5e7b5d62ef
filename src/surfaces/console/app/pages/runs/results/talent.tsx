import { Accordion, Alert, Group, List, Stack, Text } from "@mantine/core";
import { useCountryName } from "../../../shared/country-name.ts";
import { useFormat } from "../../../shared/format.ts";
import { keyed } from "../../../shared/keyed.ts";
import { useWords } from "../words.ts";
import { Part } from "./parts.tsx";
import type { ResultOf, ResultProps } from "./shapes.ts";

type Dimension = ResultOf<"talent-intelligence">["dimensions"][number];

/** A titled list; nothing if it is empty. */
function Named({ name, items }: { readonly name: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <List size="sm" spacing={4}>
        {keyed(items).map(({ key, item }) => (
          <List.Item key={key}>{item}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** A competence: its behaviours, and questions with sample answers for three marks. */
function DimensionPanel({ dimension }: { readonly dimension: Dimension }) {
  const say = useWords();
  const { behaviours, questions, evidence, red_flag } = dimension;
  return (
    <Stack gap="sm">
      <Named name={say("behaviours")} items={behaviours} />
      {questions.map(({ question, anchors }) => (
        <Stack key={question} gap={2}>
          <Text fw={600} size="sm">
            {question}
          </Text>
          {(["1", "3", "5"] as const).map((mark) => (
            <Text key={mark} size="sm">
              {say("mark", { mark })}: {anchors[mark]}
            </Text>
          ))}
        </Stack>
      ))}
      <Named name={say("evidence")} items={evidence.map(({ title, reliability }) => `${title} (${reliability})`)} />
      <Named name={say("speaks_against")} items={[red_flag]} />
    </Stack>
  );
}

/** A role's profile: its requirements, and how to assess applicants for each competence. */
export default function Talent({ result }: ResultProps<"talent-intelligence">) {
  const say = useWords();
  const { percent } = useFormat();
  const countryName = useCountryName();
  const { summary, question, dimensions, work_sample, red_flags, legal_requirements, limitations } = result;
  return (
    <Stack>
      <Text className="passage">{summary}</Text>
      {question !== null && <Alert color="orange">{question}</Alert>}
      {red_flags.map(({ excerpt, warning, lawful_wording }) => (
        <Alert key={excerpt} color="red" title={excerpt}>
          {warning} {say("suggestion")}: {lawful_wording}
        </Alert>
      ))}
      {dimensions.length > 0 && (
        <Part title={say("competences")}>
          <Accordion variant="contained" multiple>
            {dimensions.map((dimension) => (
              <Accordion.Item key={dimension.key} value={dimension.key}>
                <Accordion.Control>
                  <Group justify="space-between" gap="xs" pe="xs">
                    <Text>{dimension.title}</Text>
                    <Text c="dimmed">{percent(dimension.weight / 100)}</Text>
                  </Group>
                </Accordion.Control>
                <Accordion.Panel>
                  <DimensionPanel dimension={dimension} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        </Part>
      )}
      {work_sample !== null && (
        <Part title={say("work_sample")}>
          <Text>{work_sample}</Text>
        </Part>
      )}
      <Named
        name={say("legal_requirements")}
        items={legal_requirements.map(
          ({ country, text, citation, status }) =>
            `${countryName(country)}: ${text} (${citation}, ${say(`law_${status}`)})`,
        )}
      />
      <Named name={say("caveats")} items={limitations} />
    </Stack>
  );
}
