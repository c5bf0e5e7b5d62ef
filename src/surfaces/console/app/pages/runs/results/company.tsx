import { Accordion, List, Stack, Text } from "@mantine/core";
import { useFormat } from "../../../shared/format.ts";
import { keyed } from "../../../shared/keyed.ts";
import { useOwnWords } from "../../../shared/own-words.ts";
import { Rows } from "../../../shared/rows.tsx";
import { useWords } from "../words.ts";
import { Card, Outside, Part } from "./parts.tsx";
import type { ResultOf, ResultProps } from "./shapes.ts";

type Evidence = NonNullable<ResultOf<"company-intelligence">["evidence"]>[number];

/** Quotations from the company's pages, each with its address. */
function EvidenceList({ evidence }: { readonly evidence: readonly Evidence[] }) {
  const { nameOf } = useOwnWords();
  return (
    <Stack component="ol" className="plain" gap="xs">
      {keyed(evidence).map(({ key, item: { field, value, url, place, excerpt } }) => (
        <Card key={key}>
          <Text fw={600}>
            {nameOf(field)}: {value}
          </Text>
          <Text size="sm" className="passage">
            {excerpt}
          </Text>
          <Text size="sm" c="dimmed" className="breaks">
            <Outside url={url}>{url}</Outside> · {place}
          </Text>
        </Card>
      ))}
    </Stack>
  );
}

/** What a company's pages say about it, with the confidence and the quotations that support it. */
export default function Company({ result }: ResultProps<"company-intelligence">) {
  const say = useWords();
  const { own } = useOwnWords();
  const { percent } = useFormat();
  const { company_name, target_audience, products_services, market, confidence, evidence = [], notes = [] } = result;
  const rows = [
    { field: "company_name", value: company_name },
    { field: "target_audience", value: target_audience },
    { field: "products_services", value: products_services.join("; ") || null },
    { field: "market", value: market },
  ] as const;
  return (
    <Stack>
      <Rows
        label={say("company_name")}
        isOneOfMany
        rows={rows}
        keyOf={({ field }) => field}
        columns={[
          { name: say("field"), cell: ({ field }) => say(field) },
          { name: say("pages_say"), cell: ({ value }) => value ?? say("not_said") },
          {
            name: say("confidence_short"),
            isFigure: true,
            cell: ({ field }) => (confidence ? percent(confidence[field]) : "–"),
          },
        ]}
      />
      {notes.length > 0 && (
        <Part title={say("caveats")}>
          <List size="sm" spacing={6}>
            {notes.map((note) => (
              <List.Item key={note}>{own(note)}</List.Item>
            ))}
          </List>
        </Part>
      )}
      {evidence.length > 0 && (
        <Accordion variant="contained">
          <Accordion.Item value="evidence">
            <Accordion.Control>
              {say("evidence")} ({evidence.length})
            </Accordion.Control>
            <Accordion.Panel>
              <EvidenceList evidence={evidence} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  );
}
