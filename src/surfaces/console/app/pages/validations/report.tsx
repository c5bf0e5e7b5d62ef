import { List, Stack, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { type Column, Rows } from "../../shared/rows.tsx";
import { Section } from "../../shared/section.tsx";
import { Answers, Ladder } from "./charted.tsx";
import type { Report } from "./queries.ts";
import { Reliability } from "./reliability.tsx";
import { useLabel } from "./side.ts";
import { useWords } from "./words.ts";

/** A part of the people or their objections, with a share of them. */
interface Part {
  readonly label: string;
  readonly share: number;
  /** How many they are; absent where the share alone is known. */
  readonly personas?: number;
}

interface PartsProps {
  readonly title: string;
  /** What the share means. */
  readonly of: string;
  readonly parts: readonly Part[];
  /** How they were counted, where it could be taken for something else. */
  readonly note?: string;
}

/** Parts with their shares; nothing where there are none. */
function Parts({ title, of, parts, note }: PartsProps) {
  const say = useWords();
  const { number, percent } = useFormat();
  const labelOf = useLabel();
  if (parts.length === 0) return null;
  const counted: readonly Column<Part>[] = parts.some(({ personas }) => personas !== undefined)
    ? [{ name: say("personas"), isFigure: true, cell: ({ personas }) => number(personas ?? 0) }]
    : [];
  return (
    <Section title={title}>
      {note !== undefined && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
      <Rows
        label={labelOf(title)}
        rows={parts}
        keyOf={({ label }) => label}
        columns={[
          { name: title, cell: ({ label }) => label },
          ...counted,
          { name: of, isFigure: true, cell: ({ share }) => percent(share) },
        ]}
      />
    </Section>
  );
}

/** What was tried besides: other coefficients, the strongest objection. */
function Checks({ report: { sensitivity, red_team } }: { readonly report: Report }) {
  const say = useWords();
  const { percent } = useFormat();
  if (!sensitivity && !red_team) return null;
  return (
    <Section title={say("checks")}>
      <List spacing={6}>
        {sensitivity && (
          <List.Item>
            {say("sensitivity", {
              low: percent(sensitivity.low),
              high: percent(sensitivity.high),
              same: percent(sensitivity.same_verdict),
            })}
          </List.Item>
        )}
        {red_team && <List.Item>{say("red_team", { intent: percent(red_team.intent) })}</List.Item>}
      </List>
    </Section>
  );
}

/** Everything that a study found besides its verdict. */
export function ReportView({ report }: { readonly report: Report }) {
  const say = useWords();
  const { condition, distribution, price, segments, objections, alternatives } = report;
  return (
    <Stack gap="lg">
      {condition && (
        <Section title={say("condition")}>
          <Text>{condition.text}</Text>
        </Section>
      )}
      <Answers counts={distribution} />
      {price && <Ladder price={price} />}
      <Parts
        title={say("segments")}
        of={say("would_buy")}
        parts={segments.map(({ label, personas, intent: share }) => ({ label, personas, share }))}
      />
      <Parts title={say("objections")} of={say("of_people")} parts={objections} note={say("objections_text")} />
      <Parts
        title={say("alternatives")}
        of={say("would_buy")}
        parts={alternatives.map(({ name, label = name, intent: share }) => ({ label, share }))}
      />
      <Checks report={report} />
      <Reliability report={report} />
    </Stack>
  );
}
