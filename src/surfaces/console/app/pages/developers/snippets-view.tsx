import { Stack, Tabs, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Code } from "../../shared/code.tsx";
import { freshSnippets } from "./snippets.ts";
import { useWords } from "./words.ts";

/** The first call, in the most common languages. */
export function Snippets() {
  const say = useWords();
  const [snippets] = useState(freshSnippets);
  const shown = Object.entries(snippets);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("snippets")}
      </Title>
      <Text size="sm" c="dimmed">
        {say("snippets_text")}
      </Text>
      <Tabs defaultValue="curl">
        <Tabs.List mb="xs">
          {shown.map(([language]) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(([language, text]) => (
          <Tabs.Panel key={language} value={language}>
            <Code text={text} label={language} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
