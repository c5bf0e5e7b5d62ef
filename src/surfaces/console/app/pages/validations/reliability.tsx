import { Accordion, Alert, Stack, Text } from "@mantine/core";
import { useCountryName } from "../../shared/country-name.ts";
import { useFormat } from "../../shared/format.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { Rows } from "../../shared/rows.tsx";
import { Section } from "../../shared/section.tsx";
import type { Report } from "./queries.ts";
import { useLabel } from "./side.ts";
import { useWords } from "./words.ts";

/** How reliable a verdict is: who was asked, by which engine, and where its inputs come from. */
export function Reliability({ report }: { readonly report: Pick<Report, "card" | "market"> }) {
  const say = useWords();
  const { nameOf } = useOwnWords();
  const { percent } = useFormat();
  const labelOf = useLabel();
  const countryName = useCountryName();
  const { card, market } = report;
  const { name, version, model } = card.engine;
  return (
    <Section title={say("card")}>
      <Alert color="orange" variant="light" title={say("card_title")}>
        {say("card_text")}
      </Alert>
      <Stack gap={4}>
        <Text>{say("share", { share: percent(market.share, 1), market: countryName(market.code) })}</Text>
        <Text size="sm" c="dimmed">
          {say("engine", { engine: [name, version, model].filter(Boolean).join(" "), seed: card.seed })}
        </Text>
      </Stack>
      <Accordion variant="contained">
        <Accordion.Item value="inputs">
          <Accordion.Control>{labelOf(say("inputs", { count: card.inputs.length }))}</Accordion.Control>
          <Accordion.Panel>
            <Rows
              label={labelOf(say("source"))}
              rows={card.inputs}
              keyOf={(input) => `${input.name} ${input.source}`}
              columns={[
                { name: say("input"), cell: (input) => nameOf(input.name) },
                { name: say("input_status"), cell: ({ status }) => say(`input_${status}`) },
                { name: say("vintage"), cell: ({ vintage }) => vintage },
                { name: say("source"), cell: ({ source }) => source },
              ]}
            />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Section>
  );
}
