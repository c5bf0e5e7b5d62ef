import { Grid, Group, List, Stack, Text } from "@mantine/core";
import { useId } from "react";
import { keyed } from "../../../shared/keyed.ts";
import { useWords } from "../words.ts";
import { MarkedText } from "./marked-text.tsx";
import { Card, Judgement, Outside, Part } from "./parts.tsx";
import { type ResultOf, type ResultProps, textIn } from "./shapes.ts";

type Finding = ResultOf<"afa-assurance">["findings"][number];

const looks = { pass: "good", attention: "uneasy", fail: "bad" } as const;
const severityLook = ({ severity }: Finding) => (severity === "high" || severity === "critical" ? "bad" : "uneasy");

function FindingCard({ finding, id }: { readonly finding: Finding; readonly id: string }) {
  const say = useWords();
  const { severity, rule_id, citation, explanation, suggestion } = finding;
  return (
    <Card id={id}>
      <Group gap="xs">
        <Judgement look={severityLook(finding)}>{say(`severity_${severity}`)}</Judgement>
        <Text fw={600}>{rule_id}</Text>
      </Group>
      <Text size="sm">{explanation}</Text>
      {suggestion !== null && (
        <Text size="sm">
          <strong>{say("suggestion")}:</strong> {suggestion}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {citation}
      </Text>
    </Card>
  );
}

/** The checked advice with its findings highlighted, next to the rules they may break. */
export default function Findings({ input, result }: ResultProps<"afa-assurance">) {
  const say = useWords();
  const id = useId();
  const { status, findings, sources = [] } = result;
  const marks = findings.flatMap((finding, i) => {
    const { start, end } = finding;
    if (start === null || end === null) return [];
    const label = `${finding.rule_id}: ${say(`severity_${finding.severity}`)}`;
    return [{ start, end, label, explainedBy: `${id}-${i}`, look: severityLook(finding) } as const];
  });
  return (
    <Stack>
      <Group>
        <Judgement look={looks[status]}>{say(`check_${status}`)}</Judgement>
      </Group>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Part title={say("question")}>
              <Text>{textIn(input, "question")}</Text>
            </Part>
            <Part title={say("checked")}>
              <MarkedText text={textIn(input, "answer")} marks={marks} />
            </Part>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Part title={say("findings")}>
            {findings.length === 0 && <Text c="dimmed">{say("findings_none")}</Text>}
            <Stack component="ol" className="plain" gap="xs">
              {keyed(findings).map(({ key, item }, i) => (
                <FindingCard key={key} finding={item} id={`${id}-${i}`} />
              ))}
            </Stack>
          </Part>
        </Grid.Col>
      </Grid>
      {sources.length > 0 && (
        <Part title={say("sources")}>
          <List size="sm" spacing={8}>
            {sources.map(({ citation, url }) => (
              <List.Item key={citation}>
                <Outside url={url}>{citation}</Outside>
              </List.Item>
            ))}
          </List>
        </Part>
      )}
    </Stack>
  );
}
