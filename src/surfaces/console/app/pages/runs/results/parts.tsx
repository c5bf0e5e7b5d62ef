import { Anchor, Badge, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A titled part of a result. */
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

/** A judgement in one word, styled `good`, `uneasy` or `bad`. */
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

/** A framed source or finding. */
export function Card({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="sm" {...(id !== undefined && { id })} component="li">
      <Stack gap={6}>{children}</Stack>
    </Paper>
  );
}

/** An external link, or plain text if the address is not an HTTP one. */
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
