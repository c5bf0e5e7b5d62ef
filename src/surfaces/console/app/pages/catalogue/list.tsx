import { Anchor, Badge, Button, Group, NativeSelect, Paper, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useCountryName } from "../../shared/country-name.ts";
import { useFormat } from "../../shared/format.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { Page } from "../../shared/page.tsx";
import { Empty, Loaded } from "../../shared/states.tsx";
import { useLanguage } from "../../shared/words.ts";
import { useCatalogueNames } from "../runs/queries.ts";
import { type Offer, offerOfCapability, offerOfUseCase, pathOf } from "./offer.ts";
import { useWords } from "./words.ts";

/** Returns a function that formats an offer's price. */
export function usePriceOf(): (offer: Pick<Offer, "kind" | "credits" | "pricing">) => string {
  const say = useWords();
  const { number } = useFormat();
  return ({ kind, credits, pricing }) => {
    if (pricing === "contract") return say("pricing_contract");
    if (credits === 0) return say("free");
    const amount = say("credits", { count: credits, shown: number(credits) });
    return kind === "use_case"
      ? say("at_most", { credits: amount })
      : `${amount} ${say(`pricing_${pricing ?? "per_run"}`)}`;
  };
}

function OfferCard({ offer }: { readonly offer: Offer }) {
  const say = useWords();
  const priceOf = usePriceOf();
  const countryName = useCountryName();
  return (
    <Paper withBorder p="md" component="li" className="card">
      <Stack gap={6} h="100%">
        <Group justify="space-between" gap="xs" align="flex-start">
          <Anchor component={Link} to={pathOf(offer)} fw={600} className="card-link">
            {offer.name}
          </Anchor>
          {(offer.status === "pilot" || !offer.runnable) && (
            <Badge variant="light" color="gray" radius="sm" tt="none" miw="max-content">
              {offer.runnable ? say("status_pilot") : say("closed")}
            </Badge>
          )}
        </Group>
        <Text size="sm" flex={1}>
          {offer.outcome}
        </Text>
        <Text size="sm" c="dimmed">
          {say(offer.kind)} · {priceOf(offer)} · {offer.countries.map(countryName).join(", ")}
        </Text>
      </Stack>
    </Paper>
  );
}

interface Filter {
  readonly words: string;
  readonly country: string;
  readonly kind: string;
}
const unfiltered: Filter = { words: "", country: "", kind: "" };

/** Returns the filter and its setter. The filter is also in the address, so that a filtered catalogue can be linked. */
function useFilter(): readonly [Filter, (filter: Filter) => void] {
  const [search, setSearch] = useSearchParams();
  const named = (name: keyof Filter): string => search.get(name) ?? "";
  // The address is updated later: a field bound to it would lose fast typing.
  const [filter, setFilter] = useState<Filter>({
    words: named("words"),
    country: named("country"),
    kind: named("kind"),
  });
  return [
    filter,
    (changed) => {
      setFilter(changed);
      setSearch(
        Object.entries(changed).filter(([, value]) => value !== ""),
        { replace: true },
      );
    },
  ];
}

const fits = ({ words, country, kind }: Filter, { slug, name, outcome, countries, kind: own }: Offer): boolean => {
  const text = `${slug} ${name} ${outcome}`.toLowerCase();
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    wanted.every((word) => text.includes(word)) &&
    (country === "" || countries.includes(country)) &&
    (kind === "" || kind === own)
  );
};

interface FiltersProps {
  readonly filter: Filter;
  readonly countries: readonly string[];
  change(filter: Filter): void;
}

function Filters({ filter, countries, change }: FiltersProps) {
  const say = useWords();
  const countryName = useCountryName();
  const { language } = useLanguage();
  const { compare } = new Intl.Collator(language);
  const named = countries.map((value) => ({ value, label: countryName(value) }));
  const kinds = [
    { value: "", label: say("everything") },
    { value: "use_case", label: say("use_cases") },
    { value: "capability", label: say("capabilities") },
  ];
  return (
    <div className="filters">
      <TextInput
        className="whole"
        type="search"
        label={say("search")}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={filter.words}
        onChange={({ currentTarget }) => change({ ...filter, words: currentTarget.value })}
      />
      <NativeSelect
        label={say("kind")}
        data={kinds}
        value={filter.kind}
        onChange={({ currentTarget }) => change({ ...filter, kind: currentTarget.value })}
      />
      <NativeSelect
        label={say("country")}
        data={[{ value: "", label: say("any_country") }, ...named.sort((a, b) => compare(a.label, b.label))]}
        value={filter.country}
        onChange={({ currentTarget }) => change({ ...filter, country: currentTarget.value })}
      />
    </div>
  );
}

/** The catalogue: use cases, and the capabilities that they consist of. */
export default function Catalogue() {
  const say = useWords();
  const { own } = useOwnWords();
  const [filter, setFilter] = useFilter();
  return (
    <Page title={say("title")} lead={say("lead")}>
      <Loaded query={useCatalogueNames()}>
        {({ capabilities, useCases }) => {
          const sold = [...useCases.map(offerOfUseCase), ...capabilities.map(offerOfCapability)];
          const offers = sold.map((offer) => ({ ...offer, outcome: own(offer.outcome) }));
          const countries = [...new Set(offers.flatMap(({ countries }) => countries))];
          const found = offers.filter((offer) => fits(filter, offer));
          return (
            <Stack gap="lg">
              <Filters filter={filter} countries={countries} change={setFilter} />
              {found.length === 0 && (
                <Empty icon={IconSearch} title={say("none_found")} text={say("none_found_text")}>
                  <Button variant="default" onClick={() => setFilter(unfiltered)}>
                    {say("clear")}
                  </Button>
                </Empty>
              )}
              <SimpleGrid component="ul" className="plain" cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
                {found.map((offer) => (
                  <OfferCard key={pathOf(offer)} offer={offer} />
                ))}
              </SimpleGrid>
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}
