import { List, Stack, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { asSentence } from "../../shared/own-words.ts";
import { type Column, Rows } from "../../shared/rows.tsx";
import { Section } from "../../shared/section.tsx";
import { Answers, Ladder } from "./charted.tsx";
import type { Report } from "./queries.ts";
import { Reliability } from "./reliability.tsx";
import { useLabel } from "./side.ts";
import { useWords } from "./words.ts";

/** A segment or an objection, with its share. */
interface Part {
  readonly label: string;
  readonly share: number;
  /** Number of personas; absent if only the share is known. */
  readonly personas?: number;
}

interface PartsProps {
  readonly title: string;
  /** Heading of the share's column. */
  readonly of: string;
  readonly parts: readonly Part[];
  /** How they were counted, where that could be misread. */
  readonly note?: string;
}

/** A table of shares; nothing if it is empty. */
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

/** The robustness checks: varied coefficients, the strongest objection. */
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

/** All findings of a study except its verdict. */
export function ReportView({ report }: { readonly report: Report }) {
  const say = useWords();
  const { condition, distribution, price, segments, objections, alternatives } = report;
  return (
    <Stack gap="lg">
      {condition && (
        <Section title={say("condition")}>
          <Text>{asSentence(condition.text)}</Text>
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
