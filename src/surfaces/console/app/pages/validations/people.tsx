import { Button, Paper, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useFormat } from "../../shared/format.ts";
import { keyed } from "../../shared/keyed.ts";
import { Section } from "../../shared/section.tsx";
import type { Study } from "./queries.ts";
import { useWords } from "./words.ts";

/** Number of people shown before "Show all". */
const atFirst = 6;

/** The individual answers, the first few at first. */
export function People({ people }: Pick<Study, "people">) {
  const say = useWords();
  const { number } = useFormat();
  const [isAll, setAll] = useState(false);
  return (
    <Section title={say("people_said")}>
      <Stack component="ul" className="columns plain" gap="sm">
        {keyed(isAll ? people : people.slice(0, atFirst)).map(({ key, item: { role, bio, answer, juster } }) => (
          <Paper key={key} withBorder p="sm" component="li">
            <Stack gap={4}>
              <Text fw={600}>
                {say(Number.isInteger(juster) ? "says" : "says_mean", { role, juster: number(juster, 1) })}
              </Text>
              <Text size="sm" c="dimmed">
                {bio}
              </Text>
              <Text component="q" size="sm">
                {answer}
              </Text>
            </Stack>
          </Paper>
        ))}
      </Stack>
      {!isAll && people.length > atFirst && (
        <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: "flex-start" }}>
          {say("all_people", { count: people.length })}
        </Button>
      )}
    </Section>
  );
}
