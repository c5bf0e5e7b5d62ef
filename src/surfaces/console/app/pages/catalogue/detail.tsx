import { Accordion, Alert, Button, List, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { Back } from "../../shared/back.tsx";
import { useCommonWords } from "../../shared/common-words.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { Page } from "../../shared/page.tsx";
import { Section } from "../../shared/section.tsx";
import { useMe } from "../../shared/session.ts";
import type { Obstacle } from "./offer.ts";
import { useWords } from "./words.ts";

/** A fact with its name. */
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

/** Number of items shown before "Show all". */
const atFirst = 8;

/** A titled list that is cut after the first items; nothing if it is empty. */
export function Listed({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  const say = useWords();
  const { own } = useOwnWords();
  const [isAll, setAll] = useState(items.length <= atFirst);
  if (items.length === 0) return null;
  return (
    <Section title={title}>
      <List spacing={6}>
        {(isAll ? items : items.slice(0, atFirst)).map((item) => (
          <List.Item key={item}>{own(item)}</List.Item>
        ))}
      </List>
      {!isAll && (
        <Button variant="default" onClick={() => setAll(true)} style={{ alignSelf: "flex-start" }}>
          {say("all_items", { count: items.length })}
        </Button>
      )}
    </Section>
  );
}

/** A list folded away behind its title; nothing if it is empty. */
export function Folded({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  const { own } = useOwnWords();
  if (items.length === 0) return null;
  return (
    <Accordion variant="contained" order={2}>
      <Accordion.Item value="items">
        <Accordion.Control>{`${title} (${items.length})`}</Accordion.Control>
        <Accordion.Panel>
          <List spacing={6} size="sm">
            {items.map((item) => (
              <List.Item key={item}>{own(item)}</List.Item>
            ))}
          </List>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

/** Why the offer can't be run, with a link for people who can change that. */
function Obstructed({ by }: { readonly by: Obstacle }) {
  const say = useWords();
  const isOperator = useMe().user.app_metadata.operator;
  const common = useCommonWords();
  return (
    <Alert color="gray">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{by === "not_entitled" || by === "not_allowed" ? say(by) : common(by)}</Text>
        {isOperator && by !== "not_allowed" && (
          <Button
            component={Link}
            to={by === "not_entitled" ? "/admin/firms" : "/admin/gates"}
            variant="default"
            size="xs"
          >
            {say(by === "not_entitled" ? "to_firms" : "to_gates")}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

interface OfferPageProps {
  readonly name: string;
  readonly outcome: string;
  readonly description: string;
  /** The scope required for a run. */
  readonly scope: string;
  /** Why the firm can't run it at all; null if it can. */
  readonly obstacle: Exclude<Obstacle, "not_allowed"> | null;
  readonly form: ReactNode;
  readonly facts: ReactNode;
  /** Content below the form. */
  readonly children: ReactNode;
}

/** The page of an offer: the form, the facts next to it (below it on a phone), then the rest. */
export function OfferPage({ name, outcome, description, scope, form, facts, children, ...offer }: OfferPageProps) {
  const say = useWords();
  const { own } = useOwnWords();
  const { scopes } = useMe();
  const obstacle = offer.obstacle ?? (scopes.has(scope) ? null : "not_allowed");
  return (
    <Page title={name} lead={own(outcome)} above={<Back to="/capabilities">{say("back")}</Back>}>
      <div className="offer">
        <Section title={say("try")}>{obstacle === null ? form : <Obstructed by={obstacle} />}</Section>
        <Stack gap="md" className="offer-facts">
          <Text>{own(description)}</Text>
          <Stack component="dl" gap="sm" m={0}>
            {facts}
          </Stack>
        </Stack>
        <Stack gap="lg">{children}</Stack>
      </div>
    </Page>
  );
}
