import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

interface PageProps {
  /** Names the tab and heads the page. */
  readonly title: string;
  /** One sentence under the title. */
  readonly lead?: ReactNode;
  /** What can be done here, at the right; below on a phone. */
  readonly actions?: ReactNode;
  /** A way back, above the title. */
  readonly above?: ReactNode;
  /** Of its content, in pixels; the whole width where a table needs it. */
  readonly width?: number | "full";
  readonly children: ReactNode;
}

/** The frame of every page: its title, what it is for, its actions, its content. */
export function Page({ title, lead, actions, above, width = 1080, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  return (
    // All begin at the same edge, however wide their content may be, so that titles stay where they are.
    <Box maw={width === "full" ? undefined : Math.max(width, 1080)} mx="auto" w="100%">
      <Stack gap="lg" maw={width === "full" ? undefined : width}>
        <Stack gap={6}>
          {above}
          <Group justify="space-between" align="flex-start" gap="sm">
            <Stack gap={2} miw={0} flex="1 1 240px">
              <Title order={1} size="h2">
                {title}
              </Title>
              {lead !== undefined && (
                <Text c="dimmed" maw={680}>
                  {lead}
                </Text>
              )}
            </Stack>
            {actions !== undefined && <Group gap="xs">{actions}</Group>}
          </Group>
        </Stack>
        {children}
      </Stack>
    </Box>
  );
}
