import { Anchor, Badge, Button, Text } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Link } from "react-router";
import { useFormat } from "../../shared/format.ts";
import { Rows } from "../../shared/rows.tsx";
import { Section } from "../../shared/section.tsx";
import { useKeptSolutions } from "./kept.ts";
import { resumed } from "./solution.ts";
import { useWords } from "./words.ts";

/** The solutions whose links this browser stores, each with its current state from the server. */
export function KeptSolutions() {
  const say = useWords();
  const { dateTime } = useFormat();
  const { solutions, remove } = useKeptSolutions();
  const opened = useQueries({ queries: solutions.map(({ token }) => ({ ...resumed(token), retry: false })) });
  const rows = solutions.flatMap((solution, i) => {
    const found = opened[i]?.data;
    return found ? [{ ...solution, found }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <Section title={say("kept")}>
      <Text c="dimmed">{say("kept_text")}</Text>
      <Rows
        label={say("kept")}
        rows={rows}
        keyOf={({ solution_id }) => solution_id}
        columns={[
          {
            name: say("company"),
            cell: ({ token, found }) => (
              <Anchor component={Link} to={`/architect/resume#${token}`}>
                {found.intake.company}
              </Anchor>
            ),
          },
          { name: say("goals"), cell: ({ found }) => found.intake.goals[0] },
          {
            name: say("state"),
            cell: ({ found }) => (
              <Badge variant="light" color={found.saved ? "green" : "gray"} radius="sm">
                {say(found.saved ? "state_saved" : "state_described")}
              </Badge>
            ),
          },
          { name: say("until"), cell: ({ found }) => dateTime(found.expires_at) },
          {
            name: "",
            holds: "button",
            cell: (row) => (
              <Button variant="subtle" size="xs" onClick={() => remove(row)}>
                {say("forget")}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  );
}
