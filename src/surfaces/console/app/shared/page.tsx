import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

interface PageProps {
  /** The title of the tab and the page's heading. */
  readonly title: string;
  /** A sentence below the title. */
  readonly lead?: ReactNode;
  /** The page's actions, at the right; on a phone below. */
  readonly actions?: ReactNode;
  /** A link back, above the title. */
  readonly above?: ReactNode;
  /** Maximum width of the content, in pixels; "full" for wide tables. */
  readonly width?: number | "full";
  readonly children: ReactNode;
}

/** The frame of every page: title, purpose, actions, content. */
export function Page({ title, lead, actions, above, width = 1080, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  return (
    // All pages start at the same left edge, whatever their width, so that titles stay in place.
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
