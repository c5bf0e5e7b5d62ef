import { List, Stack, Text } from "@mantine/core";
import { useOwnWords } from "../../../shared/own-words.ts";
import { useWords } from "../words.ts";
import { FigureSources, Figures, useIndicatorName } from "./market.tsx";
import { Part } from "./parts.tsx";
import type { ResultProps } from "./shapes.ts";

/** The German market's key figures: a summary, each figure with its source, and caveats. */
export default function Germany({ result }: ResultProps<"germany-market-intelligence">) {
  const say = useWords();
  const { own } = useOwnWords();
  const indicatorName = useIndicatorName();
  const { summary, data, sources } = result;
  return (
    <Stack>
      <Text className="passage">{summary}</Text>
      <Figures
        figures={data.metrics}
        head={say("indicator")}
        nameOf={({ indicator, title }) => indicatorName(indicator, title)}
      />
      {data.caveats.length > 0 && (
        <Part title={say("caveats")}>
          <List size="sm" spacing={8}>
            {data.caveats.map((caveat) => (
              <List.Item key={caveat}>{own(caveat)}</List.Item>
            ))}
          </List>
        </Part>
      )}
      <FigureSources sources={sources} />
    </Stack>
  );
}
