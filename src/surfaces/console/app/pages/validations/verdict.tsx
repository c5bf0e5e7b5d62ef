import { Badge } from "@mantine/core";
import type { Listed } from "./queries.ts";
import { useWords } from "./words.ts";

const colors = { GO: "green", CONDITIONAL: "orange", "NO-GO": "red" } as const;

/** How a study ended, in a word; its colour says it again. */
export function VerdictBadge({ study }: { readonly study: Pick<Listed, "verdict" | "outcome"> }) {
  const say = useWords();
  const { verdict, outcome } = study;
  const color = verdict ? colors[verdict] : outcome === null ? "blue" : outcome === "failed" ? "red" : "gray";
  return (
    <Badge variant="light" color={color} radius="sm" tt="none" fw={600} miw="max-content">
      {verdict ?? say(outcome === null ? "running" : `outcome_${outcome}`)}
    </Badge>
  );
}
