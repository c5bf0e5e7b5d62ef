import { Alert, Button, Collapse, Progress, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPrinter, IconRefresh } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useId } from "react";
import { Link, useParams } from "react-router";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { Back } from "../../shared/back.tsx";
import { installedAt } from "../../shared/browser.ts";
import { useFormat } from "../../shared/format.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { Page } from "../../shared/page.tsx";
import { Section } from "../../shared/section.tsx";
import { useMe } from "../../shared/session.ts";
import { Failed, Loaded, Loading } from "../../shared/states.tsx";
import { Structured } from "../../shared/structured.tsx";
import { approvedOf, mayDecide, useDecider } from "../approvals/decision.ts";
import { isMoving, slugOf, useNameOf, useRun } from "./queries.ts";
import { ReceiptSection } from "./receipt.tsx";
import { Result, saysInput } from "./results/result.tsx";
import { reportAmong } from "./results/shapes.ts";
import { Steps } from "./results/steps.tsx";
import { StatusBadge } from "./status.tsx";
import { Timeline } from "./timeline.tsx";
import { useWords } from "./words.ts";

const ReportView = lazy(() => import("./results/report.tsx"));

type Run = Schemas["Run"];

/** Content behind a button, for details that few need. */
function Behind({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const id = useId();
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs" align="stretch">
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        style={{ alignSelf: "flex-start" }}
      >
        {name}
      </Button>
      <Collapse expanded={isOpen} id={id}>
        {isOpen && children}
      </Collapse>
    </Stack>
  );
}

/** A value as JSON, behind a button. */
function Raw({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <Behind name={name}>
      <section className="json" aria-label={name}>
        {JSON.stringify(value, null, 2)}
      </section>
    </Behind>
  );
}

function StepResults({ run, steps }: { readonly run: Run; readonly steps: Run["steps"] }) {
  const { own } = useOwnWords();
  const single = run.kind === "capability";
  return steps.map(({ key, title, capability, result }) => (
    <Stack key={key} gap="sm">
      {!single && (
        <Title order={3} size="h4">
          {own(title)}
        </Title>
      )}
      <Result capability={capability} input={run.input} result={result} />
    </Stack>
  ));
}

/** The run's result. A report already contains what the earlier steps found, so those are shown on request. */
function ResultSection({ run }: { readonly run: Run }) {
  const say = useWords();
  const delivered = run.steps.filter(({ result }) => result !== null);
  const found = reportAmong(delivered);
  // Until the report exists, the earlier steps' results are listed under their titles.
  const isAwaited = !found && run.steps.some(({ capability }) => capability === "report");
  return (
    <Section title={say("result")}>
      {delivered.length === 0 && <Text c="dimmed">{say(isMoving(run) ? "working" : "no_result")}</Text>}
      {found && (
        <Suspense fallback={<Loading lines={8} />}>
          <ReportView report={found.report} />
        </Suspense>
      )}
      {found && (
        <Behind name={say("step_results")}>
          <Steps input={run.input} steps={delivered.filter((step) => step.key !== found.key)} />
        </Behind>
      )}
      {!found &&
        (isAwaited ? <Steps input={run.input} steps={delivered} /> : <StepResults run={run} steps={delivered} />)}
      {run.result !== null && <Raw name={say("raw")} value={run.result} />}
    </Section>
  );
}

/**
 * Returns the input's members without the empty ones. A summary stored in place of an input has many that are false.
 */
const saidIn = (input: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(typeof input === "object" && input !== null ? input : {}).filter(
    ([, value]) => value !== null && value !== "" && value !== false && !(Array.isArray(value) && value.length === 0),
  );

/** The run's input, unless its results already show it. */
function AskedSection({ run }: { readonly run: Run }) {
  const say = useWords();
  const said = saidIn(run.input);
  if (said.length === 0 || saysInput(run.steps.filter(({ result }) => result !== null))) return null;
  return (
    <Section title={say("input")}>
      <Structured value={Object.fromEntries(said)} />
    </Section>
  );
}

function ChargesSection({ charges, status }: { readonly charges: Run["charges"]; readonly status: Run["status"] }) {
  const say = useWords();
  const { number } = useFormat();
  const { charged_credits, maximum_credits, reserved_credits, released_credits } = charges;
  // The amount reserved at first, less what was since charged or released.
  const still = reserved_credits - charged_credits - released_credits;
  const amounts = { charged: number(charged_credits), maximum: number(maximum_credits) };
  const text = maximum_credits === 0 ? say("included") : say("charged_of", amounts);
  const isOver = !isMoving({ status }) && status !== "awaiting_approval";
  return (
    <Section title={say("charges")}>
      <Stack gap={6}>
        <Text fw={600}>{text}</Text>
        {maximum_credits > 0 && <Progress value={(charged_credits / maximum_credits) * 100} aria-label={text} />}
        {isOver && released_credits > 0 && (
          <Text size="sm" c="dimmed">
            {say("released", { released: number(released_credits) })}
          </Text>
        )}
        {!isOver && still > 0 && (
          <Text size="sm" c="dimmed">
            {say("still_reserved", { reserved: number(still) })}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

const surfaces = ["rest", "mcp", "cli", "web"] as const;

function DetailsSection({ run }: { readonly run: Run }) {
  const say = useWords();
  const { dateTime } = useFormat();
  const { engine } = run;
  const surface = surfaces.find((one) => one === run.surface);
  const rows: readonly (readonly [string, string])[] = [
    [say("started"), dateTime(run.created_at)],
    [say("surface"), surface ? say(`surface_${surface}`) : run.surface],
    [say("version"), run.semantic_version],
    ...(engine
      ? ([[say("engine"), [engine.name, engine.version, engine.model].filter(Boolean).join(" ")]] as const)
      : []),
    [say("run_id"), run.id],
  ];
  return (
    <Section title={say("details")}>
      <Table withRowBorders={false} verticalSpacing={3} horizontalSpacing={0}>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th fw={400} className="quiet nowrap" pr="md">
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Raw name={say("raw_input")} value={run.input} />
    </Section>
  );
}

interface ApprovalNoticeProps {
  readonly run: Run;
  readonly approval: Schemas["Approval"];
}

/** The pending approval with a link to decide it, or who decided it. */
function ApprovalNotice({ run, approval }: ApprovalNoticeProps) {
  const say = useWords();
  const { own } = useOwnWords();
  const { dateTime } = useFormat();
  const { decision, decided_at, expires_at, reason, comment } = approval;
  const { all, approved, isInPart } = approvedOf(approval);
  const by = useDecider()(approval);
  const me = useMe();
  const verdict = (at: string): string => {
    if (by === undefined) return say("approval_expired", { at });
    return say(isInPart ? "approval_items" : `approval_${decision ?? "reject"}`, { at, by, approved, all });
  };
  const waits = run.status === "awaiting_approval";
  return (
    <Alert
      color={decision === "reject" ? "red" : decision ? "green" : "orange"}
      variant="light"
      title={say("approval")}
    >
      {decision && decided_at
        ? verdict(dateTime(decided_at))
        : say("approval_waits", { until: dateTime(expires_at), reason: own(reason) })}
      {comment !== null && <Text size="sm">{comment}</Text>}
      {waits && mayDecide(me) && (
        <Button component={Link} to={`/approvals/${run.id}`} size="xs" mt="xs">
          {say("decide")}
        </Button>
      )}
    </Alert>
  );
}

function Actions({ run }: { readonly run: Run }) {
  const say = useWords();
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => bodyOf(api.POST("/v1/runs/{run_id}/cancel", { params: { path: { run_id: run.id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ["run", run.id] }),
  });
  const kind = run.kind === "capability" ? "capabilities" : "use-cases";
  if (isMoving(run) || run.status === "awaiting_approval")
    return (
      <Stack gap="xs">
        <Button variant="default" color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {say("cancel")}
        </Button>
        {cancel.isError && <Failed error={cancel.error} />}
      </Stack>
    );
  return (
    <>
      <Button
        component="a"
        variant="default"
        target="_blank"
        leftSection={<IconPrinter size={16} />}
        href={`${installedAt}/v1/runs/${run.id}/document?format=html`}
      >
        {say("report")}
      </Button>
      <Button
        component={Link}
        variant="default"
        leftSection={<IconRefresh size={16} />}
        to={`/${kind}/${slugOf(run)}?from=${run.id}`}
      >
        {say("again")}
      </Button>
    </>
  );
}

function RunView({ run }: { readonly run: Run }) {
  const say = useWords();
  const nameOf = useNameOf();
  const { own } = useOwnWords();
  return (
    <Page
      title={nameOf(slugOf(run))}
      lead={<StatusBadge status={run.status} />}
      above={<Back to="/runs">{say("back")}</Back>}
      actions={<Actions run={run} />}
    >
      {run.status_reason && (
        <Alert color="red" variant="light">
          {own(run.status_reason.message)} <code>{run.status_reason.code}</code>
        </Alert>
      )}
      {run.approval && <ApprovalNotice run={run} approval={run.approval} />}
      <AskedSection run={run} />
      <ResultSection run={run} />
      <Section title={say("steps")}>
        <Timeline run={run} />
      </Section>
      <div className="columns">
        <ChargesSection charges={run.charges} status={run.status} />
        {run.receipt_url !== null && (
          <Section title={say("receipt")}>
            <ReceiptSection run={run} />
          </Section>
        )}
      </div>
      <DetailsSection run={run} />
    </Page>
  );
}

/** The page of a run: its result, its steps in progress, its cost, and its receipt. */
export default function RunPage() {
  const { id = "" } = useParams();
  return (
    <Loaded isPage query={useRun(id)}>
      {(run) => <RunView run={run} />}
    </Loaded>
  );
}
