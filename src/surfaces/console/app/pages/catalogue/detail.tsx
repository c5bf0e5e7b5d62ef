import { Alert, Grid, List, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Back } from "../../shared/back.tsx";
import { useOwnWords } from "../../shared/own-words.ts";
import { Page } from "../../shared/page.tsx";
import { Section } from "../../shared/section.tsx";
import { useMe } from "../../shared/session.ts";
import { useWords } from "./words.ts";

/** One fact beside its name. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0}>
        {children}
      </Text>
    </div>
  );
}

/** Texts as a list, under a title; nothing where there are none. */
export function Listed({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  const { own } = useOwnWords();
  if (items.length === 0) return null;
  return (
    <Section title={title}>
      <List spacing={6}>
        {items.map((item) => (
          <List.Item key={item}>{own(item)}</List.Item>
        ))}
      </List>
    </Section>
  );
}

interface OfferPageProps {
  readonly name: string;
  readonly outcome: string;
  readonly description: string;
  /** The scope that a run needs. */
  readonly scope: string;
  /** Why it can't be run at all now; null: it can. */
  readonly blocker: string | null;
  /** The form. */
  readonly form: ReactNode;
  readonly facts: ReactNode;
  /** Below the form. */
  readonly children: ReactNode;
}

/** The page of whatever is sold: the form at the left, its facts at the right, the rest below. */
export function OfferPage({ name, outcome, description, scope, blocker, form, facts, children }: OfferPageProps) {
  const say = useWords();
  const { own } = useOwnWords();
  const { scopes } = useMe();
  const obstacle = blocker ?? (scopes.has(scope) ? null : say("not_allowed"));
  return (
    <Page title={name} lead={own(outcome)} above={<Back to="/capabilities">{say("back")}</Back>}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Section title={say("try")}>{obstacle === null ? form : <Alert color="gray">{obstacle}</Alert>}</Section>
            {children}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <Text>{own(description)}</Text>
            <Stack component="dl" gap="sm" m={0}>
              {facts}
            </Stack>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
