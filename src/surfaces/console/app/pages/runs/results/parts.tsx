import { Anchor, Badge, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A part of a result, under its name. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

/** A judgement in one word: `good`, `uneasy` or `bad`. */
export function Judgement({
  look,
  children,
}: {
  readonly look: "good" | "uneasy" | "bad";
  readonly children: ReactNode;
}) {
  const color = { good: "green", uneasy: "orange", bad: "red" }[look];
  return (
    <Badge color={color} variant="light" size="lg" radius="sm" tt="none">
      {children}
    </Badge>
  );
}

/** A source or a finding in a frame of its own. */
export function Card({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="sm" {...(id !== undefined && { id })} component="li">
      <Stack gap={6}>{children}</Stack>
    </Paper>
  );
}

/** A link away from here, where the address is one of the web; else the text alone. */
export function Outside({ url, children }: { readonly url: string | null; readonly children: ReactNode }) {
  if (url === null || !/^https?:\/\//.test(url))
    return (
      <Text span inherit>
        {children}
      </Text>
    );
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" inherit underline="always">
      {children}
    </Anchor>
  );
}
