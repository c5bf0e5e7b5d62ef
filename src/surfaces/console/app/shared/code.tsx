import { Box, Button, CopyButton, Group, ScrollArea } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useCommonWords } from "./common-words.ts";

interface CodeProps {
  readonly text: string;
  /** A label for those who can't see the context. */
  readonly label: string;
}

/** Text to copy verbatim: a command, a secret, an address. */
export function Code({ text, label }: CodeProps) {
  const say = useCommonWords();
  return (
    <Box className="code">
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}>
        <pre>{text}</pre>
      </ScrollArea>
      <Group justify="flex-end" px="xs" pb="xs">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              onClick={copy}
            >
              {say(copied ? "copied" : "copy")}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Box>
  );
}
