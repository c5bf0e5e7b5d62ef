import { Stack, Text } from "@mantine/core";
import { titleOf } from "../../../../../../products/capabilities/eu-market-data/titles.ts";
import { useCountryName } from "../../../shared/country-name.ts";
import { useFormat } from "../../../shared/format.ts";
import { useOwnWords } from "../../../shared/own-words.ts";
import { Rows } from "../../../shared/rows.tsx";
import { useLanguage } from "../../../shared/words.ts";
import { useWords } from "../words.ts";
import { FigureSources, Figures, useIndicatorName } from "./market.tsx";
import { Part } from "./parts.tsx";
import type { ResultProps } from "./shapes.ts";

/** A comparison of candidate markets, with the spending and the sellers in the best of them. */
export default function Structure({ result }: ResultProps<"structure">) {
  const say = useWords();
  const { language } = useLanguage();
  const { own } = useOwnWords();
  const { number } = useFormat();
  const countryName = useCountryName();
  const indicatorName = useIndicatorName();
  const { summary, scores, markets, sources } = result;
  const points = scores[0]?.parts.map(({ indicator, weight }) => ({ indicator, weight })) ?? [];
  return (
    <Stack>
      <Text className="passage">{own(summary)}</Text>
      <Rows
        label={say("points")}
        isOneOfMany
        rows={scores}
        keyOf={({ country }) => country}
        columns={[
          { name: say("market"), cell: ({ country }) => countryName(country) },
          ...points.map(({ indicator, weight }, at) => ({
            name: `${titleOf(indicator, language)} (${weight})`,
            isFigure: true,
            cell: ({ parts }: (typeof scores)[number]) => number(parts[at]?.points ?? 0),
          })),
          { name: say("points"), isFigure: true, cell: ({ score }) => number(score) },
        ]}
      />
      {markets.map(({ country, size, channels }) => (
        <Part key={country} title={countryName(country)}>
          {[...size, ...channels].length === 0 ? (
            <Text c="dimmed">{say("no_figures")}</Text>
          ) : (
            <Figures
              figures={[...size, ...channels]}
              head={say("indicator")}
              nameOf={({ indicator, title }) => indicatorName(indicator, title)}
            />
          )}
        </Part>
      ))}
      <FigureSources sources={sources} />
    </Stack>
  );
}
