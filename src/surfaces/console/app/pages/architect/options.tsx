import { Button, Group, Stack, Text } from "@mantine/core";
import type { Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { Rows } from "../../shared/rows.tsx";
import { Section } from "../../shared/section.tsx";
import { Failed, Loaded } from "../../shared/states.tsx";
import { Structured } from "../../shared/structured.tsx";
import { useDesign, useRecommendations } from "./solution.ts";
import { useWords } from "./words.ts";

type Option = Schemas["Recommendations"]["options"][number];

interface OptionViewProps {
  readonly option: Option;
  readonly isPending: boolean;
  choose(): void;
}

/** One option: how its score is made up, and its products with prices. */
function OptionView({ option, isPending, choose }: OptionViewProps) {
  const say = useWords();
  const { number } = useFormat();
  return (
    <Section title={say("option", { title: option.title, score: number(option.score) })}>
      <Text size="sm" c="dimmed">
        {option.parts.map(({ name, points, weight }) => `${name} ${number(points)}/${number(weight)}`).join(" · ")}
      </Text>
      <Rows
        label={option.title}
        rows={option.price.lines}
        keyOf={({ product }) => product}
        columns={[
          { name: say("product"), cell: ({ name }) => name },
          { name: say("credits"), isFigure: true, cell: ({ maximum_credits }) => number(maximum_credits) },
        ]}
      />
      <Text>{option.price.note}</Text>
      <Group justify="flex-end">
        <Button variant="default" loading={isPending} onClick={choose}>
          {say("choose", { title: option.title })}
        </Button>
      </Group>
    </Section>
  );
}

/** The resulting design: permissions, approvals and data flows. */
function DesignView({ design }: { readonly design: Schemas["Design"] }) {
  const say = useWords();
  const titles = new Map(design.nodes.map(({ id, title }) => [id, title]));
  return (
    <Section title={say("design")}>
      <Rows
        label={say("design")}
        rows={design.edges}
        keyOf={({ from, to }) => `${from} ${to}`}
        columns={[
          { name: say("from"), cell: ({ from }) => titles.get(from) ?? from },
          { name: say("what"), cell: ({ data }) => data },
          { name: say("to"), cell: ({ to }) => titles.get(to) ?? to },
        ]}
      />
      <Structured
        value={{
          [say("permissions")]: design.permissions,
          [say("approvals")]: design.approvals.map(({ title }) => title),
        }}
      />
      <Text>{design.price.note}</Text>
    </Section>
  );
}

/** The options, and the design of the chosen one. */
export function Options({ solution_id }: { readonly solution_id: string }) {
  const design = useDesign();
  return (
    <Loaded query={useRecommendations(solution_id)}>
      {({ options, budget }) => (
        <Stack gap="lg">
          <Text>{budget.note}</Text>
          {options.map((option) => (
            <OptionView
              key={option.id}
              option={option}
              isPending={design.isPending}
              choose={() => design.mutate({ solution_id, choices: option.chosen })}
            />
          ))}
          {design.isError && <Failed error={design.error} />}
          {design.data && <DesignView design={design.data} />}
        </Stack>
      )}
    </Loaded>
  );
}
