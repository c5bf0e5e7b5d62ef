import { Grid, Group, Stack, Text } from "@mantine/core";
import { useFormat } from "../../../shared/format.ts";
import { useOwnWords } from "../../../shared/own-words.ts";
import { useWords } from "../words.ts";
import { Card, Judgement, Outside, Part } from "./parts.tsx";
import { type ResultProps, textIn } from "./shapes.ts";

const looks = { OK: "good", WARN: "uneasy", FAIL: "bad" } as const;

/** Joins a source's details in one line, skipping missing ones. */
const line = (...details: readonly (string | null | undefined | false)[]): string =>
  details.filter(Boolean).join(" · ");

/** An answer next to the passages it cites. */
export default function CitedAnswer({ input, result }: ResultProps<"insurance-assistant">) {
  const say = useWords();
  const { percent } = useFormat();
  const { nameOf } = useOwnWords();
  const { answer, sources, trust_state, confidence } = result;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: sources.length > 0 ? 7 : 12 }}>
        <Stack>
          <Part title={say("question")}>
            <Text>{textIn(input, "question")}</Text>
          </Part>
          <Part title={say("answer")}>
            <Text className="passage">{answer}</Text>
            <Group gap="sm">
              <Judgement look={looks[trust_state]}>{say(`trust_${trust_state}`)}</Judgement>
              {typeof confidence === "number" && (
                <Text c="dimmed">{say("confidence", { value: percent(confidence) })}</Text>
              )}
            </Group>
          </Part>
        </Stack>
      </Grid.Col>
      {sources.length > 0 && (
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Part title={say("sources")}>
            <Stack component="ol" className="plain" gap="xs">
              {sources.map(({ id, title, carrier, version, heading, page, excerpt, url, provenance }, i) => (
                <Card key={id} id={`source-${id}`}>
                  <Text fw={600}>
                    [{i + 1}] <Outside url={url}>{title}</Outside>
                  </Text>
                  <Text size="sm" c="dimmed">
                    {line(carrier, version && `${say("version")} ${version}`, nameOf(provenance))}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {line(heading, page !== null && say("page_number", { page }))}
                  </Text>
                  <Text size="sm" className="passage">
                    {excerpt}
                  </Text>
                </Card>
              ))}
            </Stack>
          </Part>
        </Grid.Col>
      )}
    </Grid>
  );
}
