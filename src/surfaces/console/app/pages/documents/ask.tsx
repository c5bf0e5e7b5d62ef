import { Button, Group, Select, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useCountryName } from "../../shared/country-name.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { Section } from "../../shared/section.tsx";
import { Failed, Loading } from "../../shared/states.tsx";
import { useWords } from "./words.ts";

const CitedAnswer = lazy(() => import("../runs/results/cited-answer.tsx"));

interface AskProps {
  readonly markets: Schemas["InsuranceCoverage"]["markets"];
}

interface Place {
  readonly country: string | null;
  readonly line: string | null;
}

interface WhereProps extends AskProps {
  readonly where: Place;
  choose(where: Place): void;
}

/** The country to ask about, and an insurance line that its documents cover. */
function Where({ markets, where: { country, line }, choose }: WhereProps) {
  const say = useWords();
  const { nameOf } = useOwnWords();
  const countryName = useCountryName();
  const lines = markets.find(({ market }) => market === country)?.product_lines ?? [];
  return (
    <div className="columns">
      <Select
        label={say("country")}
        description={say("country_text")}
        required
        searchable
        data={markets.map(({ market }) => ({ value: market, label: countryName(market) }))}
        value={country}
        onChange={(value) => choose({ country: value, line: null })}
      />
      <Select
        label={say("product_line")}
        description={say("any_line")}
        clearable
        clearButtonProps={{ "aria-label": say("clear") }}
        data={lines.map((value) => ({ value, label: nameOf(value) }))}
        value={line}
        onChange={(value) => choose({ country, line: value })}
      />
    </div>
  );
}

/** A question about one country's documents, with the answer next to the passages it cites. */
export function Ask({ markets }: AskProps) {
  const say = useWords();
  const queries = useQueryClient();
  const [question, setQuestion] = useState("");
  const [where, choose] = useState<Place>({ country: null, line: null });
  const asking = useMutation({
    mutationFn: async (body: Schemas["AskRequest"]) => ({
      asked: body,
      answer: await bodyOf(api.POST("/v1/insurance/ask", { body })),
    }),
    // The first question builds the index.
    onSuccess: () => queries.invalidateQueries({ queryKey: ["insurance", "coverage"] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { country, line } = where;
    if (country !== null) asking.mutate({ question, country, ...(line !== null && { product_line: line }) });
  };
  return (
    <Section title={say("ask")}>
      <form onSubmit={submit}>
        <Stack>
          <Textarea
            label={say("question")}
            description={say("question_text")}
            required
            autosize
            minRows={2}
            minLength={3}
            value={question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
          />
          <Where markets={markets} where={where} choose={choose} />
          <Group justify="flex-end">
            <Button type="submit" loading={asking.isPending}>
              {say("ask")}
            </Button>
          </Group>
        </Stack>
      </form>
      {asking.isError && <Failed error={asking.error} />}
      {asking.data && (
        <Suspense fallback={<Loading lines={4} />}>
          <CitedAnswer input={asking.data.asked} result={asking.data.answer} />
        </Suspense>
      )}
    </Section>
  );
}
