import { Badge } from "@mantine/core";
import type { Listed } from "./queries.ts";
import { useWords } from "./words.ts";

const colors = { GO: "green", CONDITIONAL: "orange", "NO-GO": "red" } as const;

/** The outcome of a study in one word, with a matching colour. */
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
