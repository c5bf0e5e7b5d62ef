import { Alert, Group, Progress, Stack, Text } from "@mantine/core";
import type { Schemas } from "../../shared/api.ts";
import { now } from "../../shared/browser.ts";
import { useFormat } from "../../shared/format.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { StatusBadge } from "./status.tsx";
import { useWords } from "./words.ts";

type Step = Schemas["Step"];

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns a step's position within the run's time span, in percent, with a minimum visible width. */
function placeOf({ started_at, finished_at }: Step, { from, to }: Span): { left: string; width: string } | undefined {
  if (started_at === null) return undefined;
  const whole = Math.max(1, to - from);
  const begin = Math.min(98, ((Date.parse(started_at) - from) / whole) * 100);
  const end = (((finished_at === null ? to : Date.parse(finished_at)) - from) / whole) * 100;
  return { left: `${begin}%`, width: `${Math.max(2, Math.min(100, end) - begin)}%` };
}

function StepRow({ step, span }: { readonly step: Step; readonly span: Span }) {
  const say = useWords();
  const { own } = useOwnWords();
  const { duration, clock, number } = useFormat();
  const place = placeOf(step, span);
  const { started_at, finished_at, progress, error } = step;
  const took = started_at !== null && finished_at !== null ? Date.parse(finished_at) - Date.parse(started_at) : null;
  return (
    <Stack gap={4} component="li">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={600}>{own(step.title)}</Text>
          <StatusBadge status={step.status} />
          {step.attempt > 1 && (
            <Text size="sm" c="dimmed">
              {say("attempt", { count: step.attempt })}
            </Text>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {[
            ...(started_at === null ? [] : [clock(started_at)]),
            ...(took === null ? [] : [duration(took)]),
            ...(step.maximum_credits === 0
              ? []
              : [`${number(step.charged_credits)} / ${number(step.maximum_credits)}`]),
          ].join(" · ")}
        </Text>
      </Group>
      <div className="timeline-track" aria-hidden="true">
        {place && <div className={`timeline-bar timeline-${step.status}`} style={place} />}
      </div>
      {progress && (
        <Group gap="sm">
          <Progress
            value={progress.total === 0 ? 0 : (progress.completed / progress.total) * 100}
            flex={1}
            aria-label={progress.stage}
          />
          <Text size="sm" c="dimmed">
            {progress.stage} {number(progress.completed)}/{number(progress.total)}
          </Text>
        </Group>
      )}
      {error && (
        <Alert color="red" variant="light" py="xs">
          {own(error.message)} <code>{error.code}</code>
        </Alert>
      )}
    </Stack>
  );
}

/** The run's steps on a time axis, updated while the run is in progress. */
export function Timeline({ run }: { readonly run: Schemas["Run"] }) {
  const starts = run.steps.flatMap(({ started_at }) => (started_at === null ? [] : [Date.parse(started_at)]));
  const from = Math.min(...starts, Date.parse(run.created_at));
  const to = run.finished_at === null ? now() : Date.parse(run.finished_at);
  return (
    <Stack component="ol" className="plain" gap="md" aria-live="polite">
      {run.steps.map((step) => (
        <StepRow key={step.key} step={step} span={{ from, to }} />
      ))}
    </Stack>
  );
}
