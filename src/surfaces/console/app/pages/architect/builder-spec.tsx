import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { Code } from "../../shared/code.tsx";
import { useFormat } from "../../shared/format.ts";
import { Section } from "../../shared/section.tsx";
import { Loaded } from "../../shared/states.tsx";
import { Structured } from "../../shared/structured.tsx";
import { resumeLink } from "./solution.ts";
import { useWords } from "./words.ts";

const templates = ["messaging-channel", "web-comparator"] as const;
type Template = (typeof templates)[number];

/** The build specification of a saved solution, to read and to download. */
export function BuilderSpec({ token, expires_at }: Pick<Schemas["UnlockedSolution"], "token" | "expires_at">) {
  const say = useWords();
  const { dateTime } = useFormat();
  const [template, setTemplate] = useState<Template>("messaging-channel");
  const query = useQuery({
    queryKey: ["architect", "builder-spec", token, template],
    queryFn: () =>
      bodyOf(
        api.GET("/v1/solution-architect/builder-spec/{token}", { params: { path: { token }, query: { template } } }),
      ),
  });
  return (
    <Section title={say("builder_spec")}>
      <Text c="dimmed">{say("saved_until", { when: dateTime(expires_at) })}</Text>
      <Code text={resumeLink(token)} label={say("link")} />
      <Code text={token} label={say("token")} />
      <SegmentedControl
        aria-label={say("template")}
        data={templates.map((value) => ({ value, label: say(`template_${value}`) }))}
        value={template}
        onChange={(value) => setTemplate(templates.find((one) => one === value) ?? template)}
      />
      <Loaded query={query}>
        {({ products, ...spec }) => (
          <Stack>
            <Group>
              <Button
                component="a"
                variant="default"
                leftSection={<IconDownload size={16} />}
                href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify({ ...spec, products }, null, 2))}`}
                download={`${template}.json`}
              >
                {say("download")}
              </Button>
            </Group>
            <Structured value={spec} />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
