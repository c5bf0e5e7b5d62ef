import { Accordion, Group, Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useCountryName } from "../../shared/country-name.ts";
import { Figure } from "../../shared/figure.tsx";
import { useFormat } from "../../shared/format.ts";
import { keyed } from "../../shared/keyed.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { Rows } from "../../shared/rows.tsx";
import { Section } from "../../shared/section.tsx";
import { Empty, Loaded } from "../../shared/states.tsx";
import { useWords } from "./words.ts";

/** The totals at a glance. */
export function Totals({ coverage }: { readonly coverage: Schemas["InsuranceCoverage"] }) {
  const say = useWords();
  const { number } = useFormat();
  const { markets, index } = coverage;
  const documents = markets.reduce((sum, market) => sum + market.documents, 0);
  // New documents are indexed with the next question; until then the index's passages are incomplete.
  const isCurrent = index.status === "ready" && index.documents === documents;
  return (
    <Group gap="sm" align="stretch">
      <Figure name={say("documents")} value={number(documents)} />
      {isCurrent && <Figure name={say("passages")} value={number(index.passages)} />}
      <Figure name={say("markets")} value={number(markets.length)} />
      <Figure
        name={say("index")}
        value={say(index.status === "ready" && !isCurrent ? "index_behind" : `index_${index.status}`)}
      />
    </Group>
  );
}

/** The coverage of each market. */
export function Markets({ markets }: Pick<Schemas["InsuranceCoverage"], "markets">) {
  const say = useWords();
  const { number } = useFormat();
  const { nameOf } = useOwnWords();
  const countryName = useCountryName();
  return (
    <Section title={say("coverage")}>
      <Rows
        label={say("coverage")}
        rows={markets}
        keyOf={({ market }) => market}
        columns={[
          { name: say("market"), cell: ({ market }) => countryName(market) },
          { name: say("documents"), isFigure: true, cell: ({ documents }) => number(documents) },
          { name: say("valid_today"), isFigure: true, cell: ({ valid_today }) => number(valid_today) },
          { name: say("product_lines"), cell: ({ product_lines }) => product_lines.map(nameOf).join(", ") || "–" },
          { name: say("languages"), cell: ({ languages }) => languages.join(", ") },
        ]}
      />
    </Section>
  );
}

/** The providers with documents, of one country or of all. */
export function Providers({ markets }: Pick<Schemas["InsuranceCoverage"], "markets">) {
  const say = useWords();
  const { number } = useFormat();
  const { nameOf } = useOwnWords();
  const countryName = useCountryName();
  const [country, choose] = useState<string | null>(null);
  const query = useQuery({
    queryKey: ["insurance", "providers", country],
    queryFn: () =>
      bodyOf(api.GET("/v1/insurance/providers", { params: { query: country === null ? {} : { country } } })),
  });
  return (
    <Section title={say("providers")}>
      <Select
        label={say("market")}
        description={say("all_markets")}
        clearable
        clearButtonProps={{ "aria-label": say("clear") }}
        maw={320}
        data={markets.map(({ market }) => ({ value: market, label: countryName(market) }))}
        value={country}
        onChange={choose}
      />
      <Loaded query={query}>
        {({ providers }) =>
          providers.length === 0 ? (
            <Empty title={say("providers_none")} />
          ) : (
            <Rows
              label={say("providers")}
              rows={providers}
              keyOf={({ carrier }) => carrier}
              columns={[
                { name: say("carrier"), cell: ({ carrier }) => carrier },
                { name: say("markets"), cell: (provider) => provider.markets.map(countryName).join(", ") },
                { name: say("product_lines"), cell: ({ product_lines }) => product_lines.map(nameOf).join(", ") },
                { name: say("documents"), isFigure: true, cell: ({ documents }) => number(documents) },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

/** Every class of documents, for those who need the details. */
export function Catalogue() {
  const say = useWords();
  const { number } = useFormat();
  const { own, nameOf } = useOwnWords();
  const countryName = useCountryName();
  const query = useQuery({
    queryKey: ["insurance", "catalog"],
    queryFn: () => bodyOf(api.GET("/v1/insurance/catalog")),
  });
  return (
    <Section title={say("catalogue")}>
      <Loaded query={query}>
        {({ document_classes, provenance }) => (
          <Stack>
            <Rows
              label={say("provenance")}
              rows={provenance}
              keyOf={({ name }) => name}
              columns={[
                { name: say("provenance"), cell: ({ name }) => nameOf(name) },
                { name: say("meaning"), cell: ({ meaning }) => own(meaning) },
                { name: say("documents"), isFigure: true, cell: ({ documents }) => number(documents) },
              ]}
            />
            <Accordion variant="contained">
              <Accordion.Item value="classes">
                <Accordion.Control>{say("classes", { shown: document_classes.length })}</Accordion.Control>
                <Accordion.Panel>
                  <Rows
                    label={say("catalogue")}
                    rows={keyed(document_classes)}
                    keyOf={({ key }) => key}
                    columns={[
                      { name: say("market"), cell: ({ item }) => countryName(item.market) },
                      { name: say("carrier"), cell: ({ item }) => item.carrier ?? "–" },
                      { name: say("product_line"), cell: ({ item }) => nameOf(item.product_line ?? "–") },
                      { name: say("type"), cell: ({ item }) => nameOf(item.document_type ?? "–") },
                      { name: say("provenance"), cell: ({ item }) => nameOf(item.provenance) },
                      { name: say("documents"), isFigure: true, cell: ({ item }) => number(item.documents) },
                    ]}
                  />
                </Accordion.Panel>
              </Accordion.Item>
            </Accordion>
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
