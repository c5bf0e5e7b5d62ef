import { Paper, Stack, Text } from "@mantine/core";

interface FigureProps {
  readonly name: string;
  readonly value: string;
}

/** A key figure with its name. */
export function Figure({ name, value }: FigureProps) {
  return (
    <Paper withBorder p="md" flex="1 1 140px">
      <Stack gap={2}>
        <Text size="sm" c="dimmed">
          {name}
        </Text>
        <Text fz={24} fw={600}>
          {value}
        </Text>
      </Stack>
    </Paper>
  );
}
