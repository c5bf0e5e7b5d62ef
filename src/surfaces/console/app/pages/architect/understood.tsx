import { Alert, Badge, Group, List, Stack, Text } from "@mantine/core";
import type { Schemas } from "../../shared/api.ts";
import { Code } from "../../shared/code.tsx";
import { useFormat } from "../../shared/format.ts";
import { Rows } from "../../shared/rows.tsx";
import { Section } from "../../shared/section.tsx";
import { Loaded } from "../../shared/states.tsx";
import { resumeLink, useBlueprint, useInventory } from "./solution.ts";
import { useWords } from "./words.ts";

const colors = { match: "green", partial: "orange", refused: "gray" } as const;

/**
 * Which product serves which need, and why. "Refused" marks a product that would serve the need but is ruled out;
 * products that serve no need are left out.
 */
function Matches({ blueprint }: { readonly blueprint: Schemas["Blueprint"] }) {
  const say = useWords();
  const titles = new Map(blueprint.needs.map(({ id, title }) => [id, title]));
  const names = new Map(blueprint.products.map(({ slug, name }) => [slug, name]));
  const comparable = new Set(blueprint.needs.filter(({ known }) => known).map(({ id }) => id));
  const serving = blueprint.matrix.filter(
    ({ need, reasons }) => comparable.has(need) && reasons.every(({ code }) => code !== "other_outcome"),
  );
  if (serving.length === 0) return null;
  return (
    <Rows
      label={say("matches")}
      rows={serving}
      keyOf={({ need, product }) => `${need} ${product}`}
      columns={[
        { name: say("need"), cell: ({ need }) => titles.get(need) ?? need },
        { name: say("product"), cell: ({ product }) => names.get(product) ?? product },
        {
          name: say("fit"),
          cell: ({ verdict }) => (
            <Badge variant="light" color={colors[verdict]} radius="sm">
              {say(`fit_${verdict}`)}
            </Badge>
          ),
        },
        { name: say("reason"), cell: ({ reasons }) => reasons.map(({ text }) => text).join(" ") },
      ]}
    />
  );
}

/** The needs that no product serves, and why. */
function Unserved({ blueprint: { unserved } }: { readonly blueprint: Schemas["Blueprint"] }) {
  const say = useWords();
  if (unserved.length === 0) return null;
  return (
    <Alert color="orange" variant="light" title={say("unserved")}>
      <List spacing={6}>
        {unserved.map(({ need, title, reason }) => (
          <List.Item key={need}>
            {title}: {reason}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** What was understood of the goals, the open questions, and the matching products. */
export function Understood({ intake }: { readonly intake: Schemas["Intake"] }) {
  const say = useWords();
  const { number, percent } = useFormat();
  const inventory = useInventory();
  const { completeness, needs, missing, contradictions, solution_id, resume_token } = intake;
  return (
    <Stack gap="lg">
      <Section title={say("needs")}>
        <Text c="dimmed">{say("complete", { share: percent(completeness) })}</Text>
        <List spacing={6}>
          {needs.map(({ id, title, known }) => (
            <List.Item key={id}>
              <Group gap="xs">
                {title}
                {!known && (
                  <Badge variant="light" color="orange" radius="sm">
                    {say("unknown")}
                  </Badge>
                )}
              </Group>
            </List.Item>
          ))}
        </List>
      </Section>
      {contradictions.map(({ message }) => (
        <Alert key={message} color="orange" variant="light" title={say("contradiction")}>
          {message}
        </Alert>
      ))}
      {missing.length > 0 && (
        <Section title={say("open")}>
          <List spacing={6}>
            {missing.map(({ field, question }) => (
              <List.Item key={field}>{question}</List.Item>
            ))}
          </List>
        </Section>
      )}
      {resume_token !== null && (
        <Section title={say("resume_link")}>
          <Text c="dimmed">{say("resume_text")}</Text>
          <Code text={resumeLink(resume_token)} label={say("resume_link")} />
        </Section>
      )}
      <Section title={say("matches")}>
        {inventory.data && (
          <Text c="dimmed">{say("inventory", { products: number(inventory.data.products.length) })}</Text>
        )}
        <Loaded query={useBlueprint(solution_id)}>
          {(blueprint) => (
            <>
              <Unserved blueprint={blueprint} />
              <Matches blueprint={blueprint} />
            </>
          )}
        </Loaded>
      </Section>
    </Stack>
  );
}
