import { Alert, Group, Progress, Stack, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { Section } from "../../shared/section.tsx";
import { Answers } from "./charted.tsx";
import { Interval } from "./interval.tsx";
import { Notes } from "./notes.tsx";
import { People } from "./people.tsx";
import type { Report, Study } from "./queries.ts";
import { ReportView } from "./report.tsx";
import { VerdictBadge } from "./verdict.tsx";
import { useWords } from "./words.ts";

/** The progress of a running study. */
function Running({ progress: { completed, total } }: Pick<Study, "progress">) {
  const say = useWords();
  const text = say("progress", { completed, total });
  return (
    <Section title={say("running")}>
      <Text role="status">{text}</Text>
      <Progress value={total === 0 ? 0 : (completed / total) * 100} aria-label={text} />
    </Section>
  );
}

/** The parts that the hypothesis omits, or that could only be guessed. */
function Unsaid({ hypothesis }: Pick<Report, "hypothesis">) {
  const say = useWords();
  const { missing, unsure = [] } = hypothesis;
  const named = (parts: typeof missing): string => parts.map((part) => say(`part_${part}`)).join(", ");
  return (
    <>
      {missing.length > 0 && <Text size="sm">{say("missing", { parts: named(missing) })}</Text>}
      {unsure.length > 0 && <Text size="sm">{say("unsure", { parts: named(unsure) })}</Text>}
    </>
  );
}

/** The verdict at a glance: its confidence, its summary, and the intent against what is needed. */
function Verdict({ study }: { readonly study: Study }) {
  const say = useWords();
  const { percent } = useFormat();
  const { confidence, summary, report, decision_size } = study;
  return (
    <Section title={say("verdict")}>
      <Group gap="sm">
        <VerdictBadge study={study} />
        {confidence !== null && <Text c="dimmed">{say("confidence", { share: percent(confidence) })}</Text>}
      </Group>
      {summary !== null && <Text className="passage">{summary}</Text>}
      {report && <Notes notes={report.notes ?? []} />}
      {report && <Unsaid hypothesis={report.hypothesis} />}
      {report && <Interval report={report} size={decision_size} />}
    </Section>
  );
}

/** Counts the answers of an imported study, which has no report. */
function countsOf(people: Study["people"]): number[] {
  const counts = new Array<number>(11).fill(0);
  for (const { juster } of people) counts[Math.round(juster)] = (counts[Math.round(juster)] ?? 0) + 1;
  return counts;
}

/** Everything about a study that is available so far. */
export function StudyView({ study }: { readonly study: Study }) {
  const say = useWords();
  const { status, outcome, hypothesis, progress, error, verdict, report, people } = study;
  return (
    <Stack gap="lg">
      <Section title={say("hypothesis")}>
        <Text className="passage">{hypothesis}</Text>
      </Section>
      {status === "running" && <Running progress={progress} />}
      {error && (
        <Alert color="red" variant="light" title={say("no_verdict")} role="alert">
          {error.message} <code>{error.code}</code>
        </Alert>
      )}
      {(verdict !== null || outcome === "cancelled") && <Verdict study={study} />}
      {report && <ReportView report={report} />}
      {!report && people.length > 0 && <Answers counts={countsOf(people)} />}
      {people.length > 0 && <People people={people} />}
    </Stack>
  );
}
