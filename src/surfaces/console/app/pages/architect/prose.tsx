import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import Markdown from "markdown-to-jsx";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { Failed } from "../../shared/states.tsx";
import { useWords } from "./words.ts";

/** Returns a section's text without its heading, which is rendered separately. */
const withoutTitle = (markdown: string): string => markdown.replace(/^#+ [^\n]*\n+/, "");

/** A section's text. */
export function Prose({ markdown }: { readonly markdown: string }) {
  return (
    <div className="prose">
      <Markdown options={{ disableParsingRawHTML: true, forceBlock: true }}>{withoutTitle(markdown)}</Markdown>
    </div>
  );
}

interface DetailsProps {
  readonly solution_id: string;
  readonly section: Schemas["Composition"]["sections"][number];
}

/** Further details of a section, loaded on request. */
export function Details({ solution_id, section: { id, title } }: DetailsProps) {
  const say = useWords();
  const expanding = useMutation({
    mutationFn: () => bodyOf(api.POST("/v1/solution-architect/expand", { body: { solution_id, section: id } })),
  });
  if (expanding.data)
    return (
      <Stack gap="xs">
        <Text fw={600} component="h3" size="sm">
          {say("details")}
        </Text>
        <div className="prose">
          <Markdown options={{ disableParsingRawHTML: true, forceBlock: true }}>{expanding.data.details}</Markdown>
        </div>
      </Stack>
    );
  return (
    <>
      {expanding.isError && <Failed error={expanding.error} />}
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={say("details_of", { title })}
          loading={expanding.isPending}
          onClick={() => expanding.mutate()}
        >
          {say("details")}
        </Button>
      </Group>
    </>
  );
}
