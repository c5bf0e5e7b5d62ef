import { Paper, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A framed part of a page, with a title. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p={{ base: "sm", sm: "lg" }} component="section">
      <Stack gap="md">
        <Title order={2} size="h3">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}
