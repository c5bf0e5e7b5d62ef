import { List, Stack, Text } from "@mantine/core";
import { useCountryName } from "../../../shared/country-name.ts";
import { useFormat } from "../../../shared/format.ts";
import { keyed } from "../../../shared/keyed.ts";
import { useOwnWords } from "../../../shared/own-words.ts";
import { Rows } from "../../../shared/rows.tsx";
import { useWords } from "../words.ts";
import { Outside } from "./parts.tsx";
import type { ResultProps } from "./shapes.ts";

/** The companies that match the wanted customer, each with its reasons. */
export default function Targets({ result }: ResultProps<"targets">) {
  const say = useWords();
  const { number } = useFormat();
  const { nameOf, own } = useOwnWords();
  const countryName = useCountryName();
  const { targets, read_as, searched, notes } = result;
  return (
    <Stack>
      {read_as.length > 0 && <Text>{say("read_as", { demands: read_as.map(nameOf).join(", ") })}</Text>}
      <Rows
        label={say("targets")}
        isOneOfMany
        rows={targets}
        keyOf={({ candidate_id }) => candidate_id}
        columns={[
          { name: say("name"), cell: ({ name, website }) => <Outside url={website}>{name}</Outside> },
          { name: say("place"), cell: ({ city, country }) => city ?? countryName(country) },
          { name: say("sector"), cell: ({ sector }) => sector ?? "–" },
          { name: say("persons"), isFigure: true, cell: ({ persons }) => (persons === null ? "–" : number(persons)) },
          { name: say("reliability"), cell: ({ reliability }) => reliability },
          {
            name: say("fits"),
            cell: ({ reasons }) => reasons.map(({ words, value }) => `${words}: ${value}`).join("; "),
          },
        ]}
      />
      <List size="sm" spacing={6}>
        {keyed([...searched.reasons, ...notes]).map(({ key, item }) => (
          <List.Item key={key}>{own(item)}</List.Item>
        ))}
      </List>
    </Stack>
  );
}
