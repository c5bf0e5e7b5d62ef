import { Stack, Text } from "@mantine/core";
import { useOwnWords } from "../../../shared/own-words.ts";
import { useWords } from "../words.ts";
import { Figures } from "./market.tsx";
import type { ResultProps } from "./shapes.ts";

/** Figures on groups of sellers, each with its source. A group that is too small has no value. */
export default function Distribution({ result: { summary, aggregates } }: ResultProps<"distribution-intelligence">) {
  const say = useWords();
  const { nameOf } = useOwnWords();
  return (
    <Stack>
      <Text className="passage">{summary}</Text>
      <Figures
        figures={aggregates}
        head={say("indicator")}
        nameOf={({ indicator, group }) => [nameOf(indicator), group].filter(Boolean).join(" · ")}
      />
    </Stack>
  );
}
